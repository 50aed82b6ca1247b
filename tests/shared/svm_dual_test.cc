// SvmDual against an interior-point method in double precision.
#include "whittle/select/solve/svm_dual.h"

#include <gtest/gtest.h>

#include "tests/shared/svm_reference.h"
#include "whittle/base/random.h"

namespace whittle::testing {
namespace {

struct Problem {
  Matrix kernel;
  std::vector<int> y;
  double c = 1;
};

double normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.uniform());
  return sum;
}

// `gap`: distance of the classes along the first feature; `decades`: over how many the lengths of
// the features spread; `single`: the kernel is rounded to Real.
Problem make_problem(std::uint64_t seed, std::size_t l, std::size_t m, double gap, double decades,
                     double c, bool single = true) {
  Random random(seed);
  Problem problem;
  problem.c = c;
  std::vector<Vector> x(l, Vector(m));
  for (std::size_t i = 0; i < l; ++i) {
    problem.y.push_back(i == 0 || (i > 1 && random.below(2) == 0) ? 1 : -1);
    for (std::size_t r = 0; r < m; ++r) {
      const double length =
          std::pow(10, -decades * static_cast<double>(r) / static_cast<double>(m));
      x[i][r] = length * (normal(random) + (r == 0 ? gap * problem.y[i] : 0));
    }
  }
  Vector mean(m, 0);
  for (const Vector& point : x) {
    for (std::size_t r = 0; r < m; ++r) mean[r] += point[r] / static_cast<double>(l);
  }
  problem.kernel.assign(l, Vector(l, 0));
  for (std::size_t i = 0; i < l; ++i) {
    for (std::size_t j = 0; j < l; ++j) {
      double product = 0;
      for (std::size_t r = 0; r < m; ++r) product += (x[i][r] - mean[r]) * (x[j][r] - mean[r]);
      problem.kernel[i][j] = single ? static_cast<double>(static_cast<Real>(product)) : product;
    }
  }
  return problem;
}

template <typename T>
class Solver {
 public:
  explicit Solver(std::size_t capacity)
      : bytes_(SvmDual<T>::required_bytes(capacity) + 8), arena_(bytes_.data(), bytes_.size()) {
    svm_.place(arena_, capacity);
  }
  // Returns the iterations it took.
  int solve(const Problem& problem) {
    svm_.resize(problem.y.size(), static_cast<T>(problem.c));
    for (std::size_t i = 0; i < problem.y.size(); ++i) {
      svm_.set_positive(i, problem.y[i] > 0);
      for (std::size_t j = 0; j <= i; ++j) {
        svm_.kernel_row(i)[j] = static_cast<T>(problem.kernel[i][j]);
      }
    }
    svm_.start();
    int iterations = 1;
    while (!svm_.iterate()) ++iterations;
    return iterations;
  }
  SvmDual<T>& svm() { return svm_; }

 private:
  std::vector<unsigned char> bytes_;
  Arena arena_;
  SvmDual<T> svm_;
};

template <typename T>
void expect_solution(const Problem& problem, const SvmDual<T>& svm, double tolerance) {
  const std::size_t l = problem.y.size();
  const SvmReference reference = svm_reference(problem.kernel, problem.y, problem.c);
  double objective = 0;
  double sum = 0;
  double size = 0;
  for (std::size_t i = 0; i < l; ++i) {
    const auto u = static_cast<double>(svm.duals()[i]);
    EXPECT_GE(u * problem.y[i], 0);
    EXPECT_LE(u * problem.y[i], static_cast<double>(static_cast<T>(problem.c)));
    double product = 0;
    for (std::size_t j = 0; j < l; ++j) {
      product += problem.kernel[i][j] * static_cast<double>(svm.duals()[j]);
    }
    objective += u * (problem.y[i] - product / 2);
    sum += u;
    size += std::fabs(u);
  }
  EXPECT_NEAR(sum, 0, (sizeof(T) == 4 ? 1e-6 : 1e-14) * size);
  EXPECT_NEAR(objective, reference.objective, tolerance * reference.objective);
  EXPECT_NEAR(static_cast<double>(svm.objective()), reference.objective,
              tolerance * reference.objective);
  EXPECT_GE(svm.gap(), T(0));
  EXPECT_LE(static_cast<double>(svm.gap()), 10 * tolerance * reference.objective);
}

constexpr double kSolved = sizeof(Real) == 4 ? 2e-5 : 1e-10;

TEST(SvmDual, EqualsInteriorPointMethod) {
  std::uint64_t seed = 0;
  for (const std::size_t l : {2U, 3U, 9U, 20U}) {
    for (const std::size_t m : {1U, 4U, 30U}) {
      for (const double c : {0.01, 1.0, 100.0}) {
        const Problem problem = make_problem(++seed, l, m, 0.5, 1, c);
        SCOPED_TRACE(::testing::Message() << "l " << l << ", m " << m << ", C " << c);
        Solver<Real> solver(l);
        solver.solve(problem);
        expect_solution(problem, solver.svm(), kSolved);
      }
    }
  }
}

// Lengths over four decades and a large C: pairs alone would take thousands of moves.
TEST(SvmDual, IllConditionedKernelsTakeFewIterations) {
  std::uint64_t seed = 40;
  for (const double gap : {0.1, 1.0}) {
    for (const double decades : {2.0, 4.0}) {
      const Problem problem = make_problem(++seed, 24, 16, gap, decades, 100);
      SCOPED_TRACE(::testing::Message() << "gap " << gap << ", decades " << decades);
      Solver<Real> solver(24);
      EXPECT_LE(solver.solve(problem), 40);
      expect_solution(problem, solver.svm(), sizeof(Real) == 4 ? 1e-3 : 1e-9);
    }
  }
}

// As raw data have it: values up to 1000, and classes that overlap. Rounding the kernel to single
// precision, let alone its products, would move the objective by percents.
TEST(SvmDual, DoubleSolvesKernelsOfLargeValues) {
  for (const std::uint64_t seed : {60U, 61U}) {
    Problem problem = make_problem(seed, 24, 6, 0.2, 3, 1, false);
    for (Vector& row : problem.kernel) {
      for (double& value : row) value *= 1e6;
    }
    Solver<double> solver(24);
    EXPECT_LE(solver.solve(problem), 40);
    expect_solution(problem, solver.svm(), 1e-7);
  }
}

TEST(SvmDual, StartsFromTheSolutionOfANeighbouringProblem) {
  const Problem problem = make_problem(7, 20, 8, 0.5, 1, 1);
  Solver<Real> solver(20);
  const int cold = solver.solve(problem);
  EXPECT_LE(solver.solve(problem), 2) << "its own solution";
  solver.svm().duals()[3] = 0;  // as if another point had come in its place
  solver.svm().duals()[11] = 0;
  EXPECT_LE(solver.solve(problem), cold);
  expect_solution(problem, solver.svm(), kSolved);
}

TEST(SvmDual, AnyNumbersMayStandInTheDualsAtTheStart) {
  const Problem problem = make_problem(8, 12, 4, 0.5, 1, 1);
  for (const Real number : {Real(1e30), Real(-1e30), kInfinity, kNoScore, Real(-0.5)}) {
    Solver<Real> solver(12);
    for (std::size_t i = 0; i < 12; ++i) solver.svm().duals()[i] = i % 3 == 0 ? number : Real(0.1);
    solver.solve(problem);
    expect_solution(problem, solver.svm(), kSolved);
  }
}

TEST(SvmDual, EqualPointsOfBothClassesHaveTheWholePrice) {
  Problem problem;
  problem.kernel.assign(4, Vector(4, 0));
  problem.y = {1, 1, -1, 1};
  problem.c = 0.25;
  Solver<Real> solver(4);
  solver.solve(problem);
  EXPECT_EQ(solver.svm().objective(), Real(0.5));  // one pair at C
  EXPECT_EQ(solver.svm().gap(), Real(0));
  EXPECT_EQ(solver.svm().bias(), Real(1));  // the larger class
}

TEST(SvmDual, EndsWhereProductsOverflow) {
  Problem problem = make_problem(9, 6, 3, 0.5, 0, 1);
  for (Vector& row : problem.kernel) {
    for (double& value : row) value = value > 0 ? 1e300 : -1e300;
  }
  Solver<Real> solver(6);
  EXPECT_LE(solver.solve(problem), 29);
}

}  // namespace
}  // namespace whittle::testing
