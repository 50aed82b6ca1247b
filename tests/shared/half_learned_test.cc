// Selectors that learn a model per class, while only some of the models are there.
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

}  // namespace
}  // namespace whittle::testing
