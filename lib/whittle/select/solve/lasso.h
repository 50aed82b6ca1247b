// Lasso: min over s of 1/2 |x - sum_j s_j a_j|^2 + kappa |s|_1, exactly, by an active set.
//
// The columns with s_j != 0 are kept as a ThinQr. While some other column has |a_j'r| > kappa, r
// the residual, the one with the largest enters, and s goes straight to the minimum over the set
// with its signs, a linear system; where a coefficient would change its sign on the way, the path
// stops and that column leaves. A column that depends on the set enters in exchange for one of it.
// So correlated columns, on which coordinate descent takes thousands of sweeps, cost nothing more,
// and the end is the minimum to rounding, not to a tolerance: a_j'r = kappa sign(s_j) on the set,
// |a_j'r| <= kappa + 2 epsilon |a_j| |x| elsewhere, more only among ties. s need not be unique, r
// is.
//
// Cost: an iteration reads all n columns once, and k vectors of the set about six times: (n + 6 k)
// m multiplications and additions. There are mostly k to 2 k of them, 20 (K + 10) at most. Memory,
// K = min(m, n) the largest set: ThinQr, 4 K + m Reals, 4 K + 4 n bytes.
#ifndef WHITTLE_SELECT_SOLVE_LASSO_H_
#define WHITTLE_SELECT_SOLVE_LASSO_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "whittle/base/arena.h"
#include "whittle/base/placed_pointer.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/select/solve/thin_qr.h"
#include "whittle/select/solve/vectors.h"

namespace whittle {

class Lasso {
 public:
  static constexpr std::size_t most_active(std::size_t rows, std::size_t columns) {
    return std::min(rows, columns);
  }
  static constexpr std::size_t required_bytes(std::size_t rows, std::size_t columns) {
    const std::size_t most = most_active(rows, columns);
    return ByteCount{}
        .bytes(ThinQr::required_bytes(rows, most))
        .array<Real>(most, 4)
        .array<Real>(rows)
        .array<std::uint32_t>(most)
        .array<std::uint32_t>(columns)
        .total();
  }
  void place(Arena& arena, std::size_t rows, std::size_t columns);

  // Solves for a target x of m elements and n columns, kappa >= 0; columns(j) gives the m elements
  // of column j, or nullptr for one that takes no part, lengths[j] is |a_j|. Returns whether the
  // minimum was reached; the residual is in any case that of the s it came to.
  template <typename Columns>
  bool solve(const Real* target, Real penalty, std::size_t count, const Real* lengths,
             Columns columns);

  const Real* residual() const { return residual_.data(); }  // x - sum_j s_j a_j
  std::uint32_t iterations() const { return iterations_; }   // of the last solve
  // The columns with s_j != 0, in the order in which they came in.
  std::size_t active() const { return qr_.size(); }
  std::uint32_t member(std::size_t a) const { return members_[a]; }
  Real coefficient(std::size_t a) const { return coefficients_[a]; }

 private:
  // Of a column: in the set, or the round in which it was last turned away.
  static constexpr std::uint32_t kActive = std::numeric_limits<std::uint32_t>::max();

  void start(const Real* target, Real penalty, std::size_t count);
  void enter(std::uint32_t j, const Real* column, Real sign);
  bool exchange(Real sign, Real* coefficient);
  void settle();
  void aim();
  void drop(std::size_t place);

  PlacedPointer<const Real> target_;
  Real penalty_ = 0;
  std::uint32_t iterations_ = 0;
  std::uint32_t round_ = 0;  // counts the columns that entered, from 1
  ThinQr qr_;
  Span<Real> coefficients_;  // of the set, by place in qr_: s_j
  Span<Real> signs_;         // their signs, 1 or -1
  Span<Real> goals_;         // the minimum over the set with these signs
  Span<Real> multipliers_;   // R'^-1 signs
  Span<Real> residual_;
  Span<std::uint32_t> members_;  // column numbers of the set
  Span<std::uint32_t> states_;   // by column
};

template <typename Columns>
bool Lasso::solve(const Real* target, Real penalty, std::size_t count, const Real* lengths,
                  Columns columns) {
  const std::size_t rows = residual_.size();
  start(target, penalty, count);
  // What rounding may add to a product, relative to the lengths. On tied columns rounding can also
  // send the set in circles; taking it for larger and larger ends that.
  Real slack =
      Real(2) * std::numeric_limits<Real>::epsilon() * std::sqrt(dot(target, target, rows));
  const std::size_t usual = 2 * (goals_.size() + 10);
  for (; iterations_ < 10 * usual; ++iterations_) {
    if (iterations_ != 0 && iterations_ % usual == 0) slack *= Real(2);
    Real most = 0;
    Real sign = 1;
    std::size_t best = count;
    for (std::size_t j = 0; j < count; ++j) {
      if (states_[j] == kActive || states_[j] == round_) continue;
      const Real* column = columns(j);
      if (column == nullptr) continue;
      const Real product = dot(column, residual_.data(), rows);
      const Real excess = std::abs(product) - penalty;
      if (!(excess > most) || !(excess > slack * lengths[j])) continue;
      most = excess;
      sign = product < 0 ? Real(-1) : Real(1);
      best = j;
    }
    if (best == count) return true;
    enter(static_cast<std::uint32_t>(best), columns(best), sign);
  }
  return false;
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LASSO_H_
