// The curvature of JointSparsity: A + B and X'EX, and its factor.
#include <limits>

#include "whittle/select/solve/joint_sparsity.h"
#include "whittle/select/solve/logistic.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {
namespace {

constexpr Real kUnit = std::numeric_limits<Real>::epsilon();
constexpr int kMaxRidges = 12;

}  // namespace

void JointSparsity::gather(const Real* full, Real* part) const {
  for (std::size_t a = 0; a < kept_; ++a) part[a] = full[features_[a]];
}

// A + B, and with the data X'EX, of the kept features, the diagonal a little larger if need be.
void JointSparsity::write_curvature(bool with_data, Real ridge) {
  for (std::size_t a = 0; a < kept_; ++a) {
    const Real* const from = structure_->row(features_[a]);
    Real* const row = factor_.row(a);
    for (std::size_t b = 0; b <= a; ++b) row[b] = from[features_[b]];
    row[a] += alpha_[features_[a]];
  }
  if (with_data) add_data();
  for (std::size_t a = 0; a < kept_; ++a) factor_.row(a)[a] *= Real(1) + ridge;
}

// X'EX to the curvature, three points at a time. What is left of the kept features of a point goes
// to vectors that nobody else needs now.
void JointSparsity::add_data() {
  Real* const room[3] = {part_.data(), direction_.data(), product_.data()};
  const Real* x[3];
  Real e[3];
  std::size_t count = 0;
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const Real lambda = samples_.lambda(i);
    if (lambda == 0) continue;
    const Real t = lambda * outputs_[i];
    e[count] = samples_.share(i) * lambda * lambda * sigmoid(t) * sigmoid(-t);
    x[count] = points_->row(i);
    if (kept_ < w_.size()) {
      gather(x[count], room[count]);
      x[count] = room[count];
    }
    if (++count < 3) continue;
    count = 0;
    for (std::size_t a = 0; a < kept_; ++a) {
      add_three_multiples(e[0] * x[0][a], x[0], e[1] * x[1][a], x[1], e[2] * x[2][a], x[2],
                          factor_.row(a), a + 1);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t a = 0; a < kept_; ++a) {
      add_multiple(e[k] * x[k][a], x[k], factor_.row(a), a + 1);
    }
  }
}

// Its factor. False if it has none, which takes weights beyond all bounds.
bool JointSparsity::factor_curvature(bool with_data) {
  Real ridge = 0;
  for (int attempt = 0; attempt < kMaxRidges; ++attempt) {
    write_curvature(with_data, ridge);
    if (factor_.factor(kept_)) return true;
    ridge = ridge == 0 ? 16 * kUnit : 4 * ridge;
  }
  return false;
}

}  // namespace whittle
