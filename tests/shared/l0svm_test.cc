// L0SVM against the same rounds on an interior-point method in double precision, after prefixes of
// streams, and what streaming adds.
#include "whittle/select/l0svm.h"

#include "tests/shared/margin_streams.h"
#include "tests/shared/svm_reference.h"

namespace whittle::testing {
namespace {

struct Rounds {
  Vector z;
  double objective = 0;
  int rounds = 0;
  bool converged = false;
};

Rounds arom(const LabelledProblem& problem, double c) {
  const std::vector<Vector>& x = problem.x;
  const std::size_t m = x[0].size();
  Rounds result;
  result.z.assign(m, 1);
  while (!result.converged && result.rounds < 100) {
    Matrix kernel(x.size(), Vector(x.size(), 0));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        for (std::size_t r = 0; r < m; ++r) {
          kernel[i][j] += result.z[r] * result.z[r] * x[i][r] * x[j][r];
        }
      }
    }
    const SvmReference svm = svm_reference(kernel, problem.y, c);
    Vector next(m, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t r = 0; r < m; ++r) next[r] += svm.u[i] * x[i][r];
    }
    double largest = 0;
    for (std::size_t r = 0; r < m; ++r) {
      next[r] = std::fabs(next[r]) * result.z[r] * result.z[r];
      largest = std::max(largest, next[r]);
    }
    double change = 0;
    for (std::size_t r = 0; r < m; ++r) {
      next[r] /= largest;
      if (!(next[r] >= 1e-9)) next[r] = 0;
      change = std::max(change, std::fabs(next[r] - result.z[r]));
    }
    result.z = next;
    result.objective = svm.objective;
    result.converged = change <= 1e-6;
    ++result.rounds;
  }
  return result;
}

struct Answer {
  Vector scores;  // NaN where there is none
  Vector objectives;
  int rounds = 0;
};

// One-vs-rest as docs/methods.md has it; empty if there are not two classes.
Answer answer_for(const std::vector<Point>& points) {
  Answer answer;
  for (const int positive : positive_classes(points)) {
    const Rounds rounds = arom(labelled_problem(points, positive), 1);
    answer.objectives.push_back(rounds.objective);
    answer.rounds += rounds.rounds;
    answer.scores.resize(rounds.z.size(), 0);
    for (std::size_t r = 0; r < rounds.z.size(); ++r) {
      answer.scores[r] = std::max(answer.scores[r], rounds.z[r]);
      if (is_constant_feature(points, r)) answer.scores[r] = no_score();
    }
  }
  return answer;
}

std::vector<MarginCase> cases() {
  return {
      {1, 60, 6, 2, 12, 8, Real(1), Real(0.4)},    // evicts both kinds
      {2, 60, 7, 3, 15, 6, Real(1.5), Real(0.5)},  // one-vs-rest
      {3, 30, 1, 2, 20, 4, Real(0.7), Real(1)},    // one feature, all labelled
      {4, 30, 20, 2, 8, 8, Real(2.5), Real(0.5)},  // separable, more features than points
      {5, 50, 5, 2, 16, 4, Real(0.5), Real(0.7)},  // far from separable
      {6, 40, 6, 2, 10, 6, Real(1.5), Real(0.5), 0, Real(0.2)},
      {7, 40, 6, 2, 12, 6, Real(1.5), Real(0.5), Real(1024)},
  };
}

void expect_answer(FeatureRanker& ranker, const Answer& expected, double tolerance) {
  ASSERT_TRUE(ranker.rank(0).ok());
  // The change that ends the rounds is of the size of rounding in single precision.
  EXPECT_NEAR(info_of(ranker, "iterations"), expected.rounds, sizeof(Real) == 4 ? 3 : 0);
  EXPECT_EQ(info_of(ranker, "converged"), 1);
  EXPECT_GE(info_of(ranker, "gap"), 0);
  EXPECT_LE(info_of(ranker, "gap"), tolerance);
  EXPECT_LE(info_of(ranker, "residual"), 1e-6);
  for (std::size_t r = 0; r < expected.scores.size(); ++r) {
    const auto score = static_cast<double>(ranker.ranking().scores()[r]);
    EXPECT_EQ(ranker.ranking().selected()[r], score > 0) << r;
    if (std::isnan(expected.scores[r])) {
      EXPECT_TRUE(std::isnan(score)) << r;
    } else {
      EXPECT_NEAR(score, expected.scores[r], tolerance) << r;
    }
  }
  const Vector objectives = objectives_of(ranker);
  ASSERT_EQ(objectives.size(), expected.objectives.size());
  for (std::size_t p = 0; p < objectives.size(); ++p) {
    EXPECT_NEAR(objectives[p], expected.objectives[p], tolerance * expected.objectives[p]);
  }
}

constexpr double kRounds = sizeof(Real) == 4 ? 1e-3 : 1e-6;

TEST(L0svm, RefinedToConvergenceEqualsBatchAfterPrefixes) {
  for (const MarginCase& one : cases()) {
    RankerInBuffer ranker(margin_config(kL0svm, one));
    ASSERT_TRUE(ranker.status().ok());
    EXPECT_EQ(ranker.left(), 0U);
    std::vector<Row> prefix;
    for (const Row& row : margin_rows(one)) {
      prefix.push_back(row);
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      ranker->refine(3);  // what is found on the way must not matter
      if (prefix.size() % (10 * every(3)) != 0) continue;
      SCOPED_TRACE(::testing::Message() << "seed " << one.seed << ", prefix " << prefix.size());
      refine_to_end(*ranker);
      EXPECT_EQ(ranker->refine(1000).iterations, 0U);
      const Answer expected = answer_for(held_points(one, prefix));
      if (expected.scores.empty()) {
        EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
      } else {
        expect_answer(*ranker, expected, kRounds);
      }
    }
  }
}

TEST(L0svm, InterruptionsDoNotChangeTheResult) {
  for (const std::size_t i : {0U, 1U, 5U}) {
    expect_interruptions_do_not_matter(margin_config(kL0svm, cases()[i]), margin_rows(cases()[i]));
  }
}

TEST(L0svm, ALateLabelIsAsGoodAsOneInTime) {
  const MarginCase one = {9, 40, 6, 3, 30, 30, Real(1.5), Real(0.6)};
  const std::vector<Row> rows = margin_rows(one);
  RankerInBuffer ranker(margin_config(kL0svm, one));
  std::vector<std::size_t> late;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = rows[i];
    if (row.kind == SampleKind::labelled && i % 5 == 0) {
      row.kind = SampleKind::unlabelled;
      late.push_back(i);
    }
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  ASSERT_FALSE(late.empty());
  refine_to_end(*ranker);
  for (const std::size_t i : late) ASSERT_TRUE(ranker->label(i + 1, rows[i].label).ok());
  refine_to_end(*ranker);
  expect_answer(*ranker, answer_for(held_points(one, rows)), kRounds);
}

TEST(L0svm, FeaturesInAnotherOrderGetTheirOwnScores) {
  const MarginCase one = {11, 40, 9, 2, 30, 30, Real(1), Real(0.6)};
  std::vector<Row> rows = margin_rows(one);
  RankerInBuffer ranker(margin_config(kL0svm, one));
  RankerInBuffer turned(margin_config(kL0svm, one));
  feed(*ranker, rows);
  for (Row& row : rows) std::rotate(row.x.begin(), row.x.begin() + 4, row.x.end());
  feed(*turned, rows);
  refine_to_end(*ranker);
  refine_to_end(*turned);
  ASSERT_TRUE(ranker->rank(0).ok());
  ASSERT_TRUE(turned->rank(0).ok());
  for (std::size_t r = 0; r < 8; ++r) {  // the last one is constant
    EXPECT_NEAR(static_cast<double>(ranker->ranking().scores()[r]),
                static_cast<double>(turned->ranking().scores()[(r + 5) % 9]), kRounds);
  }
}

TEST(L0svm, ScoresAreUsableAfterAnyNumberOfSteps) {
  const MarginCase one = cases()[0];
  RankerInBuffer ranker(margin_config(kL0svm, one));
  feed(*ranker, margin_rows(one));
  ASSERT_TRUE(ranker->rank(0).ok());
  for (std::size_t r = 0; r < 5; ++r) EXPECT_EQ(ranker->ranking().scores()[r], Real(1));
  EXPECT_FALSE(has_score(ranker->ranking().scores()[5]));
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  EXPECT_EQ(info_of(*ranker, "residual"), 1);
  refine_to_end(*ranker);
  ASSERT_TRUE(ranker->rank(1).ok());
  const auto selected = ranker->ranking().selected();
  EXPECT_EQ(std::count(selected.begin(), selected.end(), true), 1);
}

// What the scores, which are z, tell of it: the largest change since the round before.
TEST(L0svm, ResidualIsTheChangeOfTheScoresInARound) {
  const MarginCase one = cases()[0];
  RankerInBuffer ranker(margin_config(kL0svm, one));
  feed(*ranker, margin_rows(one));
  ASSERT_TRUE(ranker->rank(0).ok());
  std::vector<Real> before(5, Real(1));
  double rounds = 0;
  while (!ranker->refine(1).converged) {
    ASSERT_TRUE(ranker->rank(0).ok());
    if (info_of(*ranker, "iterations") == rounds) continue;
    rounds = info_of(*ranker, "iterations");
    double change = 0;
    for (std::size_t r = 0; r < before.size(); ++r) {
      const Real now = ranker->ranking().scores()[r];
      change = std::max(change, std::fabs(static_cast<double>(now - before[r])));
      before[r] = now;
    }
    if (rounds == 1) continue;  // which takes the constant feature out
    EXPECT_NEAR(info_of(*ranker, "residual"), change, 4 * kTolerance);
    EXPECT_GT(change, 0);
  }
  EXPECT_GT(rounds, 3);
}

TEST(L0svm, RoundsThatAreUsedUpAreReported) {
  const MarginCase one = cases()[1];
  RankerConfig config = margin_config(kL0svm, one);
  ASSERT_TRUE(config.values.set(kL0svmParams, "max_iter", 2).ok());
  RankerInBuffer ranker(config);
  feed(*ranker, margin_rows(one));
  refine_to_end(*ranker);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "iterations"), 6);
  EXPECT_GT(info_of(*ranker, "residual"), 1e-6);
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
}

TEST(L0svm, PredictsTheClassOfSeparatedPoints) {
  for (const std::uint32_t classes : {2U, 3U}) {
    const MarginCase one = {20 + classes, 60, 6, classes, 40, 20, Real(4), Real(0.6), Real(100)};
    const std::vector<Row> rows = margin_rows(one);
    const MemoryConfig memory = margin_config(kL0svm, one).configured_memory();
    std::vector<unsigned char> bytes(1 << 16);
    Arena arena(bytes.data(), bytes.size());
    StreamMemory stream;
    ASSERT_TRUE(stream.create(arena, memory).ok());
    L0svm selector(arena, stream, ParamValues(kL0svmParams));
    std::uint32_t label = 0;
    EXPECT_EQ(selector.predict(rows[0].x.data(), &label).code(), StatusCode::failed_precondition);
    std::size_t right = 0;
    std::size_t asked = 0;
    for (const Row& row : rows) {
      if (stream.points().classes_present() == classes && row.kind == SampleKind::labelled) {
        while (!selector.refine(1000).converged) {
        }
        ASSERT_TRUE(selector.predict(row.x.data(), &label).ok());
        right += label == row.label;
        ++asked;
      }
      Observation seen;
      ASSERT_TRUE(stream.observe(row.sample(), &seen).ok());
      selector.observe(seen);
    }
    EXPECT_GT(asked, 10U);
    EXPECT_GE(right + 2, asked);
  }
}

TEST(L0svm, NeedsTwoClasses) {
  std::vector<Row> rows = margin_rows({5, 20, 4, 2, 10, 10, Real(1), Real(0.5)});
  for (Row& row : rows) row.label = 0;
  EXPECT_EQ(status_of(kL0svm, rows).code(), StatusCode::failed_precondition);
  for (Row& row : rows) row.kind = SampleKind::unlabelled;
  EXPECT_EQ(status_of(kL0svm, rows).code(), StatusCode::failed_precondition);
}

// Points of both classes at one place, with nothing to tell them apart by.
TEST(L0svm, NothingIsSelectedWhereNothingSeparates) {
  std::vector<Row> rows(6);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].x = {Real(1), Real(2)};
    rows[i].kind = i < 4 ? SampleKind::labelled : SampleKind::unlabelled;
    rows[i].label = static_cast<std::uint32_t>(i % 2);
  }
  rows[5].x = {Real(2), Real(1)};
  RankerInBuffer ranker(holding_config(kL0svm, rows, 2));
  feed(*ranker, rows);
  refine_to_end(*ranker);
  ASSERT_TRUE(ranker->rank(0).ok());
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_EQ(ranker->ranking().scores()[r], Real(0));
    EXPECT_FALSE(ranker->ranking().selected()[r]);
  }
}

TEST(L0svm, OverflowIsAnError) {
  std::vector<Row> rows = margin_rows({5, 20, 4, 2, 10, 10, Real(1), Real(0.9)});
  const Real huge = std::numeric_limits<Real>::max() / 64;
  for (Row& row : rows) {
    for (Real& value : row.x) value *= huge;
  }
  RankerInBuffer ranker(holding_config(kL0svm, rows, 2));
  feed(*ranker, rows);
  refine_to_end(*ranker);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
