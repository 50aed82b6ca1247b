#include "whittle/select/solve/joint_sparsity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "whittle/base/lanes.h"
#include "whittle/select/solve/inverse_diagonal.h"
#include "whittle/select/solve/logistic.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {
namespace {

constexpr Real kUnit = std::numeric_limits<Real>::epsilon();
constexpr Real kSteep = Real(1e-3);  // a gradient per feature beyond which steps go on
constexpr Real kSmall = Real(1e-3);  // of the largest weight: a feature below is removed
constexpr std::uint32_t kMaxSteps = 100;
constexpr int kMaxHalvings = 40;

}  // namespace

void JointSparsity::place(Arena& arena, const MemoryConfig& config,
                          const JointSparsityParams& params) {
  const std::size_t m = config.features;
  const std::size_t n = config.capacity();
  params_ = params;
  factor_.place(arena, m);
  const Span<Real> rows = arena.array<Real>(7 * m);
  w_ = rows.subspan(0, m);
  alpha_ = rows.subspan(m, m);
  before_ = rows.subspan(2 * m, m);
  gradient_ = rows.subspan(3 * m, m);
  direction_ = rows.subspan(4 * m, m);
  part_ = rows.subspan(5 * m, m);
  product_ = rows.subspan(6 * m, m);
  features_ = arena.array<std::uint32_t>(m);
  const Span<Real> columns = arena.array<Real>(2 * n);
  outputs_ = columns.subspan(0, n);
  changes_ = columns.subspan(n, n);
  samples_.place(arena, n, params.mu, params.beta);
}

void JointSparsity::start(const StandardPoints& points, const LocalStructure& structure) {
  for (std::size_t r = 0; r < w_.size(); ++r) {
    w_[r] = 0;
    alpha_[r] = points.constant(r) ? Real(0) : Real(1);
  }
  restart(points, structure);
}

void JointSparsity::start_from(const StandardPoints& points, const LocalStructure& structure,
                               const Real* w, const Real* alpha) {
  for (std::size_t r = 0; r < w_.size(); ++r) {
    w_[r] = points.constant(r) ? Real(0) : w[r];
    alpha_[r] = points.constant(r) ? Real(0) : alpha[r];
  }
  restart(points, structure);
}

void JointSparsity::restart(const StandardPoints& points, const LocalStructure& structure) {
  points_ = &points;
  structure_ = &structure;
  kept_ = 0;
  for (std::size_t r = 0; r < w_.size(); ++r) {
    before_[r] = w_[r];
    if (alpha_[r] > 0) features_[kept_++] = static_cast<std::uint32_t>(r);
  }
  passes_ = 0;
  newton_steps_ = 0;
  converged_ = false;
  objective_ = 0;
  residual_ = 1;
}

void JointSparsity::multiply_points(const Real* x, Real* products) const {
  for (std::size_t i = 0; i < points_->size(); ++i) {
    products[i] = dot(points_->row(i), x, w_.size());
  }
}

// (10), of the kept features. False if it is small.
bool JointSparsity::find_gradient() {
  const std::size_t m = w_.size();
  multiply_points(w_.data(), outputs_.data());
  std::fill(direction_.begin(), direction_.end(), Real(0));
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const Real lambda = samples_.lambda(i);
    if (lambda == 0) continue;
    const Real t = lambda * outputs_[i];
    // 1 - sigma(t) as sigma(-t), which keeps its digits.
    const Real error = samples_.positive(i) ? sigmoid(-t) : -sigmoid(t);
    add_multiple(samples_.share(i) * lambda * error, points_->row(i), direction_.data(), m);
  }
  structure_->apply(w_.data(), product_.data());
  for (std::size_t a = 0; a < kept_; ++a) {
    const std::size_t r = features_[a];
    gradient_[a] = direction_[r] - product_[r] - alpha_[r] * w_[r];
  }
  const Real size = std::sqrt(dot(gradient_.data(), gradient_.data(), kept_));
  return size > kSteep * static_cast<Real>(kept_);
}

// A damped step along direction_. False if the objective does not rise.
bool JointSparsity::move() {
  const std::size_t m = w_.size();
  multiply_points(direction_.data(), changes_.data());
  structure_->apply(direction_.data(), product_.data());
  for (std::size_t r = 0; r < m; ++r) product_[r] += alpha_[r] * direction_[r];
  const Real slope = dot(w_.data(), product_.data(), m);
  const Real bend = dot(direction_.data(), product_.data(), m);
  Real length = 1;
  for (int halving = 0; halving < kMaxHalvings; ++halving, length *= Real(0.5)) {
    // The gain as a sum of differences: far from each other's rounding, which is the slack.
    CompensatedSum gain;
    Real size = 0;
    for (std::size_t i = 0; i < points_->size(); ++i) {
      const Real scale = samples_.positive(i) ? samples_.lambda(i) : -samples_.lambda(i);
      if (scale == 0) continue;
      const Real likely = log_sigmoid(scale * outputs_[i]);
      const Real after = log_sigmoid(scale * (outputs_[i] + length * changes_[i]));
      gain.add(samples_.share(i) * (after - likely));
      size -= likely;
    }
    gain.add(-length * (slope + length * bend / 2));
    if (!(gain.value() > -2 * kUnit * size)) continue;
    add_multiple(length, direction_.data(), w_.data(), m);
    return true;
  }
  return false;
}

// (9). False if there is nothing more to gain.
bool JointSparsity::newton_step() {
  if (newton_steps_ >= kMaxSteps || !find_gradient() || !factor_curvature(true)) return false;
  factor_.solve(gradient_.data());
  std::fill(direction_.begin(), direction_.end(), Real(0));
  for (std::size_t a = 0; a < kept_; ++a) direction_[features_[a]] = gradient_[a];
  if (!move()) return false;
  ++newton_steps_;
  return true;
}

bool JointSparsity::refit_step() { return !newton_step(); }

bool JointSparsity::step() {
  if (newton_step()) return false;
  newton_steps_ = 0;
  end_pass();
  return converged_ || passes_ >= params_.max_passes;
}

void JointSparsity::remove_small_features() {
  Real largest = 0;
  for (std::size_t r = 0; r < w_.size(); ++r) largest = std::max(largest, std::abs(w_[r]));
  std::size_t kept = 0;
  for (std::size_t a = 0; a < kept_; ++a) {
    const std::uint32_t r = features_[a];
    if (std::abs(w_[r]) < kSmall * largest) {
      w_[r] = alpha_[r] = 0;
    } else {
      features_[kept++] = r;
    }
  }
  kept_ = kept;
}

Real JointSparsity::log_likelihood() const {
  CompensatedSum sum;
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const Real t = samples_.lambda(i) * outputs_[i];
    sum.add(samples_.share(i) * log_sigmoid(samples_.positive(i) ? t : -t));
  }
  return sum.value();
}

// What follows the Newton steps of a pass.
void JointSparsity::end_pass() {
  ++passes_;
  residual_ = 1;
  remove_small_features();
  multiply_points(w_.data(), outputs_.data());
  samples_.refine(outputs_.data());
  structure_->apply(w_.data(), product_.data());
  for (std::size_t r = 0; r < w_.size(); ++r) product_[r] += alpha_[r] * w_[r];
  Real objective = log_likelihood() - dot(w_.data(), product_.data(), w_.size()) / 2;
  objective += samples_.update(outputs_.data());
  if (!factor_curvature(true)) return;
  objective -= log_determinant(factor_) / 2;
  for (std::size_t a = 0; a < kept_; ++a) {
    gradient_[a] = inverse_element(factor_, a, part_.data());  // Sigma
  }
  if (!factor_curvature(false)) return;
  objective_ = objective + log_determinant(factor_) / 2;
  for (std::size_t a = 0; a < kept_; ++a) {
    Real& alpha = alpha_[features_[a]];
    const Real w = w_[features_[a]];
    const Real g = std::max(Real(0), Real(1) / alpha - inverse_element(factor_, a, part_.data()));
    // In a place of its own until the factor has been used up.
    direction_[a] = Real(1) / (w * w + g + gradient_[a]);
  }
  for (std::size_t a = 0; a < kept_; ++a) alpha_[features_[a]] = direction_[a];
  judge_change();
  std::copy(w_.begin(), w_.end(), before_.begin());
}

void JointSparsity::judge_change() {
  Real change = 0;
  Real largest = 0;
  for (std::size_t r = 0; r < w_.size(); ++r) {
    change = std::max(change, std::abs(w_[r] - before_[r]));
    largest = std::max(largest, std::abs(w_[r]));
  }
  converged_ = change <= params_.tol * largest;
  residual_ = change == 0 ? Real(0) : largest > 0 ? change / largest : Real(1);
}

void JointSparsity::digest(Digest& digest) const {
  digest.add_all(w_.data(), w_.size());
  digest.add_all(alpha_.data(), alpha_.size());
  digest.add_all(before_.data(), before_.size());
  samples_.digest(digest);
  digest.add(passes_);
  digest.add(newton_steps_);
  digest.add(converged_);
}

}  // namespace whittle
