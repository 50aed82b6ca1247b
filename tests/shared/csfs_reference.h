// Csfs and what it is made of, by brute force in double precision: segments are projected as
// vectors, clusters merged from their centroids, all pairs looked at. And held points without a
// stream.
#ifndef WHITTLE_TESTS_SHARED_CSFS_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_CSFS_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/shared/graph_reference.h"
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

// The newest pairs of closed_links; of those that labels imply.
PlacedPairs newest_pairs(const Matrix& links, bool must_link, std::size_t limit);
PlacedPairs newest_pairs(const std::vector<Point>& points, bool must_link, std::size_t limit);

struct Coherent {
  PlacedPairs must_link;
  PlacedPairs cannot_link;
};
// Algorithm 9.
Coherent coherent_pairs(const std::vector<Vector>& points, const Coherent& pairs);

// By point, the oldest point of its cluster.
std::vector<std::size_t> ward_clusters(const std::vector<Vector>& points);
std::vector<std::size_t> ward_clusters(const std::vector<Vector>& points, std::size_t clusters);
double davies_bouldin(const std::vector<Vector>& points, const std::vector<std::size_t>& clusters);

struct CsfsParams {
  std::size_t k = 0;
  double lambda = -1;
  bool cosine = false;
  std::size_t max_constraints = 2000;
};
Matrix csfs_edges(const std::vector<Point>& points, const CsfsParams& params);
Vector csfs_scores(const std::vector<Point>& points, const CsfsParams& params,
                   const std::vector<GivenPair>& given = {});

// Algorithms 11 and 12: which features of an order are kept, in that order.
std::vector<std::uint32_t> kept_features(const std::vector<Vector>& points,
                                         const std::vector<std::uint32_t>& order, double min_mi);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_CSFS_REFERENCE_H_
