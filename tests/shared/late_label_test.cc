// Late labels: a held sample that is labelled after it came counts as if it had come labelled, with
// explicit pairs beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/shared/constraint_reference.h"
#include "tests/shared/ranker_fixture.h"
#include "tests/shared/test_streams.h"
#include "whittle/select/cls.h"

namespace whittle::testing {
namespace {

MemoryConfig small_config(std::uint32_t labelled, std::uint32_t window, std::uint32_t pairs) {
  MemoryConfig config;
  config.features = 4;
  config.classes = 3;
  config.labelled = labelled;
  config.window = window;
  config.pairs = pairs;
  config.explicit_pairs = &kExplicitPairs;
  return config;
}

// Memory and cls on it.
class LabelledLater {
 public:
  explicit LabelledLater(MemoryConfig config) {
    const ParamValues values(kCls.params);
    kCls.configure(config, values);
    buffer_.resize((StreamMemory::required_bytes(config) + kCls.required_bytes(config, values)) /
                   sizeof(std::uint64_t));
    Arena arena(buffer_.data(), buffer_.size() * sizeof(std::uint64_t));
    EXPECT_TRUE(memory_.create(arena, config).ok());
    EXPECT_TRUE(kCls.create(arena, memory_, values, &selector_).ok());
    EXPECT_EQ(arena.left(), 0U);
  }

  void observe(const Row& row) {
    Observation seen;
    ASSERT_TRUE(memory_.observe(row.sample(), &seen).ok());
  }
  std::vector<Real> scores() {
    std::vector<Real> scores(memory_.config().features);
    if (!selector_->score(Span<Real>(scores.data(), scores.size()), nullptr).ok()) scores.clear();
    return scores;
  }
  std::uint64_t digest() const {
    Digest digest;
    memory_.digest(digest);
    return digest.value();
  }
  // Rows are numbered from 0, the samples' ids from 1.
  Status label(std::uint64_t row, std::uint32_t label) { return memory_.label(row + 1, label); }
  Status constrain(std::uint64_t a, std::uint64_t b, bool must_link) {
    return memory_.constrain(a + 1, b + 1, must_link);
  }
  bool holds(std::uint64_t row) const { return memory_.points().find(row + 1) != kNoSlot; }
  bool has_label(std::uint64_t row) const {
    return memory_.points().label(memory_.points().find(row + 1)) != kUnlabelled;
  }
  const StreamMemory& memory() const { return memory_; }

 private:
  std::vector<std::uint64_t> buffer_;
  StreamMemory memory_;
  Selector* selector_ = nullptr;
};

void expect_same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t r = 0; r < a.size(); ++r) {
    ASSERT_EQ(has_score(a[r]), has_score(b[r])) << r;
    ASSERT_TRUE(a[r] == b[r] || !has_score(a[r])) << r;
  }
}

// Rows of which each has a class; which of them get their label, and when, is up to the test.
std::vector<Row> rows_with_classes(std::uint64_t seed, std::size_t rows) {
  StreamShape shape;
  shape.seed = seed;
  shape.rows = rows;
  shape.features = 4;
  shape.classes = 3;
  shape.labelled = 1;
  shape.universum = 0;
  return make_stream(shape);
}

Row unlabelled(Row row) {
  row.kind = SampleKind::unlabelled;
  return row;
}

TEST(LateLabel, ConstraintsEqualTheNaiveClosureAfterEveryStep) {
  MemoryConfig config = small_config(6, 8, 9);
  hold_samples(config);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    ConstrainedPoints held(config);
    Random random(seed);
    std::size_t labelled_late = 0;
    std::size_t refused = 0;
    for (int step = 0; step < 400; ++step) {
      const auto size = static_cast<std::uint32_t>(held.size());
      const std::uint32_t dice = random.below(16);
      if (size < 2 || dice < 6) {
        held.arrive(random.below(8) == 0 ? random.below(config.classes) : kUnlabelled);
      } else if (dice == 6 || held.points().labelled() == config.labelled) {
        held.depart(random.below(size));
      } else if (dice < 13) {
        held.give(random.below(size), random.below(size), dice < 10);
      } else {
        const std::size_t position = random.below(size);
        const std::uint32_t label = random.below(config.classes);
        const bool allowed = held.allows(position, label);
        if (allowed && held.label(position) == kUnlabelled) {
          held.points().relabel(held.slot(position), label);
          held.relabelled(position, label);
          ++labelled_late;
        }
        refused += allowed ? 0 : 1;
      }
      held.check();
      if (step % 8 == 0) held.check_history_is_forgotten(seed);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "step " << step;
    }
    EXPECT_GT(labelled_late, 10U);
    EXPECT_GT(refused, 5U);
  }
}

// The labelled buffer is large enough, or evicts: late, too, what stays is the newest of each
// class. Pairs are given while no label is waiting, so that both memories hold the same points
// then.
TEST(LateLabel, GivesTheBitsOfASampleThatCameLabelled) {
  for (const std::uint32_t capacity : {32U, 5U}) {
    const std::vector<Row> rows = rows_with_classes(capacity, 60);
    LabelledLater early(small_config(capacity, 60, 8));
    LabelledLater late(small_config(capacity, 60, 8));
    Random random(capacity);
    std::vector<std::size_t> waiting;
    std::size_t compared = 0;
    for (std::size_t id = 0; id < rows.size(); ++id) {
      const bool labelled = random.below(2) == 0;
      const bool at_once = random.below(3) == 0;
      early.observe(labelled ? rows[id] : unlabelled(rows[id]));
      late.observe(labelled && at_once ? rows[id] : unlabelled(rows[id]));
      if (labelled && !at_once) waiting.push_back(id);
      while (!waiting.empty() && (random.below(2) == 0 || id + 1 == rows.size())) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(waiting.size()));
        ASSERT_TRUE(late.label(waiting[at], rows[waiting[at]].label).ok());
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (!waiting.empty()) continue;
      const std::size_t other = random.below(static_cast<std::uint32_t>(id) + 1);
      const bool same = rows[id].label == rows[other].label;
      const StatusCode code = early.constrain(id, other, same).code();
      ASSERT_EQ(late.constrain(id, other, same).code(), code);
      ASSERT_EQ(late.digest(), early.digest());
      expect_same_bits(late.scores(), early.scores());
      ++compared;
    }
    EXPECT_GT(compared, 10U);
    EXPECT_FALSE(late.memory().constraints().pairs().empty());
    EXPECT_FALSE(late.scores().empty());
  }
}

// Small buffers: both label and pair ends are evicted all the time. What is left is what a memory
// never used before has, given the points held and the pairs between them.
TEST(LateLabel, LeavesTheBitsOfAFreshMemoryGivenTheHeldPoints) {
  const std::vector<Row> rows = rows_with_classes(9, 120);
  const MemoryConfig config = small_config(5, 7, 6);
  LabelledLater late(config);
  Random random(9);
  std::size_t labelled_late = 0;
  for (std::size_t id = 0; id < rows.size(); ++id) {
    late.observe(random.below(5) == 0 ? rows[id] : unlabelled(rows[id]));
    const std::size_t a = random.below(static_cast<std::uint32_t>(id) + 1);
    const std::size_t b = random.below(static_cast<std::uint32_t>(id) + 1);
    if (a != b && late.holds(a) && late.holds(b)) {
      const StatusCode code = late.constrain(a, b, rows[a].label == rows[b].label).code();
      ASSERT_TRUE(code == StatusCode::ok || code == StatusCode::resource_exhausted);
    }
    const std::size_t named = id - std::min<std::size_t>(id, random.below(9));
    if (late.holds(named) && !late.has_label(named)) {
      ASSERT_TRUE(late.label(named, rows[named].label).ok());
      ++labelled_late;
    }
    ASSERT_LE(late.memory().points().labelled(), config.labelled);
    if (id % 5 != 0) continue;
    LabelledLater fresh(config);
    std::vector<std::size_t> ids;
    const HeldPoints& points = late.memory().points();
    for (const Slot slot : points.order()) {
      ids.push_back(static_cast<std::size_t>(points.stamp(slot)));
      const Row& row = rows[ids.back()];
      fresh.observe(points.label(slot) == kUnlabelled ? unlabelled(row) : row);
    }
    ASSERT_EQ(fresh.memory().points().size(), ids.size());
    const auto place = [&](Slot slot) {
      return static_cast<std::uint64_t>(std::find(ids.begin(), ids.end(), points.stamp(slot)) -
                                        ids.begin());
    };
    for (const ConstraintPair& pair : late.memory().constraints().pairs()) {
      const Status given = fresh.constrain(place(pair.newer), place(pair.older), pair.must_link);
      ASSERT_TRUE(given.ok());
    }
    expect_same_bits(late.scores(), fresh.scores());
  }
  EXPECT_GT(labelled_late, 20U);
}

TEST(LateLabel, RefusalsChangeNothing) {
  LabelledLater held(small_config(3, 3, 3));
  const std::vector<Row> rows = rows_with_classes(2, 6);
  held.observe(unlabelled(rows[0]));  // evicted by row 3
  for (std::size_t i = 1; i < 4; ++i) held.observe(unlabelled(rows[i]));
  Row of_class = rows[4];
  of_class.label = 1;
  held.observe(of_class);
  ASSERT_TRUE(held.constrain(1, 4, true).ok());
  ASSERT_TRUE(held.constrain(2, 1, false).ok());
  const std::uint64_t before = held.digest();
  EXPECT_EQ(held.label(0, 1).code(), StatusCode::not_found);
  EXPECT_EQ(held.label(77, 1).code(), StatusCode::not_found);
  EXPECT_EQ(held.label(1, 3).code(), StatusCode::out_of_range);
  EXPECT_EQ(held.label(1, 0).code(), StatusCode::failed_precondition);  // must link with class 1
  EXPECT_EQ(held.label(2, 1).code(), StatusCode::failed_precondition);  // cannot link with it
  EXPECT_EQ(held.label(4, 2).code(), StatusCode::failed_precondition);  // has class 1
  EXPECT_EQ(held.constrain(3, 0, true).code(), StatusCode::not_found);
  EXPECT_EQ(held.constrain(77, 3, true).code(), StatusCode::not_found);
  EXPECT_EQ(held.constrain(3, 3, true).code(), StatusCode::invalid_argument);
  EXPECT_EQ(held.constrain(2, 4, true).code(), StatusCode::failed_precondition);
  EXPECT_EQ(held.constrain(1, 4, false).code(), StatusCode::failed_precondition);
  EXPECT_EQ(held.digest(), before);
  ASSERT_TRUE(held.constrain(2, 3, true).ok());
  const std::uint64_t full = held.digest();
  EXPECT_NE(full, before);
  EXPECT_EQ(held.constrain(4, 3, false).code(), StatusCode::resource_exhausted);
  EXPECT_EQ(held.digest(), full);
  EXPECT_TRUE(held.label(2, 0).ok());
  EXPECT_NE(held.digest(), full);
  EXPECT_EQ(held.label(3, 2).code(), StatusCode::failed_precondition);  // now of class 0's group
}

}  // namespace
}  // namespace whittle::testing
