#include "tools/client/configure_message.h"

#include <cstddef>
#include <cstring>

namespace whittle {
namespace {

template <std::size_t N>
void copy_text(const char* text, char (&out)[N]) {
  std::strncpy(out, text, N - 1);
}

}  // namespace

ToNode configure_message(const RankerConfig& config) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_configure_tag;
  whittle_v1_Configure& body = message.body.configure;
  body.features = config.memory.features;
  body.classes = config.memory.classes;
  body.labelled = config.memory.labelled;
  body.window = config.memory.window;
  body.scaling = static_cast<whittle_v1_Scaling>(config.memory.scaling);
  body.compute_distances = !config.memory.keep_distances;
  body.geometry = static_cast<whittle_v1_Geometry>(config.memory.geometry);
  body.codebook = config.memory.codebook;
  body.pairs = config.memory.pairs;
  body.learn = config.memory.learn;
  body.half_life = static_cast<float>(config.memory.half_life);
  body.redundancy = static_cast<whittle_v1_Redundancy>(config.redundancy);
  copy_text(config.selector->id, body.selector);
  for (std::size_t i = 0; i < config.selector->params.size(); ++i) {
    if (!config.values.given(i)) continue;
    whittle_v1_Param& param = body.params[body.params_count++];
    copy_text(config.selector->params[i].name, param.name);
    param.value = static_cast<float>(config.values[i]);
  }
  return message;
}

}  // namespace whittle
