// What tests tell a node in the sensing role.
#ifndef WHITTLE_TESTS_HOST_SENSING_MESSAGES_H_
#define WHITTLE_TESTS_HOST_SENSING_MESSAGES_H_

#include <cstdint>

#include "tests/host/node_messages.h"
#include "whittle/wire/codec_sensing.h"

namespace whittle {

inline ToSensor policy_message(std::uint32_t top, std::uint32_t warm_up,
                               std::uint32_t update_every) {
  ToSensor message = whittle_v1_ToSensor_init_zero;
  message.which_body = whittle_v1_ToSensor_policy_tag;
  whittle_v1_Policy& policy = message.body.policy;
  policy.top = top;
  policy.has_warm_up = policy.has_update_every = policy.has_dwell = true;
  policy.warm_up = warm_up;
  policy.update_every = update_every;
  policy.dwell = 2 * update_every;
  return message;
}

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_SENSING_MESSAGES_H_
