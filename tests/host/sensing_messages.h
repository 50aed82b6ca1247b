// What tests tell a node in the sensing role.
#ifndef WHITTLE_TESTS_HOST_SENSING_MESSAGES_H_
#define WHITTLE_TESTS_HOST_SENSING_MESSAGES_H_

#include <cstdint>
#include <cstring>

#include "whittle/wire/codec_sensing.h"

namespace whittle {

// Two classes; so many labelled and unlabelled samples held, each.
inline ToNode configure_message(const char* selector, std::size_t features, std::uint32_t labelled,
                                std::uint32_t window, std::uint32_t snapshot_every = 0) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_configure_tag;
  whittle_v1_Configure& configure = message.body.configure;
  std::strcpy(configure.selector, selector);
  configure.features = static_cast<std::uint32_t>(features);
  configure.classes = 2;
  configure.labelled = labelled;
  configure.window = window;
  configure.snapshot_every = snapshot_every;
  return message;
}

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
