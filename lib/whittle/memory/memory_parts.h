// The parts of a StreamMemory that a program links only if it names them: each a table of the
// members that do its work, through which alone they are called. The constants are in
// stream_memory.h.
#ifndef WHITTLE_MEMORY_MEMORY_PARTS_H_
#define WHITTLE_MEMORY_MEMORY_PARTS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/status.h"
#include "whittle/memory/codebook.h"
#include "whittle/memory/constraints.h"
#include "whittle/memory/held_points.h"
#include "whittle/memory/learned_scale.h"
#include "whittle/memory/memory_config.h"
#include "whittle/memory/moment.h"
#include "whittle/memory/neighbour_graph.h"
#include "whittle/memory/pair_sums.h"
#include "whittle/memory/sample.h"

namespace whittle {

class StreamMemory;
struct Observation;

// What a StreamMemory does beyond moments: hold samples, with all that hangs on them. It is called
// through MemoryConfig::full alone, so that a program that names kFullMemory nowhere links none of
// it.
struct FullMemory {
  Status (*check)(const MemoryConfig& config);
  std::size_t (*required_bytes)(const MemoryConfig& config);
  void (StreamMemory::*place)(Arena& arena);
  Status (StreamMemory::*take)(const Sample& sample, Observation* seen);
  Status (StreamMemory::*label)(std::uint64_t id, std::uint32_t label);
  Status (StreamMemory::*constrain)(std::uint64_t first, std::uint64_t second, bool must_link);
  void (StreamMemory::*prepare)();
  std::uint64_t (StreamMemory::*count)(std::size_t group) const;
  Moment (StreamMemory::*moment)(std::size_t group, std::size_t feature) const;

  static constexpr std::size_t bytes(const MemoryConfig& config) {
    return ByteCount{}
        .bytes(HeldPoints::required_bytes(config))
        .bytes(Constraints::required_bytes(config))
        .bytes(config.units() > 0 ? sizeof(Codebook) : 0)
        .bytes(Codebook::required_bytes(config))
        .array<Real>(config.units() > 0 ? config.features : 0)
        .bytes(LearnedScale::required_bytes(config))
        .bytes(PairSums::required_bytes(config))
        .bytes(NeighbourGraph::required_bytes(config))
        .total();
  }
  static constexpr std::size_t no_bytes(const MemoryConfig&) { return 0; }
  static constexpr FullMemory make_moments_only();
  static constexpr FullMemory make();
};

// What explicit must-link and cannot-link pairs between held samples need; linked likewise, by
// MemoryConfig::explicit_pairs.
struct ExplicitPairs {
  void (StreamMemory::*place)(Arena& arena);
  Status (StreamMemory::*tie)(Slot a, Slot b, bool must_link);
  Status (StreamMemory::*check_label)(Slot slot, std::uint32_t label) const;
  void (StreamMemory::*relabelled)(Slot slot);
  void (StreamMemory::*untie)(Slot slot);  // before a sample leaves
  std::uint64_t (StreamMemory::*count)(bool must_link) const;
  Real (StreamMemory::*sum)(bool must_link, std::size_t feature) const;
  void (StreamMemory::*digest)(Digest& digest) const;

  static constexpr ExplicitPairs make();
};

// What it takes to learn scales from the stream; linked likewise, by MemoryConfig::scale_learning.
struct ScaleLearning {
  void (StreamMemory::*place)(Arena& arena);
  void (StreamMemory::*learn_from)(const Real* x);  // after the sample has been counted
  Status (StreamMemory::*learn_again)();
  std::uint32_t (StreamMemory::*settle)(std::uint32_t steps);
  void (StreamMemory::*digest)(Digest& digest) const;

  static constexpr ScaleLearning make();
};

// What geometries other than the window need; linked likewise, by MemoryConfig::codebook_memory.
struct CodebookMemory {
  void (StreamMemory::*place)(Arena& arena);
  void (StreamMemory::*train)(const Real* x);           // by a point that leaves
  void (StreamMemory::*train_scaled)(const Real* raw);  // by a sample that is not held
  void (StreamMemory::*digest)(Digest& digest) const;

  static constexpr CodebookMemory make();
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_MEMORY_PARTS_H_
