#include "whittle/select/solve/level_method.h"

#include <algorithm>

#include "whittle/select/solve/vectors.h"

namespace whittle {

void LevelMethod::place(Arena& arena, std::size_t features, std::size_t duals) {
  cuts_.place(arena, features, kCuts);
  cut_duals_ = arena.array<double>(kCuts * duals);
  mixture_ = arena.array<double>(duals);
  const Span<Real> rows = arena.array<Real>(3 * features);
  point_ = rows.subspan(0, features);
  scaled_ = rows.subspan(features, features);
  mixture_slopes_ = rows.subspan(2 * features, features);
}

void LevelMethod::begin(std::size_t sum, Real share, Real gap, std::size_t duals,
                        const Real* start) {
  sum_ = sum;
  share_ = share;
  wanted_gap_ = gap;
  duals_ = duals;
  unit_ = 0;
  upper_ = kInfinity;
  lower_ = -kInfinity;
  std::copy(start, start + point_.size(), point_.begin());
  cuts_.clear(sum);
}

void LevelMethod::add_cut(Real constant, const Real* slopes, const double* u) {
  if (cuts_.size() == kCuts) {
    halve();
    std::copy(mixture_.begin(), mixture_.begin() + duals_, cut_duals(cuts_.size()));
    cuts_.add(mixture_constant_, mixture_slopes_.data());
  }
  for (std::size_t r = 0; r < scaled_.size(); ++r) scaled_[r] = slopes[r] / unit_;
  std::copy(u, u + duals_, cut_duals(cuts_.size()));
  cuts_.add(constant / unit_, scaled_.data());
}

// Leaves the half of the cuts whose multipliers are the largest.
void LevelMethod::halve() {
  while (cuts_.size() > kCuts / 2) {
    const Real* multipliers = cuts_.multipliers();
    const Real* end = multipliers + cuts_.size();
    const auto least = static_cast<std::size_t>(std::min_element(multipliers, end) - multipliers);
    const double* last = cut_duals(cuts_.size() - 1);
    if (last != cut_duals(least)) std::copy(last, last + mixture_.size(), cut_duals(least));
    cuts_.remove(least);
  }
}

bool LevelMethod::lower_upper(Real value) {
  if (unit_ == 0) unit_ = value;
  if (!(value < upper_)) return false;
  upper_ = value;
  return true;
}

// A twentieth of the gap, of a mean product of which there are this many.
Real LevelMethod::accuracy() const {
  const auto products = static_cast<Real>(2 * point_.size() + kCuts);
  return Real(0.05) * wanted_gap_ * (upper_ / unit_) / products;
}

const double* LevelMethod::mix() {
  if (cuts_.size() == 1 || sum_ >= point_.size()) {
    const double* last = cut_duals(cuts_.size() - 1);
    std::copy(last, last + duals_, mixture_.begin());
    return mixture_.data();
  }
  cuts_.minimise(accuracy());
  std::fill(mixture_.begin(), mixture_.end(), 0.0);
  for (std::size_t j = 0; j < cuts_.size(); ++j) {
    add_multiple(static_cast<double>(cuts_.multipliers()[j]), cut_duals(j), mixture_.data(),
                 duals_);
  }
  return mixture_.data();
}

bool LevelMethod::raise_lower(Real constant, const Real* slopes) {
  mixture_constant_ = constant / unit_;
  for (std::size_t r = 0; r < scaled_.size(); ++r) mixture_slopes_[r] = slopes[r] / unit_;
  const Real bound = (mixture_constant_ + cuts_.least(mixture_slopes_.data())) * unit_;
  if (!(bound > lower_)) return false;
  lower_ = bound;
  return true;
}

void LevelMethod::next_point() {
  if (sum_ >= point_.size()) return;
  const Real level = (share_ * upper_ + (1 - share_) * lower_) / unit_;
  cuts_.project(point_.data(), level, accuracy());
  std::copy(cuts_.point(), cuts_.point() + point_.size(), point_.begin());
}

void LevelMethod::digest(Digest& digest) const {
  digest.add_all(point_.data(), point_.size());
  digest.add(upper_);
  digest.add(lower_);
  for (std::size_t j = 0; j < cuts_.size(); ++j) {
    digest.add_all(cut_duals_.data() + j * mixture_.size(), duals_);
  }
}

}  // namespace whittle
