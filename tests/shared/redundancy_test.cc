// Redundancy elimination after any selector: order, selection, what it needs.
#include "tests/shared/ranker_fixture.h"
#include "tests/shared/redundancy_reference.h"
#include "whittle/select/cs1.h"
#include "whittle/select/variance.h"

namespace whittle::testing {
namespace {

RankerConfig variance_config(std::size_t features, Redundancy redundancy) {
  RankerConfig config(kVariance, kAllParts);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.window = 12;
  config.redundancy = redundancy;
  return config;
}

TEST(Redundancy, FollowsAnySelector) {
  const std::vector<Point> points = make_mixtures(11, 40, 9, 0.3);
  const std::vector<Point> held(points.end() - 12, points.end());
  RankerInBuffer plain(variance_config(9, Redundancy::none));
  RankerInBuffer lean(variance_config(9, Redundancy::tree));
  EXPECT_EQ(plain.left(), 0U);
  EXPECT_EQ(lean.left(), 0U);
  for (const Row& row : rows_of(points)) {
    ASSERT_TRUE(plain->observe(row.sample()).ok());
    ASSERT_TRUE(lean->observe(row.sample()).ok());
  }
  ASSERT_TRUE(plain->rank(0).ok());
  const Order order(plain->ranking().order().begin(), plain->ranking().order().end());
  const Elimination want = eliminated(held, order, 9, 0);
  ASSERT_LT(want.kept, 9U);
  ASSERT_GT(want.kept, 2U);
  // Everything, more than is kept, as many, fewer.
  for (const std::size_t top : {std::size_t{0}, std::size_t{9}, want.kept, std::size_t{2}}) {
    const std::uint64_t before = lean->state_digest();
    ASSERT_TRUE(lean->rank(static_cast<std::uint32_t>(top)).ok());
    EXPECT_EQ(lean->state_digest(), before);
    EXPECT_EQ(Order(lean->ranking().order().begin(), lean->ranking().order().end()), want.order);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(lean->ranking().selected()[want.order[i]], i < want.kept && (top == 0 || i < top));
      EXPECT_EQ(lean->ranking().scores()[i], plain->ranking().scores()[i]);
    }
  }
}

// A selector that settles the selection itself: only what it selects can be.
class Evens final : public Selector {
 public:
  static std::size_t required_bytes(const MemoryConfig&, const ParamValues&) {
    return ByteCount{}.object<Evens>().total();
  }
  Evens(Arena&, const StreamMemory&, const ParamValues&) {}
  Status score(Span<Real> scores, InfoList*) override {
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<Real>(i);
    return {};
  }
  void decide(Span<const Real>, Span<std::uint32_t>, Span<bool> selected) override {
    for (std::size_t i = 0; i < selected.size(); ++i) selected[i] = i % 2 == 0;
  }
};

TEST(Redundancy, SelectsNothingThatTheSelectorDoesNot) {
  const SelectorType type = {"evens",
                             "for tests",
                             Direction::ascending,
                             Exactness::held_points,
                             Span<const ParamSpec>(),
                             [](MemoryConfig&, const ParamValues&) {},
                             Evens::required_bytes,
                             create_selector<Evens>};
  RankerConfig config(type, kAllParts);
  config.memory.features = 6;
  config.memory.window = 20;
  config.redundancy = Redundancy::tree;
  RankerInBuffer ranker(config);
  const std::vector<Point> points = make_mixtures(4, 20, 6, 0.5);
  for (const Row& row : rows_of(points)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
  const Elimination want = eliminated(points, {0, 1, 2, 3, 4, 5}, 6, 0);
  for (const std::uint32_t top : {0U, 1U}) {
    ASSERT_TRUE(ranker->rank(top).ok());
    std::size_t selected = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const std::uint32_t feature = want.order[i];
      const bool wanted = i < want.kept && feature % 2 == 0 && (top == 0 || selected < top);
      EXPECT_EQ(ranker->ranking().selected()[feature], wanted) << feature;
      selected += wanted ? 1 : 0;
    }
    EXPECT_GT(selected, 0U);
  }
}

TEST(Redundancy, NeedsTwoHeldPoints) {
  RankerInBuffer ranker(variance_config(2, Redundancy::tree));
  const Row rows[] = {{{1, 2}}, {{2, 5}}};
  ASSERT_TRUE(ranker->observe(rows[0].sample()).ok());
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
  EXPECT_FALSE(ranker->ranking().valid());
  ASSERT_TRUE(ranker->observe(rows[1].sample()).ok());
  EXPECT_TRUE(ranker->rank(0).ok());
  // What the selector lacks is still said.
  RankerConfig config(kCs1, kAllParts);
  config.memory.features = 2;
  config.memory.classes = 2;
  config.memory.window = 4;
  config.redundancy = Redundancy::tree;
  RankerInBuffer without_classes(config);
  for (const Row& row : rows) ASSERT_TRUE(without_classes->observe(row.sample()).ok());
  EXPECT_EQ(without_classes->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
