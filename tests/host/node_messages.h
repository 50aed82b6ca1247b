// What tests tell a node.
#ifndef WHITTLE_TESTS_HOST_NODE_MESSAGES_H_
#define WHITTLE_TESTS_HOST_NODE_MESSAGES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "whittle/wire/codec.h"

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

// Unlabelled.
inline ToNode sample_message(const std::vector<float>& values) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_sample_tag;
  whittle_v1_Sample& sample = message.body.sample;
  sample.count = static_cast<std::uint32_t>(values.size());
  sample.features_count = static_cast<pb_size_t>(values.size());
  std::copy(values.begin(), values.end(), sample.features);
  return message;
}

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_NODE_MESSAGES_H_
