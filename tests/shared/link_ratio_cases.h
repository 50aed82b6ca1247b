// What the tests of lsdf and sc4 share: scores that set differences over cannot-link pairs against
// others, over a few samples of up to three classes.
#ifndef WHITTLE_TESTS_SHARED_LINK_RATIO_CASES_H_
#define WHITTLE_TESTS_SHARED_LINK_RATIO_CASES_H_

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/shared/ranker_fixture.h"
#include "whittle/base/math.h"

namespace whittle::testing {

inline Row labelled(std::vector<Real> x, std::uint32_t label) {
  return {std::move(x), SampleKind::labelled, label};
}

inline RankerConfig small_config(const SelectorType& type, std::size_t features, std::uint32_t k) {
  RankerConfig config(type);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.classes = 3;
  config.memory.labelled = 16;
  config.memory.window = 16;
  EXPECT_TRUE(config.values.set(type.params, "k", static_cast<Real>(k)).ok());
  return config;
}

inline std::vector<Real> scores_of(const SelectorType& type, const std::vector<Row>& rows,
                                   std::uint32_t k, std::vector<std::uint32_t>* order = nullptr) {
  RankerInBuffer ranker(small_config(type, rows.front().x.size(), k));
  for (const Row& row : rows) EXPECT_TRUE(ranker->observe(row.sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());
  if (order != nullptr) {
    order->assign(ranker->ranking().order().begin(), ranker->ranking().order().end());
  }
  return {ranker->ranking().scores().begin(), ranker->ranking().scores().end()};
}

// `first` as the oldest point, and 12 of two classes with the values of `others` beside a first one
// that varies. The features from there to 20 have one value per class, values whose sums round,
// and the oldest point, their origin, is far away.
inline std::vector<Row> constant_in_classes(Row first, const std::vector<Real>& others) {
  for (std::size_t r = first.x.size(); r < 20; ++r) {
    first.x.push_back(Real(-0.3) * static_cast<Real>(r));
  }
  std::vector<Row> rows = {first};
  for (std::uint32_t i = 0; i < 12; ++i) {
    const std::uint32_t c = i % 2;
    Row row = labelled({static_cast<Real>(i * 5 % 7)}, c);
    row.x.insert(row.x.end(), others.begin(), others.end());
    for (auto r = static_cast<std::uint32_t>(row.x.size()); r < 20; ++r) {
      row.x.push_back(log(static_cast<Real>(2 * r + c)));
    }
    rows.push_back(row);
  }
  return rows;
}

inline void check_scale_shift_and_order_of_features(const SelectorType& type, double tolerance) {
  const std::vector<Row> rows = make_stream({});
  std::vector<Row> changed = rows;
  for (Row& row : changed) {
    for (Real& value : row.x) value = value * 8 + 4096;  // exact on the grid
    std::reverse(row.x.begin(), row.x.end());
  }
  const std::vector<Real> a = scores_of(type, rows, 5);
  const std::vector<Real> b = scores_of(type, changed, 5);
  EXPECT_FALSE(has_score(a[4]));
  EXPECT_FALSE(has_score(b[0]));
  for (std::size_t r = 0; r < 4; ++r) {
    const double expected = static_cast<double>(a[r]);
    EXPECT_NEAR(static_cast<double>(b[4 - r]), expected, tolerance * expected) << r;
  }
}

inline void check_needs_a_cannot_link_pair(const SelectorType& type) {
  RankerInBuffer ranker(small_config(type, 2, 3));
  for (const Row& row : {labelled({1, 2}, 0), labelled({3, 5}, 0), Row{{2, 2}}}) {
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  const Status status = ranker->rank(0);
  EXPECT_EQ(status.code(), StatusCode::failed_precondition);
  EXPECT_EQ(status.reason(),
            type.id + std::string(" needs a cannot-link pair: labelled samples of two classes"));
  ASSERT_TRUE(ranker->observe(labelled({1, 3}, 1).sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_LINK_RATIO_CASES_H_
