#include "whittle/select/solve/lasso.h"

namespace whittle {

void Lasso::place(Arena& arena, std::size_t rows, std::size_t columns) {
  const std::size_t most = most_active(rows, columns);
  qr_.place(arena, rows, most);
  const Span<Real> places = arena.array<Real>(4 * most);
  coefficients_ = places.subspan(0, most);
  signs_ = places.subspan(most, most);
  goals_ = places.subspan(2 * most, most);
  multipliers_ = places.subspan(3 * most, most);
  residual_ = arena.array<Real>(rows);
  members_ = arena.array<std::uint32_t>(most);
  states_ = arena.array<std::uint32_t>(columns);
}

void Lasso::start(const Real* target, Real penalty, std::size_t count) {
  const std::size_t rows = residual_.size();
  target_ = target;
  penalty_ = penalty;
  iterations_ = 0;
  round_ = 1;
  qr_.clear();
  std::copy(target, target + rows, residual_.begin());
  std::fill(states_.begin(), states_.begin() + count, 0U);
}

// Takes column j into the set with this sign, and moves to the minimum. A column that rounding
// alone made look worth it does not stay, and is left aside until another one has entered.
void Lasso::enter(std::uint32_t j, const Real* column, Real sign) {
  Real coefficient = 0;
  bool independent = qr_.append(column);
  while (!independent && exchange(sign, &coefficient)) independent = qr_.append(column);
  states_[j] = round_;
  if (independent) {
    const std::size_t place = qr_.size() - 1;
    coefficients_[place] = coefficient;
    signs_[place] = sign;
    members_[place] = j;
    states_[j] = kActive;
  }
  settle();
  if (states_[j] == kActive) ++round_;
}

// The candidate of qr_ is a sum of w_a times the columns of the set. Gives it as much of a
// coefficient as it takes, with the residual unchanged, to bring the first of the others to 0, and
// drops that one. |s|_1 falls all the way, since the candidate's |a_j'r| > kappa. Returns false if
// none comes nearer to 0.
bool Lasso::exchange(Real sign, Real* coefficient) {
  Real* w = qr_.candidate();
  qr_.solve(w);
  Real step = 0;
  std::size_t leaving = qr_.size();
  for (std::size_t a = 0; a < qr_.size(); ++a) {
    const Real rate = sign * w[a];
    if (!(rate * signs_[a] > 0)) continue;
    const Real length = std::max(coefficients_[a] / rate, Real(0));
    if (leaving < qr_.size() && !(length < step)) continue;
    step = length;
    leaving = a;
  }
  if (leaving == qr_.size()) return false;
  for (std::size_t a = 0; a < qr_.size(); ++a) coefficients_[a] -= step * sign * w[a];
  *coefficient += step * sign;
  drop(leaving);
  return true;
}

// Moves to the minimum over the set, dropping on the way each column whose coefficient comes to 0.
void Lasso::settle() {
  for (;;) {
    aim();
    Real step = 1;
    std::size_t leaving = qr_.size();
    for (std::size_t a = 0; a < qr_.size(); ++a) {
      if (signs_[a] * goals_[a] > 0) continue;
      const Real way = coefficients_[a] - goals_[a];
      const Real part = way != 0 ? std::max(coefficients_[a] / way, Real(0)) : Real(0);
      if (leaving < qr_.size() && !(part < step)) continue;
      step = part;
      leaving = a;
    }
    if (leaving == qr_.size()) break;
    for (std::size_t a = 0; a < qr_.size(); ++a) {
      coefficients_[a] += step * (goals_[a] - coefficients_[a]);
    }
    drop(leaving);
  }
  for (std::size_t a = 0; a < qr_.size(); ++a) {
    coefficients_[a] = goals_[a];
    add_multiple(penalty_ * multipliers_[a], qr_.basis(a), residual_.data(), residual_.size());
  }
}

// The minimum over the set with its signs: R s = Q'x - kappa R'^-1 signs. Leaves x - Q Q'x in the
// residual.
void Lasso::aim() {
  const std::size_t rows = residual_.size();
  std::copy(target_.get(), target_.get() + rows, residual_.begin());
  for (std::size_t a = 0; a < qr_.size(); ++a) {
    goals_[a] = dot(qr_.basis(a), residual_.data(), rows);
    add_multiple(-goals_[a], qr_.basis(a), residual_.data(), rows);
    multipliers_[a] = signs_[a];
  }
  qr_.solve_transposed(multipliers_.data());
  for (std::size_t a = 0; a < qr_.size(); ++a) goals_[a] -= penalty_ * multipliers_[a];
  qr_.solve(goals_.data());
}

void Lasso::drop(std::size_t place) {
  states_[members_[place]] = 0;
  qr_.remove(place);
  for (std::size_t a = place; a < qr_.size(); ++a) {
    coefficients_[a] = coefficients_[a + 1];
    signs_[a] = signs_[a + 1];
    members_[a] = members_[a + 1];
  }
}

}  // namespace whittle
