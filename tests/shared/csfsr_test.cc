// CSFSR: the scores of csfs, the selection of the redundancy tree.
#include "whittle/select/csfsr.h"

#include "tests/shared/ranker_fixture.h"
#include "tests/shared/redundancy_reference.h"

namespace whittle::testing {
namespace {

// Points in groups, whose features come in families of near copies.
std::vector<Row> families(std::uint64_t seed, std::size_t count, double missing = 0) {
  CloudShape shape;
  shape.seed = seed;
  shape.points = count;
  shape.features = 4;
  std::vector<Point> points = make_cloud(shape);
  Random random(seed + 50);
  for (Point& point : points) {
    for (std::size_t r = 0; r < 7; ++r) {
      const double noise = static_cast<double>(random.uniform()) * (r < 4 ? 0.5 : 3);
      point.x.push_back(static_cast<double>(static_cast<Real>(point.x[r % 4] + noise)));
    }
    point.x.push_back(2);  // constant
    for (std::size_t r = 1; r < point.x.size(); ++r) {
      if (static_cast<double>(random.uniform()) < missing) point.x[r] = no_score();
    }
  }
  return rows_of(points);
}

RankerConfig config_of(const SelectorType& type) {
  RankerConfig config(type);
  config.memory.features = 12;
  config.memory.classes = 3;
  config.memory.labelled = 10;
  config.memory.window = 14;
  return config;
}

Order order_of(const FeatureRanker& ranker) {
  return {ranker.ranking().order().begin(), ranker.ranking().order().end()};
}

TEST(Csfsr, EliminatesFromCsfsAfterEveryPrefix) {
  struct Case {
    std::uint32_t h;
    double min_mi;
    double k;
    double missing;
  };
  std::size_t kept = 0, scored = 0;
  for (const Case& one : {Case{200, 0, 0, 0}, Case{5, 0, 0, 0}, Case{200, 0.4, 4, 0},
                          Case{1, 0, 0, 0}, Case{200, 0, 0, 0.15}}) {
    RankerConfig config = config_of(kCsfsr);
    RankerConfig plain = config_of(kCsfs);
    ASSERT_TRUE(config.values.set(kCsfsrParams, "h", static_cast<Real>(one.h)).ok());
    ASSERT_TRUE(config.values.set(kCsfsrParams, "min_mi", static_cast<Real>(one.min_mi)).ok());
    ASSERT_TRUE(config.values.set(kCsfsrParams, "k", static_cast<Real>(one.k)).ok());
    ASSERT_TRUE(plain.values.set(kCsfsParams, "k", static_cast<Real>(one.k)).ok());
    RankerInBuffer csfsr(config);
    RankerInBuffer csfs(plain);
    EXPECT_EQ(csfsr.left(), 0U);
    std::vector<Row> prefix;
    for (const Row& row : families(one.h + 3, 45, one.missing)) {
      prefix.push_back(row);
      ASSERT_TRUE(csfsr->observe(row.sample()).ok());
      ASSERT_TRUE(csfs->observe(row.sample()).ok());
      const std::uint64_t before = csfsr->state_digest();
      const Status status = csfsr->rank(0);
      EXPECT_EQ(csfsr->state_digest(), before);
      ASSERT_EQ(status.code(), csfs->rank(0).code());
      if (!status.ok()) continue;
      // The bits of csfs; of its order, what the tree keeps, then the rest.
      const Span<const Real> scores = csfs->ranking().scores();
      ASSERT_EQ(std::memcmp(csfsr->ranking().scores().data(), scores.data(), 12 * sizeof(Real)), 0);
      const Order order = order_of(*csfs);
      std::size_t h = 0;
      while (h < std::min<std::size_t>(12, one.h) && has_score(scores[order[h]])) ++h;
      const std::vector<Point> points = points_of(held_after(prefix, 10, 14, 3));
      const double min_mi = static_cast<double>(static_cast<Real>(one.min_mi));
      const Elimination want = eliminated(points, order, h, min_mi);
      ASSERT_EQ(order_of(*csfsr), want.order) << prefix.size() << " h " << one.h;
      for (std::size_t i = 0; i < 12; ++i) {
        EXPECT_EQ(csfsr->ranking().selected()[want.order[i]], i < want.kept);
      }
      kept += want.kept;
      scored += h;
    }
  }
  EXPECT_LT(kept, 3 * scored / 4);
  EXPECT_GT(kept, scored / 4);
}

TEST(Csfsr, SelectsAtMostTheTopAskedFor) {
  RankerInBuffer ranker(config_of(kCsfsr));
  for (const Row& row : families(8, 30)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  const auto selected = [&] {
    return std::count(ranker->ranking().selected().begin(), ranker->ranking().selected().end(),
                      true);
  };
  const auto all = selected();
  ASSERT_GT(all, 2);
  ASSERT_LT(all, 11);
  const Order order = order_of(*ranker);
  for (std::uint32_t top = 1; top <= 12; ++top) {
    ASSERT_TRUE(ranker->rank(top).ok());
    EXPECT_EQ(order_of(*ranker), order);
    EXPECT_EQ(selected(), std::min<std::ptrdiff_t>(top, all));
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(top, 2); ++i) {
      EXPECT_TRUE(ranker->ranking().selected()[order[i]]);
    }
  }
}

TEST(Csfsr, OfCopiesTheFirstStays) {
  std::vector<Row> rows;
  for (const Point& point : make_cloud({})) {
    Row row = rows_of({point}).front();
    const std::vector<Real> x = row.x;
    row.x.insert(row.x.end(), x.begin(), x.end());
    rows.push_back(row);
  }
  RankerConfig config = config_of(kCsfsr);
  config.memory.features = 8;
  RankerInBuffer ranker(config);
  for (const Row& row : rows) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  for (std::size_t r = 0; r < 4; ++r) {
    EXPECT_EQ(ranker->ranking().scores()[r], ranker->ranking().scores()[r + 4]);
    EXPECT_FALSE(ranker->ranking().selected()[r] && ranker->ranking().selected()[r + 4]);
  }
}

TEST(Csfsr, SaysWhatCsfsLacks) {
  RankerInBuffer ranker(config_of(kCsfsr));
  ASSERT_TRUE(ranker->observe(families(1, 1).front().sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  EXPECT_FALSE(ranker->ranking().valid());
}

}  // namespace
}  // namespace whittle::testing
