#include "whittle/select/mrmr.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/base/math.h"

namespace whittle {
namespace {

constexpr std::size_t kLevels = 3;  // below, within, above

// Criteria that differ by no more count as equal.
constexpr Real kEqual = Real(1e-6);

// A deviation past the sd by no more than this share of it may be rounding.
constexpr Real kRounding = Real(8) * std::numeric_limits<Real>::epsilon();

inline std::uint32_t count_bits(std::uint32_t bits) {
  bits -= (bits >> 1) & 0x55555555U;
  bits = (bits & 0x33333333U) + ((bits >> 2) & 0x33333333U);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0FU;
  return (bits * 0x01010101U) >> 24;
}

// Mutual information of a feature's level and another variable, in nats, from how many of the n
// points take each pair of values: counts[3 y + level].
Real mutual_information(Span<const std::uint32_t> counts, Real n) {
  std::uint32_t of_level[kLevels] = {};
  for (std::size_t y = 0; y < counts.size(); y += kLevels) {
    for (std::size_t level = 0; level < kLevels; ++level) of_level[level] += counts[y + level];
  }
  CompensatedSum sum;
  for (std::size_t y = 0; y < counts.size(); y += kLevels) {
    const std::uint32_t of_y = counts[y] + counts[y + 1] + counts[y + 2];
    for (std::size_t level = 0; level < kLevels; ++level) {
      if (counts[y + level] == 0) continue;
      const Real both = static_cast<Real>(counts[y + level]);
      // Equal products, as of independent variables, are equal when rounded, too: exactly 0.
      const Real expected = static_cast<Real>(of_level[level]) * static_cast<Real>(of_y);
      sum.add(both * log(both * n / expected));
    }
  }
  return sum.value() / n;
}

}  // namespace

Mrmr::Mrmr(Arena& arena, const StreamMemory& memory, const ParamValues& /*values*/)
    : memory_(memory), words_(words(memory.config())) {
  const MemoryConfig& config = memory.config();
  labelled_ = arena.array<Slot>(config.labelled);
  planes_ = arena.array<std::uint32_t>(2 * words_ * config.features);
  level_counts_ = arena.array<LevelCounts>(config.features);
  of_classes_ = arena.array<std::uint32_t>(kLevels * config.classes);
  overlaps_ = arena.array<CompensatedSum>(config.features);
  order_ = arena.array<std::uint32_t>(config.features);
}

Status Mrmr::score(Span<Real> scores, InfoList* /*info*/) {
  if (memory_.points().classes_present() < 2) {
    return {StatusCode::failed_precondition, "mrmr needs labelled samples of two classes"};
  }
  list_labelled();
  // A candidate's score is its relevance until it is chosen.
  candidates_ = 0;
  for (std::uint32_t r = 0; r < scores.size(); ++r) {
    const bool candidate = discretise(r);
    scores[r] = candidate ? relevance(r) : kNoScore;
    overlaps_[r] = CompensatedSum();
    if (candidate) order_[candidates_++] = r;
  }
  std::size_t place = candidates_;
  for (std::uint32_t r = 0; r < scores.size(); ++r) {
    if (!has_score(scores[r])) order_[place++] = r;
  }
  for (std::size_t chosen = 0; chosen < candidates_; ++chosen) {
    std::uint32_t* next = order_.begin() + chosen;
    std::uint32_t* best = order_.begin() + best_candidate(scores, chosen);
    std::rotate(next, best, best + 1);
    scores[*next] = criterion(scores, *next, chosen);
    for (std::size_t i = chosen + 1; i < candidates_; ++i) {
      overlaps_[order_[i]].add(redundancy(order_[i], *next));
    }
  }
  return {};
}

void Mrmr::decide(Span<const Real> /*scores*/, Span<std::uint32_t> order, Span<bool> selected) {
  const auto wanted = std::count(selected.begin(), selected.end(), true);
  std::copy(order_.begin(), order_.end(), order.begin());
  std::fill(selected.begin(), selected.end(), false);
  for (const std::uint32_t* r = order.begin(); r < order.begin() + wanted; ++r) selected[*r] = true;
}

void Mrmr::list_labelled() {
  const HeldPoints& points = memory_.points();
  std::size_t place = 0;
  for (const Slot slot : points.order()) {
    if (points.label(slot) != kUnlabelled) labelled_[place++] = slot;
  }
}

// Over the labelled points that have the feature; without any, sd is 0.
Mrmr::Spread Mrmr::measure(std::size_t feature) const {
  const HeldPoints& points = memory_.points();
  const Span<const Slot> labelled(labelled_.data(), points.labelled());
  // Deviations from the first present value, so that a large offset costs no digits.
  Spread spread;
  Real count = 0;
  CompensatedSum sum;
  for (const Slot slot : labelled) {
    const Real value = points.row(slot)[feature];
    if (is_missing(value)) continue;
    if (count == 0) spread.origin = value;
    sum.add(value - spread.origin);
    ++count;
  }
  if (count == 0) return spread;
  spread.mean = sum.value() / count;
  CompensatedSum squares;
  for (const Slot slot : labelled) {
    const Real d = spread.deviation(points.row(slot)[feature]);
    if (!is_missing(d)) squares.add(d * d);
  }
  spread.sd = std::sqrt(squares.value() / count);
  return spread;
}

// Returns whether the feature has levels: it varies, and its deviations have squares.
bool Mrmr::discretise(std::size_t feature) {
  const HeldPoints& points = memory_.points();
  const Spread spread = measure(feature);
  if (!(spread.sd > 0)) return false;  // NaN where something overflowed
  const Real bound = spread.sd * (Real(1) + kRounding);
  LevelCounts counts = {};
  std::fill_n(below(feature), 2 * words_, 0U);
  for (std::size_t i = 0; i < points.labelled(); ++i) {
    const Real d = spread.deviation(points.row(labelled_[i])[feature]);
    const std::uint32_t bit = 1U << (i % 32);
    if (d < -bound) {
      below(feature)[i / 32] |= bit;
      ++counts.below;
    } else if (d > bound) {
      above(feature)[i / 32] |= bit;
      ++counts.above;
    }
  }
  level_counts_[feature] = counts;
  return true;
}

// I(F; class).
Real Mrmr::relevance(std::size_t feature) {
  const HeldPoints& points = memory_.points();
  std::fill(of_classes_.begin(), of_classes_.end(), 0U);
  for (std::size_t i = 0; i < points.labelled(); ++i) {
    const std::uint32_t is_below = below(feature)[i / 32] >> (i % 32) & 1U;
    const std::uint32_t is_above = above(feature)[i / 32] >> (i % 32) & 1U;
    ++of_classes_[points.label(labelled_[i]) * kLevels + 1 + is_above - is_below];
  }
  return mutual_information(of_classes_, static_cast<Real>(points.labelled()));
}

// I(F; G).
Real Mrmr::redundancy(std::size_t feature, std::size_t other) {
  const std::uint32_t* f_below = below(feature);
  const std::uint32_t* f_above = above(feature);
  const std::uint32_t* g_below = below(other);
  const std::uint32_t* g_above = above(other);
  const std::uint32_t n = memory_.points().labelled();
  std::uint32_t below_below = 0, above_below = 0, below_above = 0, above_above = 0;  // F, then G
  for (std::size_t w = 0; 32 * w < n; ++w) {
    below_below += count_bits(f_below[w] & g_below[w]);
    above_below += count_bits(f_above[w] & g_below[w]);
    below_above += count_bits(f_below[w] & g_above[w]);
    above_above += count_bits(f_above[w] & g_above[w]);
  }
  const LevelCounts f = level_counts_[feature];
  const LevelCounts g = level_counts_[other];
  const std::uint32_t f_within = n - f.below - f.above;
  const std::uint32_t g_below_f_within = g.below - below_below - above_below;
  const std::uint32_t g_above_f_within = g.above - below_above - above_above;
  const std::uint32_t counts[] = {below_below,
                                  g_below_f_within,
                                  above_below,
                                  f.below - below_below - below_above,
                                  f_within - g_below_f_within - g_above_f_within,
                                  f.above - above_below - above_above,
                                  below_above,
                                  g_above_f_within,
                                  above_above};
  return mutual_information(counts, static_cast<Real>(n));
}

Real Mrmr::criterion(Span<const Real> relevances, std::uint32_t feature, std::size_t chosen) const {
  if (chosen == 0) return relevances[feature];
  return relevances[feature] - overlaps_[feature].value() / static_cast<Real>(chosen);
}

// The place in order_ of the feature to choose next; candidates stand there by index.
std::size_t Mrmr::best_candidate(Span<const Real> relevances, std::size_t chosen) {
  Real best = -kInfinity;
  for (std::size_t i = chosen; i < candidates_; ++i) {
    best = std::max(best, criterion(relevances, order_[i], chosen));
  }
  std::size_t place = chosen;
  while (best - criterion(relevances, order_[place], chosen) > kEqual) ++place;
  return place;
}

}  // namespace whittle
