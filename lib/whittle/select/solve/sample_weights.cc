#include "whittle/select/solve/sample_weights.h"

#include <cmath>
#include <limits>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"
#include "whittle/select/solve/logistic.h"

namespace whittle {
namespace {

constexpr Real kUnit = std::numeric_limits<Real>::epsilon();
constexpr Real kSteep = Real(1e-3);  // a gradient per point beyond which steps go on
constexpr Real kIdle = Real(1e-3);   // a weight below which a point is removed
constexpr int kMaxSteps = 100;
constexpr int kMaxHalvings = 40;

}  // namespace

void SampleWeights::place(Arena& arena, std::size_t capacity, Real mu, Real beta) {
  mu_ = mu;
  beta_ = beta;
  const Span<Real> rows = arena.array<Real>(3 * capacity);
  lambdas_ = rows.subspan(0, capacity);
  precisions_ = rows.subspan(capacity, capacity);
  direction_ = rows.subspan(2 * capacity, capacity);
  kinds_ = arena.array<std::uint8_t>(capacity);
}

void SampleWeights::set(std::size_t i, bool labelled, bool positive) {
  lambdas_[i] = precisions_[i] = Real(1);
  kinds_[i] = static_cast<std::uint8_t>((labelled ? kLabelled : 0) | (positive ? kPositive : 0));
}

void SampleWeights::set_weight(std::size_t i, Real lambda) {
  lambdas_[i] = lambda;
  if (lambda == 0) kinds_[i] = static_cast<std::uint8_t>(kinds_[i] | kRemoved);
}

Real SampleWeights::hessian(std::size_t i, Real product) const {
  const Real p = sigmoid(lambdas_[i] * product);
  const Real edge = sigmoid(beta_ * lambdas_[i]);
  return mu_ * product * product * p * (Real(1) - p) + precisions_[i] +
         beta_ * beta_ * edge * (Real(1) - edge);
}

// False if the gradient is small.
bool SampleWeights::find_direction(const Real* products) {
  Real squares = 0;
  std::size_t adapting = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (!adapts(i)) continue;
    ++adapting;
    // 1 - sigma(t) as sigma(-t), which keeps its digits.
    const Real t = sign(i) * products[i];
    const Real gradient = mu_ * t * sigmoid(-t * lambdas_[i]) - precisions_[i] * lambdas_[i] +
                          beta_ * sigmoid(-beta_ * lambdas_[i]);
    squares += gradient * gradient;
    direction_[i] = gradient / hessian(i, products[i]);
  }
  return adapting > 0 && std::sqrt(squares) > kSteep * static_cast<Real>(adapting);
}

// One damped step. False if the objective does not rise.
bool SampleWeights::move(const Real* products) {
  Real length = 1;
  for (int halving = 0; halving < kMaxHalvings; ++halving, length *= Real(0.5)) {
    // The gain as a sum of differences: far from each other's rounding, which is the slack.
    CompensatedSum gain;
    Real size = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!adapts(i)) continue;
      const Real t = sign(i) * products[i];
      const Real step = length * direction_[i];
      const Real likely = log_sigmoid(t * lambdas_[i]);
      const Real edge = log_sigmoid(beta_ * lambdas_[i]);
      gain.add(mu_ * (log_sigmoid(t * (lambdas_[i] + step)) - likely));
      gain.add(log_sigmoid(beta_ * (lambdas_[i] + step)) - edge);
      gain.add(-precisions_[i] * step * (lambdas_[i] + step / 2));
      size -= likely + edge;
    }
    if (!(gain.value() > -2 * kUnit * size)) continue;
    for (std::size_t i = 0; i < size_; ++i) {
      if (adapts(i)) lambdas_[i] += length * direction_[i];
    }
    return true;
  }
  return false;
}

void SampleWeights::remove_idle() {
  for (std::size_t i = 0; i < size_; ++i) {
    if (adapts(i) && lambdas_[i] < kIdle) set_weight(i, 0);
  }
}

void SampleWeights::refine(const Real* products) {
  for (int step = 0; step < kMaxSteps && find_direction(products); ++step) {
    if (!move(products)) break;
  }
  remove_idle();
}

Real SampleWeights::update(const Real* products) {
  CompensatedSum terms;
  for (std::size_t i = 0; i < size_; ++i) {
    if (!adapts(i)) continue;
    const Real lambda = lambdas_[i];
    const Real h = hessian(i, products[i]);
    terms.add(whittle::log(Real(2)) + log_sigmoid(beta_ * lambda));
    terms.add(-precisions_[i] * lambda * lambda / 2);
    terms.add(whittle::log(precisions_[i] / h) / 2);
    precisions_[i] = Real(1) / (lambda * lambda + Real(1) / h);
  }
  return terms.value();
}

}  // namespace whittle
