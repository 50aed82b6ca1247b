#include "tests/shared/placed_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/shared/graph_reference.h"

namespace whittle::testing {

PlacedPoints::PlacedPoints(const std::vector<Point>& points, const PlacedPairs& must_link,
                           const PlacedPairs& cannot_link) {
  MemoryConfig config;
  hold_samples(config);
  config.explicit_pairs = &kExplicitPairs;
  config.features = static_cast<std::uint32_t>(points.front().x.size());
  config.pairs = static_cast<std::uint32_t>(must_link.size() + cannot_link.size());
  for (const Point& point : points) {
    ++(point.label < 0 ? config.window : config.labelled);
    config.classes = std::max(config.classes, static_cast<std::uint32_t>(point.label + 1));
  }
  if (config.labelled > 0) config.labelled = std::max(config.labelled, config.classes);
  const std::size_t bytes =
      StreamMemory::required_bytes(config) + FilledPoints::required_bytes(config.features);
  buffer_.resize(bytes / sizeof(std::uint64_t) + 1);
  Arena arena(buffer_.data(), buffer_.size() * sizeof(std::uint64_t));
  EXPECT_TRUE(memory_.create(arena, config).ok());
  filled_.place(arena, config.features);
  Observation seen;
  for (const Row& row : rows_of(points)) EXPECT_TRUE(memory_.observe(row.sample(), &seen).ok());
  for (const PlacedPair& pair : must_link) {  // samples are numbered from 1
    EXPECT_TRUE(memory_.constrain(pair.newer + 1, pair.older + 1, true).ok());
  }
  for (const PlacedPair& pair : cannot_link) {
    EXPECT_TRUE(memory_.constrain(pair.newer + 1, pair.older + 1, false).ok());
  }
  filled_.update(memory_.points());
}

std::size_t PlacedPoints::place_of(Slot slot) const {
  const auto order = points().order();
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), slot) - order.begin());
}

std::vector<Point> make_cloud(const CloudShape& shape) {
  Random random(shape.seed);
  const auto chance = [&](double share) { return static_cast<double>(random.uniform()) < share; };
  std::vector<Point> points;
  while (points.size() < shape.points) {
    Point point;
    const auto group = random.below(static_cast<std::uint32_t>(shape.groups));
    if (chance(shape.labelled)) point.label = static_cast<int>(group);
    for (std::size_t r = 0; r < shape.features; ++r) {
      const Real noise = random.uniform() + random.uniform() + random.uniform();
      const double value = 2 * static_cast<double>(noise) +
                           (r % shape.groups == group ? shape.apart : 0) + shape.offset;
      point.x.push_back(static_cast<double>(static_cast<Real>(value)));
    }
    if (!points.empty() && chance(shape.repeated)) {
      point.x = points[random.below(static_cast<std::uint32_t>(points.size()))].x;
    }
    const std::size_t kept = random.below(static_cast<std::uint32_t>(shape.features));
    for (std::size_t r = 0; r < shape.features; ++r) {
      if (r != kept && chance(shape.missing)) point.x[r] = no_score();
    }
    points.push_back(point);
  }
  return points;
}

std::vector<Row> rows_of(const std::vector<Point>& points) {
  std::vector<Row> rows;
  for (const Point& point : points) {
    Row row;
    for (const double value : point.x) row.x.push_back(static_cast<Real>(value));
    if (point.label >= 0) {
      row.kind = SampleKind::labelled;
      row.label = static_cast<std::uint32_t>(point.label);
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<Vector> filled_vectors(const std::vector<Point>& points) {
  std::vector<Vector> filled;
  for (const Point& point : points) {
    Vector x = point.x;
    for (std::size_t r = 0; r < x.size(); ++r) {
      if (!std::isnan(x[r])) continue;
      const Vector present = present_values(points, r);
      x[r] = present.empty() ? 0 : mean_of(present);
    }
    filled.push_back(x);
  }
  return filled;
}

}  // namespace whittle::testing
