// ReliefF: how well a feature tells a labelled point from the nearest ones of other classes, less
// how much it differs from the nearest of its own. Larger is better, between -1 and 1.
//
// Over the labelled points held, n of them, n_c in class c. diff_r(i, j) = |f_ri - f_rj| / range_r,
// the range over these points; 0 where either value is missing. For each point i of class y: H_i
// the k nearest other points of y (hits), M_ic the k nearest of each other class c (misses), fewer
// where there are fewer; nearest by the sum of diff over all features, the older first on a tie.
// Score of feature r: mean over i of
//   sum_{c != y} n_c / (n - n_y) mean of diff_r(i, j) over j in M_ic - the same mean over H_i,
// the mean over no hits (a class with a single point) being 0. No score for a feature that is
// constant over the labelled points, or whose range overflows; it is no part of the distances.
// Source: Kononenko 1994, Robnik-Sikonja and Kononenko 2003, every point taken as an instance
// (docs/methods.md). Class E2: equal to the batch score of the points held. Does not depend on
// scaling.
//
// Parameter: k. Cost: score O(n^2 m). Memory: held points, 4 L + 2 min(k, L) sizeof(Real) +
// 3 m sizeof(Real) bytes. Misleads when most features are noise: the nearest points are then near
// by chance; and with few points per class, where k takes in all of them. Errors of score:
// failed_precondition with fewer than two classes held.
#ifndef WHITTLE_SELECT_RELIEFF_H_
#define WHITTLE_SELECT_RELIEFF_H_

#include <cstddef>
#include <cstdint>

#include "whittle/memory/feature_sums.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kRelieffParams[] = {
    {"k", "hits of each labelled sample, and misses of each other class", ParamKind::integer, 10, 1,
     1024, nullptr}};

class Relieff final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& values) {
    return ByteCount{}
        .object<Relieff>()
        .array<Slot>(memory.labelled)
        .array<Neighbour>(most_nearest(memory, values))
        .array<Real>(memory.features)
        .bytes(FeatureSums::required_bytes(memory.features))
        .total();
  }

  Relieff(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  struct Neighbour {
    Real distance;
    std::uint32_t place;  // in labelled_: within a class the smaller is the older
  };

  static constexpr std::size_t most_nearest(const MemoryConfig& memory, const ParamValues& values) {
    return values.integer(0) < memory.labelled ? values.integer(0) : memory.labelled;
  }

  void sort_by_class();
  void measure_ranges();
  void add_instance(std::size_t instance);
  std::size_t find_nearest(std::size_t instance, std::size_t begin, std::size_t end);
  void add_nearest(std::size_t instance, std::size_t count, Real weight);

  const StreamMemory& memory_;
  Span<Slot> labelled_;      // class by class, the oldest first in each
  Span<Neighbour> nearest_;  // at most k, of one class, to the instance at hand
  Span<Real> ranges_;        // infinite for a feature that takes no part
  FeatureSums sums_;
};

inline constexpr SelectorType kRelieff = {
    "relieff",
    "far from the nearest of other classes, near to those of the own; needs two classes",
    Direction::descending,
    Exactness::held_points,
    kRelieffParams,
    Relieff::configure,
    Relieff::required_bytes,
    create_selector<Relieff>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_RELIEFF_H_
