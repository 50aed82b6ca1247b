// Points that are held as they are given, for what works on held points without a stream, and
// random ones to give.
#ifndef WHITTLE_TESTS_SHARED_PLACED_POINTS_H_
#define WHITTLE_TESTS_SHARED_PLACED_POINTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/shared/reference.h"
#include "whittle/memory/filled_points.h"
#include "whittle/memory/stream_memory.h"

namespace whittle::testing {

// Two points, as places in the order of age.
struct PlacedPair {
  std::size_t newer = 0;
  std::size_t older = 0;
  bool operator==(const PlacedPair&) const = default;
};
using PlacedPairs = std::vector<PlacedPair>;

// Points, oldest first, with explicit constraints beside their labels, in memory that evicts
// nothing.
class PlacedPoints {
 public:
  explicit PlacedPoints(const std::vector<Point>& points, const PlacedPairs& must_link = {},
                        const PlacedPairs& cannot_link = {});

  const MemoryConfig& config() const { return memory_.config(); }
  const HeldPoints& points() const { return memory_.points(); }
  const Constraints& constraints() const { return memory_.constraints(); }
  const FilledPoints& filled() const { return filled_; }
  Slot slot(std::size_t place) const { return points().order()[place]; }
  std::size_t place_of(Slot slot) const;

 private:
  std::vector<std::uint64_t> buffer_;
  StreamMemory memory_;
  FilledPoints filled_;
};

// Random points in groups, with labels, missing cells and repeated points.
struct CloudShape {
  std::uint64_t seed = 1;
  std::size_t points = 20;
  std::size_t features = 4;
  std::size_t groups = 3;  // of which a point's class, if it has one, is its own
  double apart = 3;        // distance of neighbouring groups, in standard deviations or so
  double labelled = 0.5;   // shares
  double missing = 0;      // of cells
  double repeated = 0;     // of points
  double offset = 0;
};
std::vector<Point> make_cloud(const CloudShape& shape);
// The cells as they are in a row of the core, so that both sides start from the same numbers.
std::vector<Row> rows_of(const std::vector<Point>& points);

// Vectors with means of the present values in place of missing cells.
std::vector<Vector> filled_vectors(const std::vector<Point>& points);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_PLACED_POINTS_H_
