#include "whittle/memory/codebook.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"

namespace whittle {
namespace {

constexpr std::uint32_t kNoUnit = std::numeric_limits<std::uint32_t>::max();
constexpr Real kLeastWeight = Real(0.2);  // tau below which a neighbour stays
constexpr std::uint32_t kMostWins = kNoUnit;
constexpr std::uint64_t kMostShares = 4;  // of the wins, for one unit
constexpr Real kMostWeight = 5;           // of the samples that a prototype is a mean of

std::uint32_t difference(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

}  // namespace

void Codebook::place(Arena& arena, const MemoryConfig& config, Real* prototypes) {
  const auto units = static_cast<std::uint32_t>(config.units());
  features_ = config.features;
  prototypes_ = prototypes;
  while (std::uint64_t{columns_} * columns_ < units) ++columns_;
  weights_ = arena.array<Real>(units);
  wins_ = arena.array<std::uint32_t>(units);
  cells_ = arena.array<std::uint32_t>(units);
  units_ = arena.array<std::uint32_t>(units);
  std::fill(units_.begin(), units_.end(), kNoUnit);
}

// Decides which prototypes the sample moves, and how far.
Span<const Codebook::Step> Codebook::choose(const Real* x) {
  step_count_ = 0;
  if (capacity() == 0) return {};
  ++trained_;
  if (size_ < capacity()) {
    grow(x);
  } else {
    const std::uint32_t unit = winner(x);
    if (wins_[unit] < kMostWins) ++wins_[unit];
    if (!relieve(unit, x)) {
      add_step(unit, 1);
      add_neighbours(unit);
    }
  }
  return Span<const Step>(steps_, step_count_);
}

// Makes the sample a unit.
void Codebook::grow(const Real* x) {
  const std::uint32_t unit = size_;
  const auto rows = static_cast<std::uint32_t>((capacity() + columns_ - 1) / columns_);
  const std::uint32_t cell = unit == 0 ? (rows - 1) / 2 * columns_ + (columns_ - 1) / 2
                                       : free_cell_near(cells_[nearest(x)]);
  cells_[unit] = cell;
  units_[cell] = unit;
  wins_[unit] = 1;
  weights_[unit] = 1;
  steps_[step_count_++] = {unit, Real(1)};
  ++size_;
}

std::uint32_t Codebook::free_cell_near(std::uint32_t cell) const {
  std::uint32_t best = kNoUnit;
  std::uint32_t best_distance = kNoUnit;
  for (std::uint32_t other = 0; other < units_.size(); ++other) {
    if (units_[other] != kNoUnit) continue;
    const std::uint32_t distance = difference(other / columns_, cell / columns_) +
                                   difference(other % columns_, cell % columns_);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = other;
  }
  return best;
}

Real Codebook::squared_distance_to(std::size_t unit, const Real* x) const {
  const Real distance = squared_distance(prototype(unit), x, features_);
  if (!is_missing(distance)) return distance;
  return squared_distance_of_present(prototype(unit), x, features_);
}

// The first unit if all are infinitely far: of distances that overflow none is the least.
std::uint32_t Codebook::nearest(const Real* x) const {
  std::uint32_t best = 0;
  Real least = kInfinity;
  for (std::uint32_t unit = 0; unit < size_; ++unit) {
    const Real distance = squared_distance_to(unit, x);
    if (!(distance < least)) continue;
    least = distance;
    best = unit;
  }
  return best;
}

std::uint32_t Codebook::winner(const Real* x) const {
  std::uint32_t best = 0;
  Real least = kInfinity;
  for (std::uint32_t unit = 0; unit < size_; ++unit) {
    const Real cost = squared_distance_to(unit, x) * std::sqrt(static_cast<Real>(wins_[unit]));
    if (!(cost < least)) continue;
    least = cost;
    best = unit;
  }
  return best;
}

// Moves the unit with the fewest wins to the sample, if the winner has won far more than its share.
bool Codebook::relieve(std::uint32_t unit, const Real* x) {
  if (wins_[unit] * std::uint64_t{size_} <= kMostShares * trained_) return false;
  const auto* least = std::min_element(wins_.begin(), wins_.end());
  const auto idle = static_cast<std::uint32_t>(least - wins_.begin());
  if (*least > wins_[unit] / 2 || squared_distance_to(unit, x) == 0) return false;
  wins_[idle] = wins_[unit] / 2;
  wins_[unit] -= wins_[idle];
  weights_[idle] = 1;
  steps_[step_count_++] = {idle, Real(1)};
  return true;
}

void Codebook::add_step(std::uint32_t unit, Real weight) {
  weights_[unit] = std::min(weights_[unit] + weight, kMostWeight);
  steps_[step_count_++] = {unit, weight / weights_[unit]};
}

void Codebook::add_neighbours(std::uint32_t unit) {
  const auto units = static_cast<std::uint32_t>(capacity());
  const Real epochs = real_count(trained_ - units) / static_cast<Real>(units);
  const Real weight = exp(Real(-0.5) * exp(Real(2) * epochs));
  if (weight < kLeastWeight) return;
  const std::uint32_t cell = cells_[unit];
  const std::uint32_t column = cell % columns_;
  if (cell >= columns_) add_step(units_[cell - columns_], weight);
  if (column > 0) add_step(units_[cell - 1], weight);
  if (column + 1 < columns_ && cell + 1 < units) add_step(units_[cell + 1], weight);
  if (cell + columns_ < units) add_step(units_[cell + columns_], weight);
}

// Whether a coordinate has changed.
bool Codebook::move(const Step& step, const Real* x) {
  Real* prototype = prototypes_ + step.unit * features_;
  if (step.rate == Real(1)) {
    std::copy(x, x + features_, prototype);
    return true;
  }
  bool changed = false;
  for (std::size_t r = 0; r < features_; ++r) {
    if (is_missing(x[r])) continue;
    const Real old = prototype[r];
    const Real way = x[r] - old;
    Real next = old + step.rate * way;
    // Two values so far apart that their difference overflows have different signs.
    if (!std::isfinite(way)) next = (Real(1) - step.rate) * old + step.rate * x[r];
    if (is_missing(old)) next = x[r];
    prototype[r] = next;
    changed = changed || next != old;
  }
  return changed;
}

void Codebook::digest(Digest& digest) const {
  digest.add(trained_);
  digest.add(size_);
  digest.add_all(prototypes_, size_ * features_);
  digest.add_all(weights_.data(), size_);
  digest.add_all(wins_.data(), size_);
  digest.add_all(cells_.data(), size_);
}

}  // namespace whittle
