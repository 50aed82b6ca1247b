#include "tests/fuzz/messages.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "whittle/select/all_selectors.h"

namespace whittle::fuzz {
namespace {

constexpr std::uint32_t kMostFeatures = 12;
constexpr std::uint32_t kMostHeld = 24;
constexpr std::uint32_t kMostSteps = 16;

// Numbers at the edge of something, then plain ones.
float value_of(std::uint8_t byte) {
  using Limits = std::numeric_limits<float>;
  constexpr float kEdges[] = {0.0F,
                              -0.0F,
                              Limits::quiet_NaN(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::max(),
                              -Limits::max(),
                              Limits::min(),
                              Limits::denorm_min(),
                              1e19F,
                              -1e19F,
                              1e-22F,
                              1e4F,
                              16777216.0F,
                              0.5F,
                              -1.0F};
  constexpr std::size_t kCount = sizeof kEdges / sizeof *kEdges;
  if (byte < kCount) return kEdges[byte];
  return static_cast<float>(byte - 128) / 16.0F;
}

std::uint32_t number_of(Input& input, std::uint32_t usual) {
  const std::uint8_t byte = input.byte();
  return byte == 255 ? std::numeric_limits<std::uint32_t>::max() : byte % usual;
}

// The seq of one of the last messages, seldom of one to come.
std::uint64_t earlier(Input& input, std::uint64_t seq) { return seq + 2 - input.below(64); }

// Sometimes one that does not exist, which must not be loaded as an enum.
template <typename Enum>
void set_enum(Input& input, unsigned count, Enum& field) {
  const unsigned number = input.below(count + 1);
  std::memcpy(&field, &number, sizeof field);
}

template <std::size_t size>
void copy_text(const char* text, char (&to)[size]) {
  std::snprintf(to, size, "%s", text);
}

void add_params(Input& input, Span<const ParamSpec> specs, whittle_v1_Configure& configure) {
  constexpr std::size_t kRoom = sizeof configure.params / sizeof *configure.params;
  const std::size_t count = std::min<std::size_t>(input.below(4), kRoom);
  for (std::size_t i = 0; i < count && !specs.empty(); ++i) {
    const ParamSpec& spec = specs[input.below(static_cast<std::uint32_t>(specs.size()))];
    whittle_v1_Param& param = configure.params[configure.params_count++];
    copy_text(spec.name, param.name);
    const std::uint8_t byte = input.byte();
    if (byte < 16) {
      param.value = value_of(byte);
    } else if (spec.kind == ParamKind::real || spec.kind == ParamKind::real_or_auto) {
      param.value = std::ldexp(1.0F, byte % 32 - 16);
    } else {
      param.value = static_cast<float>(spec.least) + static_cast<float>(byte % 8);
    }
  }
}

}  // namespace

void make_configure(Input& input, ToNode& message, Shape& shape) {
  constexpr std::uint32_t kSelectors = sizeof kAllSelectors / sizeof *kAllSelectors;
  message.which_body = whittle_v1_ToNode_configure_tag;
  whittle_v1_Configure& configure = message.body.configure;
  configure = {};
  const SelectorType& type = *kAllSelectors[input.below(kSelectors)];
  copy_text(type.id, configure.selector);
  configure.features = number_of(input, kMostFeatures) + 1;
  configure.classes = number_of(input, 5);
  configure.labelled = number_of(input, kMostHeld);
  configure.window = number_of(input, kMostHeld);
  set_enum(input, 3, configure.scaling);
  set_enum(input, 3, configure.geometry);
  set_enum(input, 2, configure.redundancy);
  configure.codebook = number_of(input, 8);
  configure.pairs = number_of(input, 8);
  configure.learn = number_of(input, 8);
  configure.compute_distances = input.byte() % 2 == 1;
  const std::uint8_t half_life = input.byte();
  configure.half_life = half_life < 128 ? 0.0F : value_of(half_life);
  const std::uint8_t every = input.byte();  // mostly, snapshots are taken when asked
  configure.snapshot_every = every < 16 ? every : 0;
  add_params(input, type.params, configure);
  shape.features = std::clamp(configure.features, 1U, kMostFeatures);
  shape.classes = std::max(1U, configure.classes % 8);
}

void make_scale(Input& input, const Shape& shape, ToNode& message) {
  message.which_body = whittle_v1_ToNode_scale_tag;
  whittle_v1_Scale& scale = message.body.scale;
  scale = {};
  scale.first = input.below(4) == 3 ? input.byte() : 0;
  const auto count = static_cast<pb_size_t>(shape.features - scale.first % shape.features);
  scale.offset_count = count;
  scale.gain_count = input.below(8) == 7 ? static_cast<pb_size_t>(count - 1) : count;
  for (pb_size_t i = 0; i < count; ++i) scale.offset[i] = value_of(input.byte());
  for (pb_size_t i = 0; i < count; ++i) scale.gain[i] = value_of(input.byte());
}

void make_sample(Input& input, const Shape& shape, ToNode& message) {
  message.which_body = whittle_v1_ToNode_sample_tag;
  whittle_v1_Sample& sample = message.body.sample;
  sample = {};
  const std::uint8_t kind = input.byte();
  sample.count = shape.features + (kind >= 250 ? 1 : 0);
  sample.features_count = static_cast<pb_size_t>(shape.features + (kind >= 248 ? 1 : 0));
  sample.kind = kind % 4 == 0   ? whittle_v1_Kind_LABELLED
                : kind % 4 == 1 ? whittle_v1_Kind_UNIVERSUM
                                : whittle_v1_Kind_UNLABELLED;
  sample.has_label = (kind % 4 == 0) != (kind > 240);
  sample.label = kind / 4 % shape.classes + (kind == 239 ? shape.classes : 0);
  for (pb_size_t i = 0; i < sample.features_count; ++i) {
    sample.features[i] = value_of(input.byte());
  }
}

void make_label(Input& input, const Shape& shape, std::uint64_t seq, ToNode& message) {
  message.which_body = whittle_v1_ToNode_label_tag;
  message.body.label = {earlier(input, seq), number_of(input, shape.classes + 1)};
}

void make_constraint(Input& input, std::uint64_t seq, ToNode& message) {
  message.which_body = whittle_v1_ToNode_constraint_tag;
  whittle_v1_Constraint& constraint = message.body.constraint;
  constraint.first = earlier(input, seq);
  constraint.second = earlier(input, seq);
  constraint.must_link = input.byte() % 2 == 1;
}

void make_query(Input& input, ToNode& message) {
  message.which_body = whittle_v1_ToNode_query_tag;
  message.body.query = {input.below(4) == 3 ? number_of(input, 64) : 0, number_of(input, 16),
                        input.below(kMostSteps)};
}

void make_memberships(Input& input, std::uint64_t seq, ToNode& message) {
  message.which_body = whittle_v1_ToNode_memberships_tag;
  message.body.memberships = {earlier(input, seq), 0};
}

bool is_cheap(const ToNode& message) {
  if (message.which_body == whittle_v1_ToNode_query_tag) {
    return message.body.query.refine_iterations <= kMostSteps;
  }
  if (message.which_body != whittle_v1_ToNode_configure_tag) return true;
  const whittle_v1_Configure& configure = message.body.configure;
  return configure.features <= 2 * kMostFeatures && configure.labelled <= 4 * kMostHeld &&
         configure.window <= 4 * kMostHeld;
}

}  // namespace whittle::fuzz
