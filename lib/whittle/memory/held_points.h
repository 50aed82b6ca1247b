// HeldPoints: the points in memory: a labelled buffer of L, a window of the W newest unlabelled
// samples, and the K prototypes of the codebook, if there is one.
//
// Points live in N = K + L + W slots that do not move while a point is held; the first K are the
// prototypes', by unit. `order` lists the occupied
// slots from the oldest point to the newest; everything that sums over points goes in that order,
// so results depend on the points and their age, never on the slot they got.
//
// A full window evicts its oldest point. A full labelled buffer evicts the oldest point of its
// largest class, the newcomer counted (equally large: the class whose oldest point is older), so no
// class is ever emptied.
//
// Memory: N (m Reals + 25 bytes) + 4 C bytes. Cost: add and remove O(m + N).
#ifndef WHITTLE_MEMORY_HELD_POINTS_H_
#define WHITTLE_MEMORY_HELD_POINTS_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/base/real.h"
#include "whittle/memory/memory_config.h"

namespace whittle {

using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();
inline constexpr std::uint32_t kUnlabelled = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kFree = std::numeric_limits<std::uint64_t>::max();

class HeldPoints {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& config) {
    if (!config.points) return 0;
    const std::size_t capacity = config.capacity();
    return ByteCount{}
        .array<Real>(capacity, config.features)
        .array<std::uint64_t>(capacity, 2)
        .array<std::uint32_t>(capacity)
        .array<Slot>(capacity)
        .array<std::uint32_t>(config.classes)
        .array<bool>(capacity)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& config);

  // The slot of the point that must leave before one with this label (a class or kUnlabelled) can
  // enter; kNoSlot if there is room.
  Slot victim(std::uint32_t label) const;
  bool can_hold(std::uint32_t label) const {
    return (label == kUnlabelled ? window_ : labelled_capacity_) > 0;
  }

  // Puts the sample that is the `arrival`-th (more than all before) into a free slot and returns
  // it; the caller writes its m coordinates to row(slot). victim(label) must be kNoSlot.
  Slot add(std::uint32_t label, std::uint64_t arrival, std::uint64_t id);
  // The next prototype, whose row has been written.
  Slot add_unit();
  void remove(Slot slot);
  // Gives an unlabelled sample a label. The labelled buffer may then hold one too many: surplus()
  // must be removed; it may be this sample.
  void relabel(Slot slot, std::uint32_t label);
  Slot surplus() const {
    return labelled_ > labelled_capacity_ ? oldest_of_largest(kUnlabelled) : kNoSlot;
  }
  // Says of a point whose row has been written whether it misses a value.
  void note_missing(Slot slot, bool missing) {
    if (missing_[slot]) --with_missing_;
    if (missing) ++with_missing_;
    missing_[slot] = missing;
  }

  std::size_t size() const { return size_; }          // n
  std::size_t features() const { return features_; }  // m
  std::size_t capacity() const { return stamps_.size(); }
  Span<const Slot> order() const { return Span<const Slot>(order_.data(), size_); }
  Slot oldest() const { return order_[0]; }

  const Real* row(Slot slot) const { return rows_.data() + std::size_t{slot} * features_; }
  Real* row(Slot slot) { return rows_.data() + std::size_t{slot} * features_; }
  std::uint32_t label(Slot slot) const { return labels_[slot]; }
  // Smaller is older: of prototypes the unit number, of samples K and the arrival number; kFree for
  // a free slot.
  std::uint64_t stamp(Slot slot) const { return stamps_[slot]; }
  std::uint64_t arrival(Slot slot) const { return stamps_[slot] - max_units_; }
  bool is_unit(Slot slot) const { return stamps_[slot] < max_units_; }
  // The slot of the sample with this id; kNoSlot if it is not held.
  Slot find(std::uint64_t id) const;

  // Whether a point, or any held point, misses a value: its cell is NaN.
  bool has_missing(Slot slot) const { return missing_[slot]; }
  bool any_missing() const { return with_missing_ > 0; }

  std::uint32_t units() const { return units_; }  // prototypes there are by now
  std::uint32_t labelled() const { return labelled_; }
  std::uint32_t classes() const { return static_cast<std::uint32_t>(class_counts_.size()); }
  std::uint32_t class_count(std::uint32_t c) const { return class_counts_[c]; }
  std::uint32_t classes_present() const;

  void digest(Digest& digest) const;

 private:
  Slot oldest_of_largest(std::uint32_t newcomer) const;
  Slot take_slot(std::uint64_t stamp);

  std::size_t features_ = 0;
  std::uint32_t labelled_capacity_ = 0;
  std::uint32_t window_ = 0;
  std::size_t size_ = 0;
  std::uint32_t labelled_ = 0;
  std::uint32_t max_units_ = 0;
  std::uint32_t units_ = 0;
  Slot last_left_ = 0;  // free, if any is: who comes for one that left takes its slot
  Span<Real> rows_;
  Span<std::uint64_t> stamps_;
  Span<std::uint64_t> ids_;
  Span<std::uint32_t> labels_;
  Span<Slot> order_;
  Span<std::uint32_t> class_counts_;
  Span<bool> missing_;
  std::size_t with_missing_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_MEMORY_HELD_POINTS_H_
