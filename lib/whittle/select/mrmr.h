// mRMR: features chosen one after the other, each for what it says about the class and the chosen
// ones do not say already. The order is the order of choice.
//
// Over the labelled points held. Each feature in three levels: below mean - sd, within, above mean
// + sd, mean and population sd over the points that have the value; a missing value is "within".
// Next chosen is the feature with the largest
//   I(F; class) - mean of I(F; G) over the chosen G,
// I the mutual information of the level counts in nats, the second term 0 for the first choice; of
// all within 1e-6 of the largest, the first by index. Score: that value when the feature was
// chosen, so scores need not fall along the order, and the same feature's changes with the company
// it is in. A value within rounding of mean -+ sd counts as on it, which is "within": so is all of
// a feature of two equally frequent values. No score, and never chosen: a feature that is constant
// over the labelled points, or whose deviations are too large or too small for their squares.
// Source: Peng, Long and Ding 2005 (difference form; docs/methods.md). Class E2: equal to the batch
// score of the points held. Does not depend on scaling.
//
// Parameters: none. Cost: score O(m^2 (n / 32 + 9 logarithms) + n m) for n labelled points. Memory:
// held points, m L / 4 + 4 L + 12 C + m (12 + 2 sizeof(Real)) bytes. Misleads with few labelled
// points: information counted on them is too large, of the class by about (C - 1) / n. Errors of
// score: failed_precondition with fewer than two classes held.
#ifndef WHITTLE_SELECT_MRMR_H_
#define WHITTLE_SELECT_MRMR_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/lanes.h"
#include "whittle/select/selector.h"

namespace whittle {

class Mrmr final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}
        .object<Mrmr>()
        .array<Slot>(memory.labelled)
        .array<std::uint32_t>(memory.features, 2 * words(memory))
        .array<LevelCounts>(memory.features)
        .array<std::uint32_t>(memory.classes, 3)
        .array<CompensatedSum>(memory.features)
        .array<std::uint32_t>(memory.features)
        .total();
  }

  Mrmr(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;

 private:
  struct LevelCounts {  // points below and above; the rest is within
    std::uint32_t below;
    std::uint32_t above;
  };

  struct Spread {
    Real origin = 0;
    Real mean = 0;  // less the origin
    Real sd = 0;
    Real deviation(Real value) const { return (value - origin) - mean; }
  };

  static constexpr std::size_t words(const MemoryConfig& memory) {
    return (std::size_t{memory.labelled} + 31) / 32;
  }
  // A bit per labelled point, oldest first.
  std::uint32_t* below(std::size_t feature) { return planes_.data() + feature * 2 * words_; }
  std::uint32_t* above(std::size_t feature) { return below(feature) + words_; }

  void list_labelled();
  Spread measure(std::size_t feature) const;
  bool discretise(std::size_t feature);
  Real relevance(std::size_t feature);
  Real redundancy(std::size_t feature, std::size_t other);
  std::size_t best_candidate(Span<const Real> relevances, std::size_t chosen);
  Real criterion(Span<const Real> relevances, std::uint32_t feature, std::size_t chosen) const;

  const StreamMemory& memory_;
  std::size_t words_;
  Span<Slot> labelled_;             // oldest first
  Span<std::uint32_t> planes_;      // m x 2 x words_
  Span<LevelCounts> level_counts_;  // m
  Span<std::uint32_t> of_classes_;  // C x 3: points of a class at each level
  Span<CompensatedSum> overlaps_;   // m: sum of I(F; G) over the chosen G
  Span<std::uint32_t> order_;       // the chosen as chosen; the rest by index, no score last
  std::size_t candidates_ = 0;      // features with a score
};

inline constexpr SelectorType kMrmr = {
    "mrmr",
    "says much of the class, little of what others say; needs two classes",
    Direction::descending,
    Exactness::held_points,
    {},
    Mrmr::configure,
    Mrmr::required_bytes,
    create_selector<Mrmr>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_MRMR_H_
