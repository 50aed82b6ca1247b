// Selectors that learn a model per class, while only some of the models are there.
#include <cstring>
#include <limits>

#include "tests/shared/margin_streams.h"
#include "whittle/select/all_selectors.h"

namespace whittle::testing {
namespace {

constexpr MarginCase kThreeClasses = {31, 40, 5, 3, 16, 12, Real(3), Real(0.6)};

constexpr const SelectorType* kClassifiers[] = {&kSenfs, &kDrsvm,      &kL1svm,
                                                &kL0svm, &kFsmanifold, &kJsfs};

// A model that is not there yet must not be taken for one that says 0 everywhere.
TEST(HalfLearned, PredictRefusesUntilEveryClassHasAModel) {
  const std::vector<Row> rows = margin_rows(kThreeClasses);
  for (const SelectorType* type : kClassifiers) {
    SCOPED_TRACE(type->id);
    RankerInBuffer ranker(margin_config(*type, kThreeClasses));
    feed(*ranker, rows);
    int refused = 0;
    bool answered = false;
    std::uint32_t label = 0;
    do {
      const Status status = ranker->predict({rows[0].x.data(), 5}, &label);
      if (!status.ok()) {
        EXPECT_EQ(status.code(), StatusCode::failed_precondition);
        EXPECT_FALSE(answered) << "and then no more";
        ++refused;
      }
      answered = answered || status.ok();
    } while (!ranker->refine(1).converged);
    EXPECT_GT(refused, 1) << "after a step, too";
    EXPECT_TRUE(ranker->predict({rows[0].x.data(), 5}, &label).ok());
  }
}

TEST(HalfLearned, RefineOfNothingChangesNothing) {
  const SelectorType* const types[] = {&kSenfs,      &kDrsvm, &kL1svm, &kL0svm,
                                       &kFsmanifold, &kJsfs,  &kWckm,  &kL2gfs};
  const std::vector<Row> rows = margin_rows(kThreeClasses);
  for (const SelectorType* type : types) {
    SCOPED_TRACE(type->id);
    RankerInBuffer ranker(margin_config(*type, kThreeClasses));
    feed(*ranker, rows);
    for (int steps = 0; steps < 100; ++steps) {
      const std::uint64_t before = ranker->state_digest();
      const Refinement nothing = ranker->refine(0);
      EXPECT_EQ(nothing.iterations, 0U);
      EXPECT_EQ(ranker->state_digest(), before) << steps;
      if (nothing.converged) break;
      ranker->refine(1);
    }
  }
}

// That products with a point overflow is said while it is held, and keeps nobody from refining when
// it is gone.
TEST(HalfLearned, OverflowIsForgottenWithThePoint) {
  constexpr MarginCase kTwoClasses = {32, 40, 4, 2, 8, 8, Real(1), Real(0.6)};
  const std::vector<Row> rows = margin_rows(kTwoClasses);
  const Row huge = {std::vector<Real>(4, std::numeric_limits<Real>::max() / 4),
                    SampleKind::labelled, 0};
  for (const SelectorType* type : {&kSenfs, &kDrsvm, &kL1svm, &kL0svm}) {
    SCOPED_TRACE(type->id);
    RankerInBuffer ranker(margin_config(*type, kTwoClasses));
    feed(*ranker, {rows.begin(), rows.begin() + 8});
    ASSERT_TRUE(ranker->observe(huge.sample()).ok());
    ranker->refine(10000);
    const Status status = ranker->rank(0);
    EXPECT_EQ(status.code(), StatusCode::failed_precondition);
    EXPECT_NE(std::strstr(status.reason(), "overflow"), nullptr) << status.reason();

    feed(*ranker, {rows.begin() + 8, rows.end()});
    EXPECT_TRUE(ranker->rank(0).ok()) << "before it is refined";
    ranker->refine(10000);
    ASSERT_TRUE(ranker->rank(0).ok());
    RankerInBuffer never(margin_config(*type, kTwoClasses));
    feed(*never, rows);
    never->refine(10000);
    ASSERT_TRUE(never->rank(0).ok());
    const double objective = info_of(*never, "objective");
    EXPECT_NEAR(info_of(*ranker, "objective"), objective, 1e-2 * objective);
  }
}

TEST(HalfLearned, NeighboursThatDoNotDifferAreForgottenWithTheNextPoint) {
  RankerInBuffer ranker(margin_config(kFsmanifold, {33, 4, 2, 2, 4, 4, 0, 0}));
  const Row same[] = {{{1, 2}, SampleKind::labelled, 0}, {{1, 2}, SampleKind::labelled, 1}};
  feed(*ranker, {same, same + 2});
  ranker->refine(10000);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  feed(*ranker, {{{2, 1}, SampleKind::labelled, 1}});
  EXPECT_TRUE(ranker->rank(0).ok()) << "before it is refined";
  ranker->refine(10000);
  EXPECT_TRUE(ranker->rank(0).ok());
}

}  // namespace
}  // namespace whittle::testing
