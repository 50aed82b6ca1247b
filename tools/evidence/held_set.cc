#include "tools/evidence/held_set.h"

#include <algorithm>
#include <stdexcept>

#include "whittle/base/arena.h"
#include "whittle/base/random.h"
#include "whittle/memory/codebook.h"
#include "whittle/memory/stream_memory.h"

namespace whittle::evidence {
namespace {

// Labelled buffer and window.
MemoryConfig samples_config(const Stream& stream, const MemoryShape& shape) {
  MemoryConfig config;
  config.features = static_cast<std::uint32_t>(stream.features());
  config.classes = stream.classes();
  config.labelled = std::max(shape.labelled, stream.classes());
  config.window = shape.window;
  hold_samples(config);
  return config;
}

MemoryConfig codebook_config(const Stream& stream, const MemoryShape& shape) {
  MemoryConfig config = samples_config(stream, shape);
  config.geometry = Geometry::codebook;
  config.codebook = shape.units;
  return config;
}

}  // namespace

std::vector<HeldPoint> held_after(const Stream& stream, const MemoryShape& shape) {
  const MemoryConfig config = samples_config(stream, shape);
  const MemoryConfig map_config = codebook_config(stream, shape);
  std::vector<unsigned char> bytes(StreamMemory::required_bytes(config) +
                                   Codebook::required_bytes(map_config) + kArenaAlignment);
  std::vector<Real> prototypes(std::size_t{shape.units} * stream.features());
  Arena arena(bytes.data(), bytes.size());
  StreamMemory memory;
  if (const Status status = memory.create(arena, config); !status.ok()) {
    throw std::runtime_error(status.reason());
  }
  Codebook codebook;
  codebook.place(arena, map_config, prototypes.data());

  for (const Sample& sample : stream.samples()) {
    const HeldPoints& points = memory.points();
    const std::uint32_t label = sample.kind == SampleKind::labelled ? sample.label : kUnlabelled;
    if (!points.can_hold(label)) {
      codebook.train(sample.features.data(), [](std::size_t) {});
    } else if (const Slot victim = points.victim(label); victim != kNoSlot) {
      codebook.train(points.row(victim), [](std::size_t) {});
    }
    Observation seen;
    if (const Status status = memory.observe(sample, &seen); !status.ok()) {
      throw std::runtime_error(status.reason());
    }
  }

  std::vector<HeldPoint> held;
  const auto hold = [&](const Real* x, std::uint32_t label) {
    const bool labelled = label != kUnlabelled;
    held.push_back({std::vector<Real>(x, x + stream.features()),
                    labelled ? SampleKind::labelled : SampleKind::unlabelled,
                    labelled ? label : 0});
  };
  for (std::size_t unit = 0; unit < codebook.size(); ++unit) {
    hold(codebook.prototype(unit), kUnlabelled);
  }
  for (const Slot slot : memory.points().order()) {
    hold(memory.points().row(slot), memory.points().label(slot));
  }
  return held;
}

std::vector<HeldPoint> picked_at_random(const Stream& stream, std::size_t count,
                                        std::uint64_t seed) {
  Random random(seed);
  std::vector<HeldPoint> picked;
  std::size_t left = stream.size();
  for (const Sample& sample : stream.samples()) {
    if (random.below(static_cast<std::uint32_t>(left--)) >= count - picked.size()) continue;
    picked.push_back({std::vector<Real>(sample.features.begin(), sample.features.end()),
                      sample.kind, sample.label});
  }
  return picked;
}

}  // namespace whittle::evidence
