// StreamMemory: what is remembered of the stream, in fixed memory.
//
// Parts, each there only if the config asks for it: moments of everything seen, per class,
// unlabelled and universum; the held points (a labelled buffer and a window of the newest
// unlabelled samples); the neighbour graph over them. Scaling is applied as a sample enters the
// held points; moments stay raw.
//
// Cost of observe: O(m) for moments, O(m) for a held point, O(N m) plus at most one row of N kept
// distances per point that loses a neighbour for the graph (N m instead without kept distances).
// Memory: the sum of its parts, and 2 m Reals for a scale.
#ifndef WHITTLE_MEMORY_STREAM_MEMORY_H_
#define WHITTLE_MEMORY_STREAM_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/constraints.h"
#include "whittle/memory/held_points.h"
#include "whittle/memory/memory_config.h"
#include "whittle/memory/moments.h"
#include "whittle/memory/neighbour_graph.h"
#include "whittle/memory/sample.h"

namespace whittle {

struct SampleCounts {  // accepted samples
  std::uint64_t labelled = 0;
  std::uint64_t unlabelled = 0;
  std::uint64_t universum = 0;
  constexpr std::uint64_t total() const { return labelled + unlabelled + universum; }
};

// What a selector is told of a sample that the memory took in.
struct Observation {
  const Real* raw = nullptr;  // m values, as they came
  SampleKind kind = SampleKind::unlabelled;
  std::uint32_t label = 0;
  Slot slot = kNoSlot;  // where it is held; kNoSlot if it is not
};

class StreamMemory {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    return ByteCount{}
        .array<Real>(config.scaling == Scaling::none ? 0 : config.features, 2)
        .bytes(Moments::required_bytes(config))
        .bytes(HeldPoints::required_bytes(config))
        .bytes(NeighbourGraph::required_bytes(config))
        .total();
  }

  // Once. Errors: invalid_argument or out_of_range (a config that makes no sense, naming the
  // field), resource_exhausted (value: bytes needed). Nothing is placed on error.
  Status create(Arena& arena, const MemoryConfig& config);

  // Offset and gain of features first .. first + size - 1: scaled = (raw - offset) * gain. For
  // scaling other than none, all features must be given, in order, before the first sample.
  // Errors: failed_precondition (scaling none, samples seen), out_of_range (not the next feature,
  // more than m), invalid_argument (not finite, sizes differ).
  Status set_scale(std::size_t first, Span<const Real> offset, Span<const Real> gain);

  // Takes a sample in and fills `seen`. Errors, each leaving everything as it was:
  //   invalid_argument: not m features (value: m); an infinity (value: which feature); unknown kind
  //   unimplemented: a missing value, NaN (value: which feature)
  //   out_of_range: unknown class (value: C); a value that overflows once scaled (value: which)
  //   failed_precondition: the scale is not complete (value: the next feature)
  Status observe(const Sample& sample, Observation* seen);

  const MemoryConfig& config() const { return config_; }
  const SampleCounts& counts() const { return counts_; }
  const Moments& moments() const { return moments_; }
  const HeldPoints& points() const { return points_; }
  const Constraints& constraints() const { return constraints_; }
  const NeighbourGraph& graph() const { return *graph_; }  // if the config has neighbours

  // Everything that is remembered: no scratch, no pointers.
  void digest(Digest& digest) const;

  // Scaling of one feature; 0 and 1 with scaling none.
  Real offset(std::size_t feature) const { return offset_.empty() ? Real(0) : offset_[feature]; }
  Real gain(std::size_t feature) const { return gain_.empty() ? Real(1) : gain_[feature]; }
  Real scaled(const Real* raw, std::size_t feature) const {
    return (raw[feature] - offset(feature)) * gain(feature);
  }

 private:
  Status check(const Sample& sample) const;
  Slot hold(const Real* x, std::uint32_t label);

  MemoryConfig config_;
  SampleCounts counts_;
  Span<Real> offset_;
  Span<Real> gain_;
  std::size_t scale_known_ = 0;  // features whose scale has been given
  Moments moments_;
  HeldPoints points_;
  Constraints constraints_;
  NeighbourGraph* graph_ = nullptr;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_STREAM_MEMORY_H_
