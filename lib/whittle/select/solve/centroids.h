// Centroids: where the clusters of a k-means method lie, one for each class, and how far each
// feature spreads. What WeightedClusters and FuzzyClusters have in common.
//
// All positions are kept as deviations from an origin near the data, so that a large common offset
// costs no digits. Memory: K m + 2 m Reals, K words.
#ifndef WHITTLE_SELECT_SOLVE_CENTROIDS_H_
#define WHITTLE_SELECT_SOLVE_CENTROIDS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/digest.h"
#include "whittle/memory/filled_points.h"

namespace whittle {

// Fed point by point, the moments of all clusters are halved when one of them has this many
// members: so counters never wrap, and sums never stand still for being too large for what comes.
// From then on the older points of a stream count less and less.
inline constexpr std::uint32_t kMostMembers = std::uint32_t{1} << 16;

class Centroids {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory) {
    return ByteCount{}
        .array<Real>(memory.classes, memory.features)
        .array<Real>(2, memory.features)
        .array<std::uint32_t>(memory.classes)
        .total();
  }
  void place(Arena& arena, const MemoryConfig& memory);

  // Forgets all clusters and takes the position x as the origin.
  void clear(const Real* x);
  // Forgets the origin, too.
  void forget();
  bool has_origin() const { return has_origin_; }
  // Takes the position x as the origin; the clusters stay where they are. Cost O(K m).
  void move_origin(const Real* x);

  // Makes a cluster exist, with its centroid at x.
  void found(std::uint32_t q, const Real* x);
  bool exists(std::uint32_t q) const { return exists_[q] != 0; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(exists_.size()); }  // K
  std::uint32_t existing() const;
  // Whether there is a cluster for each class that is held and for no other.
  bool fit(const HeldPoints& points) const;

  // Sum of squared deviations of each feature over all held points; 0 if it is constant. O(n m).
  void measure_spreads(const FilledPoints& points);
  bool constant(std::size_t j) const { return spreads_[j] == 0; }
  std::size_t varying() const;  // features that are not constant

  // Squared distance of the two centroids that are closest; kInfinity if there is none or one.
  Real least_distance() const;

  void digest(Digest& digest) const;

 protected:
  Real* centroid(std::uint32_t q) const { return centroids_.data() + q * features_; }

  std::size_t features_ = 0;  // m
  Span<Real> origin_;         // m
  Span<Real> spreads_;        // m

 private:
  bool has_origin_ = false;
  Span<Real> centroids_;        // K x m, less the origin
  Span<std::uint32_t> exists_;  // K: 0 or 1
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_CENTROIDS_H_
