// drsvm against its problem solved on the dual in double precision, and on a stream.
#include "whittle/select/drsvm.h"

#include <algorithm>

#include "tests/shared/filled_reference.h"
#include "tests/shared/hinge_reference.h"

namespace whittle::testing {
namespace {

struct SvmCase {
  HeldCase held;
  HingeParams params;
};

std::vector<SvmCase> svm_cases() {
  std::vector<SvmCase> all(8);
  all[0].held.shape = {1, 40, 5, 2, Real(0.6), Real(0.1), Real(0.1), true, 0};
  all[1].held.shape = {2, 36, 14, 2, Real(0.5), Real(0), Real(0.2), true, 0};  // m > n
  all[1].params = {1, 0, 0.3, 3};
  all[2].held.shape = {3, 40, 4, 3, Real(0.7), Real(0.1), Real(0.3), false, 0};
  all[2].params = {1, 0, 0.5, 1};
  all[3].held.shape = {4, 36, 1, 2, Real(0.6), Real(0), Real(0.2), false, 0};
  all[3].params = {2, 0, 1, 2};
  all[4].held.shape = {5, 36, 6, 2, Real(1), Real(0), Real(0.4), true, 1024};
  all[4].params = {1, 0, 0, 5};
  all[5].held.shape = {6, 40, 7, 2, Real(0.6), Real(0.1), Real(0.1), true, 0};
  all[5].held.missing = Real(0.2);
  all[5].params = {1, 0, 0.2, 2};
  all[6].held.shape = {7, 36, 6, 4, Real(0.8), Real(0), Real(0.1), true, 0};
  all[6].held.scaled = true;
  all[6].params = {10, 0, 1, 4};
  all[7].held.shape = {8, 36, 5, 2, Real(0.6), Real(0), Real(0), false, 0};
  all[7].params = {0, 0, 1, 1};  // C = 0: no weight is worth anything
  for (SvmCase& one : all) {
    one.held.labelled = 10;
    one.held.window = 6;
  }
  return all;
}

RankerConfig config_of(const SvmCase& one) {
  RankerConfig config = config_for(kDrsvm, one.held.shape, one.held.labelled, one.held.window);
  config.memory.scaling = one.held.scaled ? Scaling::minmax : Scaling::none;
  EXPECT_TRUE(config.values.set(kDrsvmParams, "C", static_cast<Real>(one.params.c)).ok());
  EXPECT_TRUE(config.values.set(kDrsvmParams, "lambda1", static_cast<Real>(one.params.l1)).ok());
  EXPECT_TRUE(config.values.set(kDrsvmParams, "lambda2", static_cast<Real>(one.params.l2)).ok());
  return config;
}

bool has_class(const std::vector<Point>& points, int label) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Point& point) { return point.label == label; });
}
std::vector<int> classes_in(const std::vector<Point>& points, std::uint32_t classes) {
  std::vector<int> present;
  for (int c = 0; c < static_cast<int>(classes); ++c) {
    if (has_class(points, c)) present.push_back(c);
  }
  return present;
}

// The objectives that info lists, or the one it gives.
Vector objectives_of(const FeatureRanker& ranker) {
  Vector all;
  for (std::size_t i = 0; i < ranker.info().size(); ++i) {
    const InfoEntry& entry = ranker.info()[i];
    if (std::strcmp(entry.name, "objective") != 0) continue;
    if (entry.kind == InfoKind::real) all.push_back(static_cast<double>(entry.number));
    for (const Real value : entry.numbers) all.push_back(static_cast<double>(value));
  }
  return all;
}

void expect_solved(FeatureRanker& ranker, const std::vector<Point>& points, std::uint32_t classes,
                   const HingeParams& params) {
  const std::vector<int> present = classes_in(points, classes);
  const Status status = ranker.rank(0);
  if (present.size() < 2) {
    EXPECT_EQ(status.code(), StatusCode::failed_precondition);
    return;
  }
  ASSERT_TRUE(status.ok()) << status.reason();
  EXPECT_EQ(info_of(ranker, "converged"), 1);
  const std::vector<Vector> x = filled(points);
  const Vector objectives = objectives_of(ranker);
  ASSERT_EQ(objectives.size(), present.size() > 2 ? present.size() : 1U);
  Vector largest(x[0].size(), 0.0);
  double bound = 0;
  for (std::size_t p = 0; p < objectives.size(); ++p) {
    const int positive = present[present.size() > 2 ? p : 1];
    const HingeSolution best = reference_svm(x, signs_of(points, positive), params);
    ASSERT_LT(best.gap, 1e-5 * best.objective + 1e-12);
    EXPECT_NEAR(objectives[p], best.objective, 1e-4 * best.objective + 1e-6);
    for (std::size_t r = 0; r < largest.size(); ++r) {
      largest[r] = std::max(largest[r], std::fabs(best.w[r]));
      bound = std::max(bound, largest[r]);
    }
  }
  for (std::size_t r = 0; r < largest.size(); ++r) {
    const Real score = ranker.ranking().scores()[r];
    const Vector values = feature_of(x, r);
    const bool constant = std::count(values.begin(), values.end(), values[0]) ==
                          static_cast<std::ptrdiff_t>(values.size());
    ASSERT_EQ(has_score(score), !constant) << r;
    if (constant) continue;
    EXPECT_NEAR(static_cast<double>(score), largest[r], 1e-3 * bound + 1e-6) << r;
    EXPECT_EQ(ranker.ranking().selected()[r], score > 0);
  }
}

TEST(Drsvm, EqualsTheDualSolutionAfterPrefixes) {
  for (const SvmCase& one : svm_cases()) {
    SCOPED_TRACE(one.held.shape.seed);
    RankerInBuffer ranker(config_of(one));
    ASSERT_TRUE(ranker.status().ok());
    EXPECT_EQ(ranker.left(), 0U);
    give_scale(*ranker, one.held);
    std::vector<Row> prefix;
    for (const Row& row : rows_of(one.held)) {
      prefix.push_back(row);
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      if (prefix.size() % (10 * every(2)) != 0) {
        ranker->refine(static_cast<std::uint32_t>(prefix.size() % 3));  // left half way
        continue;
      }
      EXPECT_TRUE(ranker->refine(100000).converged);
      const auto held =
          held_after(prefix, one.held.labelled, one.held.window, one.held.shape.classes);
      expect_solved(*ranker, points_of(held, offsets_of(one.held), gains_of(one.held)),
                    one.held.shape.classes, one.params);
      if (HasFailure()) return;
    }
  }
}

TEST(Drsvm, InterruptionsDoNotChangeTheResult) {
  const SvmCase one = svm_cases()[2];
  RankerInBuffer straight(config_of(one));
  RankerInBuffer interrupted(config_of(one));
  std::uint32_t steps = 0;
  for (const Row& row : rows_of(one.held)) {
    ASSERT_TRUE(straight->observe(row.sample()).ok());
    ASSERT_TRUE(interrupted->observe(row.sample()).ok());
    Refinement done;
    do {
      done = interrupted->refine(1);
      EXPECT_LE(done.iterations, 1U);
      steps += done.iterations;
      const std::uint64_t before = interrupted->state_digest();
      (void)interrupted->rank(0);
      EXPECT_EQ(interrupted->state_digest(), before);
    } while (!done.converged);
    const Refinement all = straight->refine(100000);
    EXPECT_TRUE(all.converged);
    EXPECT_EQ(straight->state_digest(), interrupted->state_digest());
    EXPECT_EQ(straight->refine(10).iterations, 0U);  // nothing is left to do
    steps -= all.iterations;
  }
  EXPECT_EQ(steps, 0U);
}

TEST(Drsvm, LateLabelsCountAsIfTheyHadComeWithTheSample) {
  StreamShape shape = {9, 16, 5, 2, Real(1), Real(0), Real(0), true, 0};
  const std::vector<Row> rows = make_stream(shape);
  RankerConfig config = config_for(kDrsvm, shape, 16, 16);
  RankerInBuffer ranker(config);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = rows[i];
    if (i % 3 == 1) row.kind = SampleKind::unlabelled;
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ranker->refine(100);
  }
  for (std::size_t i = 1; i < rows.size(); i += 3) {
    ASSERT_TRUE(ranker->label(i + 1, rows[i].label).ok());
    ranker->refine(1);
  }
  EXPECT_TRUE(ranker->refine(100000).converged);
  expect_solved(*ranker, points_of(rows), 2, {});
}

std::vector<Real> converged_scores(const RankerConfig& config, const std::vector<Row>& rows) {
  RankerInBuffer ranker(config);
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->refine(100000).converged);
  EXPECT_TRUE(ranker->rank(0).ok());
  const auto scores = ranker->ranking().scores();
  return {scores.begin(), scores.end()};
}

TEST(Drsvm, EqualFeaturesGetEqualWeightsAndTheirOrderDoesNotMatter) {
  SvmCase one = svm_cases()[0];
  one.params = {1, 0, 0.5, 3};
  std::vector<Row> rows = rows_of(one.held);
  for (Row& row : rows) row.x[3] = row.x[0];
  const std::vector<Real> scores = converged_scores(config_of(one), rows);
  EXPECT_GT(scores[0], 0);
  EXPECT_NEAR(static_cast<double>(scores[0]), static_cast<double>(scores[3]), 1e-6);
  for (Row& row : rows) std::reverse(row.x.begin(), row.x.end());
  std::vector<Real> reversed = converged_scores(config_of(one), rows);
  std::reverse(reversed.begin(), reversed.end());
  expect_close(scores, reversed, 1, 1e-4);
}

TEST(Drsvm, AnOffsetDoesNotChangeTheWeights) {
  SvmCase one = svm_cases()[1];
  std::vector<Row> rows = rows_of(one.held);
  const std::vector<Real> scores = converged_scores(config_of(one), rows);
  for (Row& row : rows) {
    for (Real& value : row.x) value += 8192;
  }
  expect_close(scores, converged_scores(config_of(one), rows), 1, 1e-3);
}

TEST(Drsvm, PredictsBySignOrByTheLargestMargin) {
  for (const std::size_t number : {std::size_t{1}, std::size_t{2}}) {
    const SvmCase one = svm_cases()[number];
    const std::uint32_t classes = one.held.shape.classes;
    const std::vector<Row> rows = rows_of(one.held);
    RankerInBuffer ranker(config_of(one));
    std::uint32_t label = 0;
    for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    EXPECT_EQ(ranker->predict({rows[0].x.data(), rows[0].x.size()}, &label).code(),
              StatusCode::failed_precondition);  // nothing learned yet
    EXPECT_TRUE(ranker->refine(100000).converged);
    const auto points = points_of(held_after(rows, one.held.labelled, one.held.window, classes));
    const std::vector<Vector> x = filled(points);
    std::vector<HingeSolution> models;
    for (int c = classes == 2 ? 1 : 0; c < static_cast<int>(classes); ++c) {
      models.push_back(reference_svm(x, signs_of(points, c), one.params));
    }
    for (const Row& row : rows) {
      ASSERT_TRUE(ranker->predict({row.x.data(), row.x.size()}, &label).ok());
      Vector margins;
      for (const HingeSolution& model : models) {
        double g = model.b;
        for (std::size_t r = 0; r < row.x.size(); ++r) {
          g += model.w[r] * static_cast<double>(row.x[r]);
        }
        margins.push_back(g);
      }
      if (classes == 2) margins.insert(margins.begin(), -margins[0]);
      const auto best = std::max_element(margins.begin(), margins.end());
      Vector others = margins;
      others.erase(others.begin() + (best - margins.begin()));
      if (*best - *std::max_element(others.begin(), others.end()) < 1e-2) continue;  // too close
      EXPECT_EQ(label, static_cast<std::uint32_t>(best - margins.begin()));
    }
  }
}

TEST(Drsvm, ScoresAreUsableAtOnceAndNeedTwoClasses) {
  StreamShape shape = {3, 12, 3, 2, Real(1), Real(0), Real(0), false, 0};
  RankerInBuffer ranker(config_for(kDrsvm, shape, 12, 4));
  std::vector<Row> rows = make_stream(shape);
  rows[0].kind = SampleKind::unlabelled;
  for (Row& row : rows) row.label = 0;
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  const std::uint64_t before = ranker->state_digest();
  EXPECT_TRUE(ranker->refine(10).converged);  // nothing to do
  const Status status = ranker->rank(0);
  EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  EXPECT_STREQ(status.reason(), "drsvm needs labelled samples of two classes");
  EXPECT_EQ(ranker->state_digest(), before);
  ASSERT_TRUE(ranker->label(1, 1).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(ranker->ranking().scores()[r], Real(0));
    EXPECT_FALSE(ranker->ranking().selected()[r]);
  }
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  EXPECT_FALSE(ranker->refine(0).converged);
}

TEST(Drsvm, StopsAtMaxIterAndSaysSo) {
  SvmCase one = svm_cases()[1];
  RankerConfig config = config_of(one);
  ASSERT_TRUE(config.values.set(kDrsvmParams, "max_iter", 3).ok());
  RankerInBuffer ranker(config);
  for (const Row& row : rows_of(one.held)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  const Refinement done = ranker->refine(100);
  EXPECT_EQ(done.iterations, 3U);
  EXPECT_TRUE(done.converged);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  EXPECT_EQ(info_of(*ranker, "iterations"), 3);
}

TEST(Drsvm, SumsThatOverflowAreAnError) {
  StreamShape shape = {4, 12, 3, 2, Real(1), Real(0), Real(0), false, 0};
  RankerInBuffer ranker(config_for(kDrsvm, shape, 12, 4));
  for (Row row : make_stream(shape)) {
    for (Real& value : row.x) value *= std::numeric_limits<Real>::max() / 8;
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  EXPECT_TRUE(ranker->refine(1000).converged);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
