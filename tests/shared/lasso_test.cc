// Lasso by the gap between its objective and the dual one, which only the minimum closes; and the
// QR factors under it.
#include "whittle/select/solve/lasso.h"

#include "tests/shared/ranker_fixture.h"
#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

using Columns = std::vector<std::vector<Real>>;

double product(const std::vector<Real>& a, const Real* b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    sum += static_cast<double>(a[r]) * static_cast<double>(b[r]);
  }
  return sum;
}

// Solves in exactly the bytes asked for, and keeps what the Lasso said.
class Solved {
 public:
  Solved(const Columns& columns, const std::vector<Real>& target, Real penalty,
         std::size_t left_out = 1000)
      : bytes_(Lasso::required_bytes(target.size(), columns.size()) + 16) {
    Arena arena(bytes_.data(), bytes_.size());
    const std::size_t before = arena.left();
    lasso_.place(arena, target.size(), columns.size());
    EXPECT_EQ(before - arena.left(), Lasso::required_bytes(target.size(), columns.size()));
    std::vector<Real> lengths;
    for (const auto& column : columns) {
      lengths.push_back(std::sqrt(dot(column.data(), column.data(), column.size())));
    }
    EXPECT_TRUE(lasso_.solve(
        target.data(), penalty, columns.size(), lengths.data(),
        [&](std::size_t j) -> const Real* { return j == left_out ? nullptr : columns[j].data(); }));
  }
  const Lasso* operator->() const { return &lasso_; }

 private:
  std::vector<unsigned char> bytes_;
  Lasso lasso_;
};

// Checks that the residual is that of s, and that objective and dual objective meet.
void expect_minimum(const Columns& columns, const std::vector<Real>& target, Real penalty,
                    std::size_t left_out, double tolerance) {
  const Solved solved(columns, target, penalty, left_out);
  const double kappa = static_cast<double>(penalty);
  std::vector<double> rest(target.begin(), target.end());
  double norm = 0;  // |s|_1
  for (std::size_t a = 0; a < solved->active(); ++a) {
    const double s = static_cast<double>(solved->coefficient(a));
    EXPECT_NE(s, 0);
    EXPECT_NE(solved->member(a), left_out);
    norm += std::fabs(s);
    for (std::size_t r = 0; r < target.size(); ++r) {
      rest[r] -= s * static_cast<double>(columns[solved->member(a)][r]);
    }
  }
  const double size = std::sqrt(product(target, target.data()));
  double most = 0;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j != left_out) most = std::max(most, std::fabs(product(columns[j], solved->residual())));
  }
  // r, shrunk to fit |a_j'r| <= kappa, is a point of the dual: D = |x|^2 / 2 - |x - r|^2 / 2.
  const double shrink = most > kappa ? kappa / most : 1;
  double objective = kappa * norm, dual = size * size / 2;
  for (std::size_t r = 0; r < target.size(); ++r) {
    const double u = shrink * static_cast<double>(solved->residual()[r]);
    EXPECT_NEAR(static_cast<double>(solved->residual()[r]), rest[r], tolerance * size);
    objective += rest[r] * rest[r] / 2;
    dual -= (static_cast<double>(target[r]) - u) * (static_cast<double>(target[r]) - u) / 2;
  }
  EXPECT_LE(objective - dual, tolerance * size * size);
}

enum class Kind { gaussian, grid, near_parallel, dependent };

Columns make_columns(Random& random, std::size_t count, std::size_t rows, Kind kind) {
  Columns columns;
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<Real> column;
    for (std::size_t r = 0; r < rows; ++r) {
      const Real noise = random.uniform() + random.uniform() - Real(1);
      const Real step = static_cast<Real>(random.below(5)) - Real(2);
      if (kind == Kind::gaussian) column.push_back(noise);
      if (kind == Kind::grid) column.push_back(step);
      if (kind == Kind::near_parallel) column.push_back(Real(3) + noise / Real(4));
      if (kind == Kind::dependent) {
        column.push_back(j < 3 ? step : columns[j % 3][r] - columns[(j + 1) % 3][r]);
      }
    }
    if (kind == Kind::grid && j > 2 && random.below(4) == 0) column = columns[j / 2];
    columns.push_back(column);
  }
  return columns;
}

TEST(Lasso, ClosesTheGap) {
  Random random(1);
  for (const Kind kind : {Kind::gaussian, Kind::grid, Kind::near_parallel, Kind::dependent}) {
    for (const auto& [count, rows] : {std::pair<std::size_t, std::size_t>{1, 1},
                                      {2, 5},
                                      {9, 1},
                                      {20, 2},
                                      {30, 7},
                                      {12, 40},
                                      {60, 17}}) {
      const Columns columns = make_columns(random, count, rows, kind);
      for (std::size_t i = 0; i < count; i += 1 + count / 6) {
        Real largest = 0;
        for (std::size_t j = 0; j < count; ++j) {
          if (j == i) continue;
          largest = std::max(largest,
                             std::abs(static_cast<Real>(product(columns[j], columns[i].data()))));
        }
        for (const Real share : {Real(0.05), Real(0.5), Real(0.005)}) {
          expect_minimum(columns, columns[i], share * largest, i, kTolerance);
        }
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

// Orthogonal columns: each coefficient is its product less kappa, 0 at least.
TEST(Lasso, SoftThresholdsOrthogonalColumns) {
  const Columns columns = {{2, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  const Solved solved(columns, {3, -2, Real(0.25), 5}, Real(0.5));
  EXPECT_EQ(solved->active(), 2U);
  const Real expected[] = {Real(0.25), Real(-0.5), Real(0.25), 5};
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_NEAR(static_cast<double>(solved->residual()[r]), static_cast<double>(expected[r]),
                kTolerance);
  }
}

TEST(Lasso, TakesTheFirstOfEqualColumns) {
  const Columns columns = {{0, 1}, {1, 2}, {1, 2}, {2, 4}, {2, 4}};
  const Solved solved(columns, {1, 2}, Real(0.5));
  ASSERT_EQ(solved->active(), 1U);
  EXPECT_EQ(solved->member(0), 3U);  // the longest takes the smallest coefficient
  EXPECT_NEAR(static_cast<double>(solved->coefficient(0)), (10 - 0.5) / 20, kTolerance);
}

TEST(Lasso, LeavesTheTargetWhereNothingHelps) {
  const std::vector<Real> target = {1, 2, 3};
  const std::vector<Real> zero = {0, 0, 0};
  for (const Columns& columns : {Columns{}, Columns{zero, zero}, Columns{{2, -1, 0}}}) {
    const Solved solved(columns, target, 0);
    EXPECT_EQ(solved->active(), 0U);
    EXPECT_EQ(solved->iterations(), 0U);
    for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(solved->residual()[r], target[r]);
  }
  const Solved nothing({{1, 2, 3}}, zero, 0);
  EXPECT_EQ(nothing->active(), 0U);
  const Solved large({target}, target, 14);  // kappa = a'x
  EXPECT_EQ(large->active(), 0U);
}

// kappa = 0: least squares.
TEST(Lasso, WithoutPenaltyIsLeastSquares) {
  const Solved exact({{1, 1, 0}, {0, 1, 0}, {1, 0, 2}}, {3, 4, 2}, 0);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(static_cast<double>(exact->residual()[r]), 0, 10 * kTolerance);
  }
  const Solved line({{1, 1, 1}, {0, 1, 2}}, {1, 2, 6}, 0);
  const double expected[] = {0.5, -1, 0.5};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(static_cast<double>(line->residual()[r]), expected[r], 10 * kTolerance);
  }
}

// X of the columns still in, Q R, and Q'Q = I, after columns have come and gone.
void expect_factors(ThinQr& qr, const Columns& kept) {
  ASSERT_EQ(qr.size(), kept.size());
  for (std::size_t a = 0; a < kept.size(); ++a) {
    for (std::size_t b = 0; b < kept.size(); ++b) {
      double sum = 0;
      for (std::size_t r = 0; r < kept[a].size(); ++r) {
        sum += static_cast<double>(qr.basis(a)[r]) * static_cast<double>(qr.basis(b)[r]);
      }
      EXPECT_NEAR(sum, a == b ? 1 : 0, kTolerance);
    }
    // R^-1 Q'x is the unit vector of column a; R'(R'^-1 b) = b is seen through it.
    std::vector<Real> unit(kept.size());
    for (std::size_t b = 0; b < kept.size(); ++b) {
      unit[b] = static_cast<Real>(product(kept[a], qr.basis(b)));
    }
    std::vector<Real> other(kept.size(), 1);
    qr.solve_transposed(other.data());
    EXPECT_NEAR(product(unit, other.data()), 1, 50 * kTolerance);
    qr.solve(unit.data());
    for (std::size_t b = 0; b < kept.size(); ++b) {
      EXPECT_NEAR(static_cast<double>(unit[b]), a == b ? 1 : 0, 50 * kTolerance);
    }
  }
}

TEST(ThinQr, FactorsHoldWhileColumnsComeAndGo) {
  constexpr std::size_t kRows = 9, kMost = 6;
  std::vector<unsigned char> bytes(ThinQr::required_bytes(kRows, kMost) + 16);
  Arena arena(bytes.data(), bytes.size());
  const std::size_t before = arena.left();
  ThinQr qr;
  qr.place(arena, kRows, kMost);
  EXPECT_EQ(before - arena.left(), ThinQr::required_bytes(kRows, kMost));
  Random random(4);
  Columns kept;
  for (int i = 0; i < 200; ++i) {
    if (kept.size() == kMost || (!kept.empty() && random.below(3) == 0)) {
      const std::size_t place = random.below(static_cast<std::uint32_t>(kept.size()));
      qr.remove(place);
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      kept.push_back(make_columns(random, 1, kRows, Kind::gaussian)[0]);
      ASSERT_TRUE(qr.append(kept.back().data()));
    }
    expect_factors(qr, kept);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ThinQr, RefusesADependentColumnAndSaysWhatItIsMadeOf) {
  std::vector<unsigned char> bytes(ThinQr::required_bytes(3, 3) + 16);
  Arena arena(bytes.data(), bytes.size());
  ThinQr qr;
  qr.place(arena, 3, 3);
  const std::vector<Real> first = {1, 2, 3}, second = {3, 0, 1}, both = {-1, 4, 5},
                          zero = {0, 0, 0}, third = {1, 0, 0};
  EXPECT_FALSE(qr.append(zero.data()));
  ASSERT_TRUE(qr.append(first.data()));
  ASSERT_TRUE(qr.append(second.data()));
  ASSERT_FALSE(qr.append(both.data()));
  EXPECT_EQ(qr.size(), 2U);
  qr.solve(qr.candidate());
  EXPECT_NEAR(static_cast<double>(qr.candidate()[0]), 2, 10 * kTolerance);
  EXPECT_NEAR(static_cast<double>(qr.candidate()[1]), -1, 10 * kTolerance);
  ASSERT_TRUE(qr.append(third.data()));
  EXPECT_FALSE(qr.append(both.data()));  // no room
}

}  // namespace
}  // namespace whittle::testing
