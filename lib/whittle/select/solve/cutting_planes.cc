#include "whittle/select/solve/cutting_planes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/base/lanes.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {
namespace {

constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();
constexpr int kMostSteps = 80;
// Share of the mean product that a step aims at: less, and with thousands of features the products
// grow so unequal that steps become short.
constexpr Real kCentring = Real(0.3);
constexpr Real kBoundary = Real(0.98);  // share of the way to the nearest bound

}  // namespace

void CuttingPlanes::place(Arena& arena, std::size_t features, std::size_t capacity) {
  slopes_ = arena.array<Real>(capacity * features);
  const Span<Real> by_feature = arena.array<Real>(8 * features);
  Span<Real>* const rows[] = {&p_,       &below_,    &above_, &p_changes_,
                              &stretch_, &gradient_, &from_,  &scratch_};
  for (std::size_t i = 0; i < 8; ++i) *rows[i] = by_feature.subspan(i * features, features);
  const Span<Real> by_cut = arena.array<Real>(6 * capacity);
  Span<Real>* const columns[] = {&constants_,          &multipliers_,   &slacks_,
                                 &multiplier_changes_, &slack_changes_, &means_};
  for (std::size_t i = 0; i < 6; ++i) *columns[i] = by_cut.subspan(i * capacity, capacity);
  factor_.place(arena, capacity);
}

void CuttingPlanes::add(Real constant, const Real* slopes_of_cut) {
  std::copy(slopes_of_cut, slopes_of_cut + p_.size(), slopes(size_));
  constants_[size_] = constant;
  multipliers_[size_] = 0;
  ++size_;
}

void CuttingPlanes::remove(std::size_t cut) {
  --size_;
  std::copy(slopes(size_), slopes(size_) + p_.size(), slopes(cut));
  constants_[cut] = constants_[size_];
  multipliers_[cut] = multipliers_[size_];
}

Real CuttingPlanes::value(std::size_t cut) const {
  return constants_[cut] + dot(slopes(cut), p_.data(), p_.size());
}

void CuttingPlanes::minimise(Real accuracy) {
  projecting_ = false;
  begin();
  std::fill(multipliers_.begin(), multipliers_.begin() + size_, 1 / static_cast<Real>(size_));
  const Real product = balance(1 / static_cast<Real>(2 * p_.size()));
  level_ = -kInfinity;
  for (std::size_t j = 0; j < size_; ++j) level_ = std::max(level_, value(j));
  level_ += product * static_cast<Real>(size_);
  for (std::size_t j = 0; j < size_; ++j) slacks_[j] = level_ - value(j);
  solve(accuracy);
  Real sum = 0;
  for (std::size_t j = 0; j < size_; ++j) sum += multipliers_[j];
  for (std::size_t j = 0; j < size_; ++j) multipliers_[j] /= sum;
}

void CuttingPlanes::project(const Real* from, Real level, Real accuracy) {
  projecting_ = true;
  std::copy(from, from + p_.size(), from_.begin());
  begin();
  level_ = level;
  std::fill(multipliers_.begin(), multipliers_.begin() + size_, Real(0));
  const Real product = balance(1 / static_cast<Real>(2 * p_.size()));
  for (std::size_t j = 0; j < size_; ++j) {
    slacks_[j] = std::max(level_ - value(j), Real(0.1));
    multipliers_[j] = product / slacks_[j];
  }
  balance(product);
  solve(accuracy);
}

// In the middle of P.
void CuttingPlanes::begin() {
  std::fill(p_.begin(), p_.end(), static_cast<Real>(count_) / static_cast<Real>(p_.size()));
}

// Bounds' multipliers and a price that make the gradient 0 for the cuts' multipliers at hand, with
// no product of a bound and its multiplier far below the others: else, with hundreds of features,
// the first steps run into a bound, and all later ones are too short to get anywhere. Returns the
// smallest product, at least `product`.
Real CuttingPlanes::balance(Real product) {
  const Real middle = p_[0];
  for (std::size_t r = 0; r < p_.size(); ++r) {
    gradient_[r] = projecting_ ? p_[r] - from_[r] : Real(0);
  }
  for (std::size_t j = 0; j < size_; ++j) {
    add_multiple(multipliers_[j], slopes(j), gradient_.data(), p_.size());
  }
  // What the s-th smallest has: as many features are drawn to 1 as there will be.
  std::copy(gradient_.begin(), gradient_.end(), scratch_.begin());
  std::make_heap(scratch_.begin(), scratch_.end());
  std::sort_heap(scratch_.begin(), scratch_.end());
  const Real threshold = scratch_[count_ - 1];
  for (const Real gradient : gradient_) {
    const Real pull = gradient - threshold;
    const Real least = pull > 0 ? pull * middle : -pull * (1 - middle);
    product = std::max(product, Real(0.1) * least);
  }
  for (std::size_t r = 0; r < p_.size(); ++r) {
    const Real pull = gradient_[r] - threshold;
    below_[r] = product / middle + std::max(pull, Real(0));
    above_[r] = product / (1 - middle) + std::max(-pull, Real(0));
  }
  price_ = product / middle - product / (1 - middle) - threshold;
  return product;
}

void CuttingPlanes::solve(Real accuracy) {
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const Real product = mean_product();
    if (!(product > accuracy)) break;
    target_ = kCentring * product;
    linearise();
    if (!find_direction()) break;
    find_changes();
    const Real step = std::min(Real(1), kBoundary * longest_step());
    if (!(step > Real(1e-3))) break;
    move(step);
  }
}

// Of all bounds and their multipliers.
Real CuttingPlanes::mean_product() const {
  Real sum = 0;
  for (std::size_t r = 0; r < p_.size(); ++r) sum += below_[r] * p_[r] + above_[r] * (1 - p_[r]);
  for (std::size_t j = 0; j < size_; ++j) sum += multipliers_[j] * slacks_[j];
  return sum / static_cast<Real>(2 * p_.size() + size_);
}

// Gradient and inverse Hessian of the barrier function in p.
void CuttingPlanes::linearise() {
  std::fill(scratch_.begin(), scratch_.end(), price_);
  for (std::size_t j = 0; j < size_; ++j) {
    add_multiple(multipliers_[j], slopes(j), scratch_.data(), p_.size());
  }
  for (std::size_t r = 0; r < p_.size(); ++r) {
    const Real rest = 1 - p_[r];
    const Real pull = projecting_ ? p_[r] - from_[r] : Real(0);
    gradient_[r] = scratch_[r] + pull - target_ / p_[r] + target_ / rest;
    const Real hessian = below_[r] / p_[r] + above_[r] / rest + (projecting_ ? Real(1) : Real(0));
    stretch_[r] = 1 / hessian;
  }
}

// The Newton step; false if its matrix is not positive definite within rounding.
//   dp = -stretch (gradient + G'dl + dprice)
//   (G stretch G' + slack / multiplier) dl + G stretch e dprice + dlevel = right side
// with sum dp as it should be; slopes less their weighted means take dprice out, and dlevel follows
// from sum l = 1.
bool CuttingPlanes::find_direction() {
  const std::size_t m = p_.size();
  Real stretch_sum = 0;
  Real lacking = static_cast<Real>(count_);
  Real mean_gradient = 0;
  for (std::size_t r = 0; r < m; ++r) {
    stretch_sum += stretch_[r];
    lacking -= p_[r];
    mean_gradient += stretch_[r] * gradient_[r];
  }
  mean_gradient /= stretch_sum;
  for (std::size_t j = 0; j < size_; ++j) {
    means_[j] = dot(stretch_.data(), slopes(j), m) / stretch_sum;
    for (std::size_t r = 0; r < m; ++r) scratch_[r] = stretch_[r] * (slopes(j)[r] - means_[j]);
    Real along = 0;
    for (std::size_t r = 0; r < m; ++r) along += scratch_[r] * (gradient_[r] - mean_gradient);
    Real* row = factor_.row(j);
    // scratch sums to 0, so that the other cut's mean need not be taken off.
    for (std::size_t i = 0; i < j; ++i) row[i] = dot(scratch_.data(), slopes(i), m);
    Real own = 0;
    for (std::size_t r = 0; r < m; ++r) own += scratch_[r] * (slopes(j)[r] - means_[j]);
    row[j] = (own + slacks_[j] / multipliers_[j]) * (1 + 8 * kEpsilon * static_cast<Real>(size_));
    const Real residual = value(j) - level_ + slacks_[j];
    multiplier_changes_[j] =
        target_ / multipliers_[j] - slacks_[j] + residual - along + means_[j] * lacking;
    slack_changes_[j] = 1;
  }
  if (!factor_.factor(size_)) return false;
  factor_.solve(multiplier_changes_.data());
  level_change_ = 0;
  if (!projecting_) {
    factor_.solve(slack_changes_.data());
    Real excess = -1;
    Real ones = 0;
    for (std::size_t j = 0; j < size_; ++j) {
      excess += multipliers_[j] + multiplier_changes_[j];
      ones += slack_changes_[j];
    }
    level_change_ = excess / ones;
    add_multiple(-level_change_, slack_changes_.data(), multiplier_changes_.data(), size_);
  }
  // What is left of the equality.
  Real sum = 0;
  for (std::size_t j = 0; j < size_; ++j) sum += means_[j] * multiplier_changes_[j];
  price_change_ = -mean_gradient - sum - lacking / stretch_sum;
  return true;
}

// The changes of p and the slacks.
void CuttingPlanes::find_changes() {
  std::fill(scratch_.begin(), scratch_.end(), price_change_);
  for (std::size_t j = 0; j < size_; ++j) {
    add_multiple(multiplier_changes_[j], slopes(j), scratch_.data(), p_.size());
  }
  for (std::size_t r = 0; r < p_.size(); ++r) {
    p_changes_[r] = -stretch_[r] * (gradient_[r] + scratch_[r]);
  }
  for (std::size_t j = 0; j < size_; ++j) {
    slack_changes_[j] =
        (target_ - slacks_[j] * multiplier_changes_[j]) / multipliers_[j] - slacks_[j];
  }
}

// Of the multipliers of p >= 0 and p <= 1.
Real CuttingPlanes::below_change(std::size_t r) const {
  return (target_ - below_[r] * p_changes_[r]) / p_[r] - below_[r];
}
Real CuttingPlanes::above_change(std::size_t r) const {
  return (target_ + above_[r] * p_changes_[r]) / (1 - p_[r]) - above_[r];
}

// The longest step on which nothing passes its bound.
Real CuttingPlanes::longest_step() const {
  Real step = kInfinity;
  const auto limit = [&step](Real value, Real change) {
    if (change < 0) step = std::min(step, -value / change);
  };
  for (std::size_t r = 0; r < p_.size(); ++r) {
    limit(p_[r], p_changes_[r]);
    limit(1 - p_[r], -p_changes_[r]);
    limit(below_[r], below_change(r));
    limit(above_[r], above_change(r));
  }
  for (std::size_t j = 0; j < size_; ++j) {
    limit(multipliers_[j], multiplier_changes_[j]);
    limit(slacks_[j], slack_changes_[j]);
  }
  return step;
}

void CuttingPlanes::move(Real step) {
  // In single precision a step short of the bound can still round onto it.
  constexpr Real kLeast = kEpsilon / 2;
  for (std::size_t r = 0; r < p_.size(); ++r) {
    below_[r] += step * below_change(r);
    above_[r] += step * above_change(r);
    p_[r] = std::min(std::max(p_[r] + step * p_changes_[r], kLeast), 1 - kEpsilon);
  }
  for (std::size_t j = 0; j < size_; ++j) {
    multipliers_[j] += step * multiplier_changes_[j];
    slacks_[j] += step * slack_changes_[j];
  }
  price_ += step * price_change_;
  level_ += step * level_change_;
}

// In ascending order the sum depends on the values alone, not on which feature has which.
Real CuttingPlanes::least(const Real* slopes_of_cut) {
  std::copy(slopes_of_cut, slopes_of_cut + p_.size(), scratch_.begin());
  std::make_heap(scratch_.begin(), scratch_.end());
  std::sort_heap(scratch_.begin(), scratch_.end());
  Real sum = 0;
  for (std::size_t r = 0; r < count_; ++r) sum += scratch_[r];
  return sum;
}

}  // namespace whittle
