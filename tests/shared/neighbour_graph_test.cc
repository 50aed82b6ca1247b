// The incremental neighbour graph against sorting all distances, after every change.
#include "whittle/memory/neighbour_graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/shared/reference.h"
#include "whittle/memory/stream_memory.h"

namespace whittle::testing {
namespace {

struct Memory {
  explicit Memory(const MemoryConfig& config) : bytes(StreamMemory::required_bytes(config)) {
    Arena arena(bytes.data(), bytes.size());
    EXPECT_TRUE(stream.create(arena, config).ok());
  }
  std::vector<unsigned char> bytes;
  StreamMemory stream;
};

MemoryConfig graph_config(std::size_t features, std::uint32_t k, Metric metric, bool keep) {
  MemoryConfig config;
  config.features = static_cast<std::uint32_t>(features);
  config.classes = 2;
  config.labelled = 5;
  config.window = 11;
  hold_samples(config);
  config.neighbours = k;
  config.make_graph = make_neighbour_graph;
  config.metric = metric;
  config.keep_distances = keep;
  return config;
}

// Lists by position in the order of age, like the reference's.
void expect_lists(const StreamMemory& memory, const std::vector<Point>& points, std::size_t k,
                  bool cosine) {
  const auto expected = nearest(points, k, cosine);
  const auto order = memory.points().order();
  ASSERT_EQ(order.size(), points.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t degree = memory.graph().degree(memory.points(), order[i]);
    ASSERT_EQ(degree, expected[i].size());
    for (std::size_t e = 0; e < degree; ++e) {
      EXPECT_EQ(memory.graph().neighbours(order[i])[e], order[expected[i][e]]) << i << " " << e;
      EXPECT_NEAR(static_cast<double>(memory.graph().squared_distances(order[i])[e]),
                  squared_distance(points[i].x, points[expected[i][e]].x), 1e-4);
    }
  }
}

void check_stream(const MemoryConfig& config, const std::vector<Row>& rows) {
  Memory memory(config);
  std::vector<Row> prefix;
  for (const Row& row : rows) {
    prefix.push_back(row);
    Observation seen;
    ASSERT_TRUE(memory.stream.observe(row.sample(), &seen).ok());
    if (prefix.size() % every(3) != 0) continue;
    expect_lists(memory.stream,
                 points_of(held_after(prefix, config.labelled, config.window, config.classes)),
                 config.neighbours, config.metric == Metric::cosine);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(NeighbourGraph, EqualsSortingAllDistancesAfterEverySample) {
  StreamShape shape;
  shape.rows = 80;
  shape.duplicates = Real(0.3);
  for (const std::uint32_t k : {1U, 3U, 40U}) {
    for (const bool keep : {true, false}) {
      for (const std::size_t features : {1U, 4U, 8U, 11U}) {
        shape.features = features;
        shape.seed = k + features;
        check_stream(graph_config(features, k, Metric::euclidean, keep), make_stream(shape));
      }
    }
  }
}

TEST(NeighbourGraph, CosineEqualsSortingAllAngles) {
  StreamShape shape;
  shape.rows = 80;
  shape.features = 5;
  shape.duplicates = 0;  // equal angles of equal rows tie in float, not always in double
  for (const bool keep : {true, false}) {
    check_stream(graph_config(5, 3, Metric::cosine, keep), make_stream(shape));
  }
}

TEST(NeighbourGraph, ZeroVectorIsAtCosineDistanceOne) {
  Memory memory(graph_config(2, 2, Metric::cosine, true));
  Observation seen;
  for (const Row& row : {Row{{0, 0}}, Row{{1, 0}}, Row{{1, Real(0.125)}}}) {
    ASSERT_TRUE(memory.stream.observe(row.sample(), &seen).ok());
  }
  const auto order = memory.stream.points().order();
  EXPECT_EQ(memory.stream.graph().keys(order[0])[0], Real(1));
  EXPECT_EQ(memory.stream.graph().neighbours(order[0])[0], order[1]);  // a tie: the older first
  EXPECT_EQ(memory.stream.graph().neighbours(order[1])[0], order[2]);
}

// Streams that make as many points as possible lose a neighbour with every sample.
TEST(NeighbourGraph, SurvivesAdversarialStreams) {
  std::vector<Row> duplicates, extremes, hub;
  for (int i = 0; i < 60; ++i) {
    duplicates.push_back({{1, 2, 3}});
    extremes.push_back({{Real(i % 2 == 0 ? -100 : 100), 0, Real(i % 3)}});
    const Real far = static_cast<Real>(64 + i);
    hub.push_back(i % 12 == 0 ? Row{{0, 0, 0}} : Row{{far, -far, far}});
  }
  for (const bool keep : {true, false}) {
    for (const auto& rows : {duplicates, extremes, hub}) {
      check_stream(graph_config(3, 2, Metric::euclidean, keep), rows);
    }
  }
}

// Lists lose neighbours for a while before anybody reads them: some all they had, some as they get
// others. What is read then is as if they had been read after every sample.
TEST(NeighbourGraph, ListsReadNowAndThenAreComplete) {
  std::vector<Row> outward, hubs;
  StreamShape shape;
  shape.rows = 80;
  shape.features = 3;
  shape.duplicates = Real(0.3);
  for (int i = 0; i < 80; ++i) {
    outward.push_back({{static_cast<Real>(i), 0, 1}});
    const Real place = i % 3 == 0 ? Real(1) / static_cast<Real>(i + 1) : static_cast<Real>(100 + i);
    hubs.push_back({{place, i % 2 == 0 ? place : -place, 0}});
  }
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    for (const auto& rows : {outward, hubs, make_stream(shape)}) {
      const MemoryConfig config = graph_config(3, 4, metric, true);
      Memory seldom(config);
      Memory often(config);
      for (std::size_t t = 0; t < rows.size(); ++t) {
        Observation seen;
        ASSERT_TRUE(seldom.stream.observe(rows[t].sample(), &seen).ok());
        ASSERT_TRUE(often.stream.observe(rows[t].sample(), &seen).ok());
        often.stream.prepare();
        if (t % 13 != 0) continue;
        Digest one, other;
        seldom.stream.digest(one);
        often.stream.digest(other);
        ASSERT_EQ(one.value(), other.value()) << t;
      }
    }
  }
}

// Rows whose length has no finite inverse count as zero vectors: no NaN, no empty place in a list.
TEST(NeighbourGraph, CosineOfTheShortestAndLongestVectors) {
  const Real least = std::numeric_limits<Real>::denorm_min();
  const Real most = std::numeric_limits<Real>::max();
  for (const bool keep : {true, false}) {
    Memory memory(graph_config(2, 3, Metric::cosine, keep));
    for (int i = 0; i < 60; ++i) {
      const Row rows[] = {
          {{least, 0}}, {{least, least}}, {{most, -most}}, {{1, static_cast<Real>(i)}}, {{0, 0}}};
      Observation seen;
      ASSERT_TRUE(memory.stream.observe(rows[i % 5].sample(), &seen).ok());
      const HeldPoints& points = memory.stream.points();
      for (const Slot slot : points.order()) {
        for (std::size_t e = 0; e < memory.stream.graph().degree(points, slot); ++e) {
          ASSERT_LT(memory.stream.graph().neighbours(slot)[e], points.capacity());
          const Real key = memory.stream.graph().keys(slot)[e];
          ASSERT_TRUE(key >= 0 && key <= Real(2.001)) << key;
        }
      }
    }
  }
}

TEST(NeighbourGraph, HugeValuesKeepFullLists) {
  Memory memory(graph_config(2, 3, Metric::euclidean, true));
  const Real huge = std::numeric_limits<Real>::max() / 2;
  for (int i = 0; i < 30; ++i) {
    Observation seen;
    const Row row{{i % 2 == 0 ? huge : -huge, static_cast<Real>(i)}};
    ASSERT_TRUE(memory.stream.observe(row.sample(), &seen).ok());
  }
  for (const Slot slot : memory.stream.points().order()) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NE(memory.stream.points().stamp(memory.stream.graph().neighbours(slot)[i]), kFree);
    }
  }
}

// Coordinates that change all at once change angles, too, also those to points that come before the
// lists are made anew.
TEST(NeighbourGraph, CosineFollowsALearnedScale) {
  StreamShape shape;
  shape.rows = 60;
  shape.features = 5;
  shape.duplicates = 0;
  for (const bool keep : {true, false}) {
    MemoryConfig config = graph_config(5, 3, Metric::cosine, keep);
    config.moments = true;
    config.scaling = Scaling::zscore;
    config.learn = 12;
    config.scale_learning = &kScaleLearning;
    Memory memory(config);
    const std::vector<Row> rows = make_stream(shape);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      Observation seen;
      ASSERT_TRUE(memory.stream.observe(rows[t].sample(), &seen).ok());
      if (t == 40) {
        ASSERT_TRUE(memory.stream.rescale().ok());
      }
      if (t % 5 != 0) continue;
      memory.stream.prepare();
      std::vector<Point> points;
      for (const Slot slot : memory.stream.points().order()) {
        const Real* x = memory.stream.points().row(slot);
        points.push_back({Vector(x, x + 5), -1});
      }
      expect_lists(memory.stream, points, 3, true);
    }
    EXPECT_EQ(memory.stream.scales_learned(), 2U);
  }
}

// Angles with means in place of missing values: all lists are made anew once after a change, and
// not again.
TEST(NeighbourGraph, MakesListsAnewOncePerChangeOfMeans) {
  const MemoryConfig config = graph_config(2, 2, Metric::cosine, false);
  std::vector<std::uint64_t> bytes(
      (HeldPoints::required_bytes(config) + NeighbourGraph::required_bytes(config)) / 8);
  Arena arena(bytes.data(), bytes.size() * 8);
  HeldPoints points;
  points.place(arena, config);
  NeighbourGraph* graph = make_neighbour_graph(arena, config);
  const auto add = [&](std::uint64_t number, Real x, Real y) {
    const Slot slot = points.add(kUnlabelled, number, number + 1);
    points.row(slot)[0] = x;
    points.row(slot)[1] = y;
    points.note_missing(slot, is_missing(y));
    graph->add(points, slot);
    return slot;
  };
  const Slot one = add(0, 1, 0);
  const Slot hole = add(1, 1, kNoScore);
  const Slot other = add(2, 1, 8);
  add(3, 1, 3);
  graph->prepare(points);
  const Real before = graph->keys(one)[0];
  EXPECT_EQ(graph->neighbours(hole)[0], points.order()[3]) << "the mean is 11 / 3";
  points.row(other)[1] = 0;  // which nobody told the graph
  graph->prepare(points);
  EXPECT_EQ(graph->keys(one)[0], before);
  graph->move(points, other);
  graph->prepare(points);
  EXPECT_EQ(graph->keys(one)[0], Real(0)) << "now the same direction";
  EXPECT_EQ(graph->neighbours(one)[0], other);
  EXPECT_NEAR(static_cast<double>(graph->keys(hole)[0]), 1 - 4 / std::sqrt(20.0), 1e-6)
      << "the mean is 1";
}

// Points that move, older and younger ones: the graph is that of the places where they are now.
TEST(NeighbourGraph, FollowsPointsThatMove) {
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    for (const bool keep : {true, false}) {
      MemoryConfig config = graph_config(3, 4, metric, keep);
      config.window = 20;
      std::vector<std::uint64_t> bytes(
          (HeldPoints::required_bytes(config) + NeighbourGraph::required_bytes(config)) / 8);
      Arena arena(bytes.data(), bytes.size() * 8);
      HeldPoints points;
      points.place(arena, config);
      NeighbourGraph* graph = make_neighbour_graph(arena, config);
      Random random(9);
      const auto put = [&](Slot slot) {
        for (std::size_t r = 0; r < 3; ++r) {
          points.row(slot)[r] =
              static_cast<Real>(1 + random.below(metric == Metric::cosine ? 4000 : 4));
        }
      };
      for (std::uint64_t i = 0; i < 20; ++i) {
        const Slot slot = points.add(kUnlabelled, i, i + 1);
        put(slot);
        graph->add(points, slot);
      }
      for (int step = 0; step < 100; ++step) {
        const Slot moved = points.order()[random.below(20)];
        put(moved);
        graph->move(points, moved);
        graph->prepare(points);
        std::vector<Point> places;
        for (const Slot slot : points.order()) {
          const Real* x = points.row(slot);
          places.push_back({Vector(x, x + 3), -1});
        }
        const auto expected = nearest(places, 4, metric == Metric::cosine);
        for (std::size_t i = 0; i < 20; ++i) {
          for (std::size_t e = 0; e < 4; ++e) {
            ASSERT_EQ(graph->neighbours(points.order()[i])[e], points.order()[expected[i][e]])
                << step << " " << i << " " << e;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace whittle::testing
