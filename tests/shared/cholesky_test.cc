// Cholesky against products of its factor: made whole, row by row, and after changes of rank one.
#include "whittle/select/solve/cholesky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows random_rows(std::size_t count, std::size_t columns, std::uint64_t seed) {
  Random random(seed);
  Rows rows(count, std::vector<double>(columns));
  for (auto& row : rows) {
    for (double& value : row) {
      value = static_cast<double>(static_cast<Real>(random.uniform() - Real(0.5)));
    }
  }
  return rows;
}

// X X' + ridge I
Rows gram(const Rows& x, double ridge) {
  Rows a(x.size(), std::vector<double>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (std::size_t r = 0; r < x[i].size(); ++r) a[i][j] += x[i][r] * x[j][r];
    }
    a[i][i] += ridge;
  }
  return a;
}

template <typename T>
class Placed {
 public:
  explicit Placed(std::size_t capacity) : bytes_(Cholesky<T>::required_bytes(capacity)) {
    Arena arena(bytes_.data(), bytes_.size());
    factor.place(arena, capacity);
    EXPECT_EQ(arena.left(), 0U);
  }
  void write(std::size_t i, const Rows& a) {
    for (std::size_t j = 0; j <= i; ++j) factor.row(i)[j] = static_cast<T>(a[i][j]);
  }
  bool make(const Rows& a) {
    for (std::size_t i = 0; i < a.size(); ++i) write(i, a);
    return factor.factor(a.size());
  }
  // L L' is A, and solve() solves.
  void expect_factor_of(const Rows& a, double tolerance) const {
    ASSERT_EQ(factor.size(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k <= j; ++k) {
          sum += static_cast<double>(factor.row(i)[k]) * static_cast<double>(factor.row(j)[k]);
        }
        EXPECT_NEAR(sum, a[i][j], tolerance) << i << ", " << j;
      }
    }
    std::vector<T> b(a.size(), T(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) {
        b[i] += static_cast<T>(a[i][j] * static_cast<double>(j + 1));
      }
    }
    factor.solve(b.data());
    for (std::size_t j = 0; j < a.size(); ++j) {
      EXPECT_NEAR(static_cast<double>(b[j]), static_cast<double>(j + 1), 100 * tolerance) << j;
    }
  }
  Cholesky<T> factor;

 private:
  alignas(kArenaAlignment) std::vector<unsigned char> bytes_;
};

template <typename T>
class CholeskyTest : public ::testing::Test {
 protected:
  static constexpr double kClose = sizeof(T) == 4 ? 2e-5 : 1e-12;
};
using Types = ::testing::Types<Real, double>;
TYPED_TEST_SUITE(CholeskyTest, Types);

TYPED_TEST(CholeskyTest, FactorsAndSolves) {
  for (const std::size_t n : {1U, 2U, 7U, 8U, 9U, 20U}) {
    const Rows a = gram(random_rows(n, n + 3, n), 0.5);
    Placed<TypeParam> placed(n);
    ASSERT_TRUE(placed.make(a));
    placed.expect_factor_of(a, TestFixture::kClose);
  }
}

TYPED_TEST(CholeskyTest, RowsComeAndGo) {
  const std::size_t n = 12;
  Rows x = random_rows(n, 15, 3);
  Placed<TypeParam> placed(n);
  Rows held;
  Random random(4);
  placed.factor.clear();
  for (int change = 0; change < 60; ++change) {
    if (held.size() < n && (held.size() < 3 || random.below(2) == 0)) {
      held.push_back(x[random.below(n)]);
      held.back()[random.below(15)] += 1;
      placed.write(held.size() - 1, gram(held, 0.5));
      ASSERT_TRUE(placed.factor.append());
    } else {
      const std::uint32_t k = random.below(static_cast<std::uint32_t>(held.size()));
      std::vector<TypeParam> scratch(held.size());
      placed.factor.remove(k, scratch.data());
      held.erase(held.begin() + k);
    }
    placed.expect_factor_of(gram(held, 0.5), 3 * TestFixture::kClose);
  }
}

TYPED_TEST(CholeskyTest, ARowThatDependsOnTheOthersIsRefused) {
  Rows x = random_rows(5, 9, 6);
  x.push_back(x[1]);
  for (std::size_t r = 0; r < 9; ++r) x[5][r] += x[3][r];
  const Rows all = gram(x, 0);
  Placed<TypeParam> placed(6);
  ASSERT_TRUE(placed.make(gram({x.begin(), x.begin() + 5}, 0)));
  placed.write(5, all);
  EXPECT_FALSE(placed.factor.append());
  placed.expect_factor_of(gram({x.begin(), x.begin() + 5}, 0), TestFixture::kClose);
}

TYPED_TEST(CholeskyTest, UpdatesAndDowndates) {
  const std::size_t n = 10;
  const Rows x = random_rows(n, n, 8);
  Placed<TypeParam> placed(n);
  ASSERT_TRUE(placed.make(gram(x, 1)));
  const Rows changes = random_rows(6, n, 9);
  const auto vector = [&](std::size_t i) {
    std::vector<TypeParam> v;
    for (const double value : changes[i]) v.push_back(static_cast<TypeParam>(value));
    return v;
  };
  Rows wider = x;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t r = 0; r < n; ++r) wider[r].push_back(changes[i][r]);
    auto v = vector(i);
    placed.factor.update(v.data());
    placed.expect_factor_of(gram(wider, 1), TestFixture::kClose);
  }
  for (std::size_t i = 0; i < 6; ++i) {
    auto v = vector(5 - i);
    ASSERT_TRUE(placed.factor.downdate(v.data()));
  }
  placed.expect_factor_of(gram(x, 1), 2 * TestFixture::kClose);
}

TYPED_TEST(CholeskyTest, NoticesLostDefiniteness) {
  const std::size_t n = 4;
  const Rows a = gram(random_rows(n, n + 2, 11), 0.1);
  Placed<TypeParam> placed(n);
  ASSERT_TRUE(placed.make(a));
  // More than A has in this direction, or all of it.
  std::vector<TypeParam> v(n, TypeParam(0));
  v[2] = static_cast<TypeParam>(std::sqrt(a[2][2]) * 1.01);
  EXPECT_FALSE(placed.factor.downdate(v.data()));

  ASSERT_TRUE(placed.make(a));
  std::vector<TypeParam> row(n);
  for (std::size_t i = 0; i < n; ++i) row[i] = static_cast<TypeParam>(a[i][0] / std::sqrt(a[0][0]));
  EXPECT_FALSE(placed.factor.downdate(row.data()));

  Rows indefinite = a;
  indefinite[1][1] = -1;
  EXPECT_FALSE(placed.make(indefinite));
  indefinite[1][1] = std::nan("");
  EXPECT_FALSE(placed.make(indefinite));
}

}  // namespace
}  // namespace whittle::testing
