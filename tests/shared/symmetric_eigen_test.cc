// SymmetricEigen: eigenvalues and eigenvectors put together again, and matrices whose eigenvalues
// are known.
#include "whittle/select/solve/symmetric_eigen.h"

#include <algorithm>

#include "tests/shared/ranker_fixture.h"
#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

using Triangle = std::vector<Real>;  // lower, by rows

Real& at(Triangle& a, std::size_t i, std::size_t j) {
  return i < j ? a[j * (j + 1) / 2 + i] : a[i * (i + 1) / 2 + j];
}

// SymmetricEigen in exactly the bytes that it asks for.
class Solver {
 public:
  Solver(std::size_t rows, std::size_t vectors)
      : bytes_(SymmetricEigen::required_bytes(rows, vectors) + 16) {
    Arena arena(bytes_.data(), bytes_.size());
    const std::size_t before = arena.left();
    eigen_.place(arena, rows, vectors);
    EXPECT_EQ(before - arena.left(), SymmetricEigen::required_bytes(rows, vectors));
  }
  SymmetricEigen* operator->() { return &eigen_; }

 private:
  std::vector<unsigned char> bytes_;
  SymmetricEigen eigen_;
};

std::vector<Real> unit_vectors(std::size_t n) {
  std::vector<Real> unit(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) unit[i * n + i] = 1;
  return unit;
}

// A = Q diag(lambda) Q' and Q'Q = I, with Q' what has become of the unit vectors. Errors relative
// to the largest element.
void expect_decomposed(Triangle a, std::size_t n, double tolerance) {
  const Triangle original = a;
  Triangle kept = original;
  double largest = 0;
  for (const Real x : original) largest = std::max(largest, std::fabs(static_cast<double>(x)));
  std::vector<Real> q = unit_vectors(n);
  Solver solver(n, n);
  ASSERT_TRUE(solver->solve(n, a.data(), q.data(), n));
  ASSERT_EQ(solver->values().size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double whole = 0, product = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double term = static_cast<double>(q[k * n + i]) * static_cast<double>(q[k * n + j]);
        whole += term * static_cast<double>(solver->values()[k]);
        product += static_cast<double>(q[i * n + k]) * static_cast<double>(q[j * n + k]);
      }
      EXPECT_NEAR(whole, static_cast<double>(at(kept, i, j)), tolerance * largest) << i << " " << j;
      EXPECT_NEAR(product, i == j ? 1 : 0, tolerance) << i << " " << j;
    }
  }
}

TEST(SymmetricEigen, PutsRandomMatricesTogetherAgain) {
  Random random(1);
  for (std::size_t n = 1; n <= 24; ++n) {
    Triangle a(n * (n + 1) / 2);
    for (Real& x : a) x = random.uniform() - Real(0.5);
    expect_decomposed(a, n, kTolerance / 2);
  }
}

TEST(SymmetricEigen, PutsSpecialMatricesTogetherAgain) {
  constexpr std::size_t n = 12;
  const Triangle zero(n * (n + 1) / 2, 0);
  expect_decomposed(zero, n, kTolerance);
  Triangle ones(zero.size(), 1);  // rank 1
  expect_decomposed(ones, n, kTolerance);
  Triangle diagonal = zero;
  for (std::size_t i = 0; i < n; ++i) at(diagonal, i, i) = static_cast<Real>(i % 3);
  expect_decomposed(diagonal, n, kTolerance);
  Triangle blocks = zero;  // three equal blocks: every eigenvalue three times
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i / 4 * 4; j <= i; ++j) at(blocks, i, j) = Real(1) / Real(3);
  }
  expect_decomposed(blocks, n, kTolerance);
  Random random(2);
  Triangle graded = zero;  // elements from 1 down to 1e-10
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Real scale = Real(std::pow(10.0, -0.5 * static_cast<double>(i + j) / 1.1));
      at(graded, i, j) = (random.uniform() - Real(0.5)) * scale;
    }
  }
  expect_decomposed(graded, n, kTolerance);
  Triangle tiny = ones;
  for (Real& x : tiny) x = Real(1e-30) * (random.uniform() + Real(0.1));
  expect_decomposed(tiny, n, kTolerance);
}

// 2 on the diagonal, -1 beside it: 2 - 2 cos(k pi / (n + 1)), k = 1..n.
TEST(SymmetricEigen, KnownEigenvalues) {
  for (const std::size_t n : {2U, 3U, 17U, 40U}) {
    Triangle a(n * (n + 1) / 2, 0);
    for (std::size_t i = 0; i < n; ++i) {
      at(a, i, i) = 2;
      if (i > 0) at(a, i, i - 1) = -1;
    }
    Solver solver(n, 0);
    ASSERT_TRUE(solver->solve(n, a.data(), nullptr, 0));
    std::vector<Real> values(solver->values().begin(), solver->values().end());
    std::sort(values.begin(), values.end());
    for (std::size_t k = 0; k < n; ++k) {
      const double angle =
          static_cast<double>(k + 1) / static_cast<double>(n + 1) * std::acos(-1.0);
      EXPECT_NEAR(static_cast<double>(values[k]), 2 - 2 * std::cos(angle), kTolerance / 2) << k;
    }
  }
}

// Products with an eigenvector are accurate relative to the vector, whatever lies beside it, and
// one that is not finite leaves the others alone.
TEST(SymmetricEigen, EachVectorStandsAlone) {
  constexpr std::size_t n = 9;
  Random random(3);
  Triangle a(n * (n + 1) / 2);
  for (Real& x : a) x = random.uniform();
  std::vector<Real> pair(n * 2), single(n);
  for (std::size_t i = 0; i < n; ++i) {
    single[i] = random.uniform();
    pair[2 * i] = single[i];
    pair[2 * i + 1] = i == 4 ? kNoScore : Real(1e30);
  }
  Triangle b = a;
  Solver solver(n, 2);
  ASSERT_TRUE(solver->solve(n, a.data(), pair.data(), 2));
  ASSERT_TRUE(solver->solve(n, b.data(), single.data(), 1));
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(pair[2 * i], single[i]);
    EXPECT_FALSE(has_score(pair[2 * i + 1]));
  }
}

// It comes to an end, and does not pass for an answer.
TEST(SymmetricEigen, WhatIsNotFiniteShows) {
  for (const Real odd : {kNoScore, kInfinity, -kInfinity}) {
    for (std::size_t place = 0; place < 15; ++place) {
      Triangle a(15, 1);
      a[place] = odd;
      Solver solver(5, 0);
      solver->solve(5, a.data(), nullptr, 0);
      const auto values = solver->values();
      EXPECT_FALSE(std::all_of(values.begin(), values.end(), [](Real value) {
        return std::isfinite(value);
      })) << place;
    }
  }
}

}  // namespace
}  // namespace whittle::testing
