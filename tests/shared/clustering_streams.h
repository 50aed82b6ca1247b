// What the tests of wckm and l2gfs share: streams of classes that are clusters, rankers over them.
#ifndef WHITTLE_TESTS_SHARED_CLUSTERING_STREAMS_H_
#define WHITTLE_TESTS_SHARED_CLUSTERING_STREAMS_H_

#include <cstring>
#include <set>
#include <vector>

#include "tests/shared/ranker_fixture.h"

namespace whittle::testing {

// Off the grid of make_stream: with ties between clusters the passes would depend on rounding. The
// last feature, beside `features`, is constant.
inline std::vector<Row> separated_stream(std::uint64_t seed, std::size_t rows, std::size_t features,
                                         std::uint32_t classes) {
  Random random(seed);
  std::vector<Row> all;
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    const std::uint32_t group = random.below(classes);
    if (random.below(3) == 0) {
      row.kind = SampleKind::labelled;
      row.label = group;
    } else if (random.below(12) == 0) {
      row.kind = SampleKind::universum;
    }
    for (std::size_t r = 0; r < features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform();
      row.x.push_back(noise + (r < classes && r == group ? Real(1.5) : Real(0)));
    }
    row.x.push_back(Real(3));
    all.push_back(row);
  }
  return all;
}

inline std::size_t classes_in(const std::vector<Row>& rows) {
  std::set<std::uint32_t> seen;
  for (const Row& row : rows) {
    if (row.kind == SampleKind::labelled) seen.insert(row.label);
  }
  return seen.size();
}

inline RankerConfig clustering_config(const SelectorType& type, std::size_t features,
                                      std::uint32_t classes, bool effective, std::uint32_t labelled,
                                      std::uint32_t window) {
  RankerConfig config(type);
  config.memory.features = static_cast<std::uint32_t>(features);
  config.memory.classes = classes;
  config.memory.labelled = labelled;
  config.memory.window = window;
  EXPECT_TRUE(config.values.set(type.params, "relevance", effective ? 2 : 1).ok());
  return config;
}

inline void expect_same_bits(FeatureRanker& a, FeatureRanker& b) {
  ASSERT_TRUE(a.rank(0).ok());
  ASSERT_TRUE(b.rank(0).ok());
  const Span<const Real> scores = a.ranking().scores();
  EXPECT_EQ(std::memcmp(scores.data(), b.ranking().scores().data(), scores.size() * sizeof(Real)),
            0);
}

// One pass from random starts: the same from the same seed, and from some others not.
inline void expect_seeds_matter(const SelectorType& type) {
  std::vector<Real> first;
  bool any_differs = false;
  for (const int seed : {1, 1, 2, 3, 4}) {
    RankerConfig config = clustering_config(type, 7, 3, false, 32, 48);
    ASSERT_TRUE(config.values.set(type.params, "seed", static_cast<Real>(seed)).ok());
    ASSERT_TRUE(config.values.set(type.params, "max_iter", 1).ok());
    RankerInBuffer ranker(config);
    for (const Row& row : separated_stream(9, 60, 6, 3)) {
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
    }
    ranker->refine(1);
    ASSERT_TRUE(ranker->rank(0).ok());
    const Span<const Real> scores = ranker->ranking().scores();
    const std::vector<Real> all(scores.begin(), scores.begin() + 6);
    if (first.empty()) {
      first = all;
    } else if (seed == 1) {
      EXPECT_EQ(all, first);
    } else {
      any_differs = any_differs || all != first;
    }
  }
  EXPECT_TRUE(any_differs);
}

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_CLUSTERING_STREAMS_H_
