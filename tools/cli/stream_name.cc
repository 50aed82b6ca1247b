#include "tools/cli/stream_name.h"

#include <algorithm>
#include <cmath>

#include "tools/client/message_frame.h"
#include "whittle/base/digest.h"

namespace whittle::cli {
namespace {

void add_configure(const whittle_v1_Configure& configure, Digest& digest) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_configure_tag;
  message.body.configure = configure;
  message.body.configure.session = 0;
  message.body.configure.snapshot_every = 0;
  const std::vector<std::uint8_t> frame = frame_of(message);
  digest.add_all(frame.data(), frame.size());
}

// As they are sent. A missing value is missing whatever the bits of its NaN.
void add_numbers(Span<const Real> numbers, Digest& digest) {
  for (const Real number : numbers) {
    digest.add(std::isnan(number));
    digest.add(std::isnan(number) ? 0.0F : static_cast<float>(number));
  }
}

void add_step(const Plan& plan, const Step& step, Digest& digest) {
  digest.add(static_cast<std::uint8_t>(step.kind));
  if (step.kind == Step::Kind::pair) {
    const Pair& pair = plan.pairs.list[step.index];
    digest.add(static_cast<std::uint64_t>(pair.earlier));
    digest.add(static_cast<std::uint64_t>(pair.later));
    digest.add(pair.must_link);
    return;
  }
  const Sample sample = plan.data.sample(step.index);
  digest.add(static_cast<std::uint64_t>(step.index));
  digest.add(static_cast<std::uint8_t>(sample.kind));
  digest.add(static_cast<std::uint64_t>(sample.label));
  if (step.kind == Step::Kind::sample) add_numbers(sample.features, digest);
}

}  // namespace

std::uint64_t stream_name(const Plan& plan, const std::vector<Step>& script,
                          const whittle_v1_Configure& configure) {
  Digest digest;
  add_configure(configure, digest);
  add_numbers(Span<const Real>(plan.scale.offset.data(), plan.scale.offset.size()), digest);
  add_numbers(Span<const Real>(plan.scale.gain.data(), plan.scale.gain.size()), digest);
  for (const Step& step : script) add_step(plan, step, digest);
  return std::max<std::uint64_t>(digest.value(), 1);
}

}  // namespace whittle::cli
