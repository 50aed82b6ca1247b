// What refine() promises of every iterative selector, whatever came before.
#include <gtest/gtest.h>

#include <limits>

#include "tests/shared/clustering_streams.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/fsmanifold.h"
#include "whittle/select/jsfs.h"
#include "whittle/select/l0svm.h"
#include "whittle/select/l1svm.h"
#include "whittle/select/l2gfs.h"
#include "whittle/select/senfs.h"
#include "whittle/select/wckm.h"

namespace whittle::testing {
namespace {

const SelectorType* const kIterative[] = {&kSenfs, &kFsmanifold, &kJsfs, &kL0svm,
                                          &kL1svm, &kDrsvm,      &kWckm, &kL2gfs};

RankerConfig small_config(const SelectorType& type) {
  StreamShape shape;
  shape.features = 4;
  shape.classes = 2;
  return config_for(type, shape, 8, 8);
}

void observe_all(RankerInBuffer& ranker, const std::vector<Row>& rows) {
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
}

TEST(Refine, DoesNothingBeforeThereAreTwoClasses) {
  for (const SelectorType* type : kIterative) {
    RankerInBuffer ranker(small_config(*type));
    ASSERT_TRUE(ranker.status().ok()) << type->id;
    for (Row row : separated_stream(3, 6, 3, 2)) {
      const std::uint64_t before = ranker->state_digest();
      EXPECT_EQ(ranker->refine(5).iterations, 0U) << type->id;
      EXPECT_EQ(ranker->state_digest(), before) << type->id;
      EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition) << type->id;
      row.label = 0;
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
    }
  }
}

// A value so large that its square is infinite spoils what follows the stream. When its sample has
// left the memory, one step of refine gives scores again, and all of them the batch result.
TEST(Refine, ForgetsAnOverflowWithItsSample) {
  const Real huge = std::sqrt(std::numeric_limits<Real>::max()) * Real(4);
  const std::vector<Row> rows = separated_stream(5, 60, 3, 2);
  for (const SelectorType* type : kIterative) {
    RankerInBuffer spoilt(small_config(*type));
    RankerInBuffer fresh(small_config(*type));
    Row row = rows[0];
    row.x[1] = huge;
    ASSERT_TRUE(spoilt->observe(row.sample()).ok());
    observe_all(spoilt, rows);
    observe_all(fresh, rows);
    EXPECT_EQ(spoilt->refine(1).iterations, 1U) << type->id;
    const Status status = spoilt->rank(0);
    ASSERT_TRUE(status.ok()) << type->id << ": " << status.reason();
    while (!spoilt->refine(7).converged || !fresh->refine(7).converged) {
    }
    expect_same_bits(*spoilt, *fresh);
  }
}

// Labels that all come after their samples: scores are there at once, as after labelled samples.
TEST(Refine, IsNotNeededForScoresAfterLateLabels) {
  for (const SelectorType* type : kIterative) {
    RankerInBuffer ranker(small_config(*type));
    std::vector<Row> rows = separated_stream(3, 6, 3, 2);
    for (Row& row : rows) row.kind = SampleKind::unlabelled;
    observe_all(ranker, rows);
    ASSERT_TRUE(ranker->label(1, 0).ok());
    EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition) << type->id;
    ASSERT_TRUE(ranker->label(4, 1).ok());
    const Status status = ranker->rank(0);
    EXPECT_TRUE(status.ok()) << type->id << ": " << status.reason();
  }
}

}  // namespace
}  // namespace whittle::testing
