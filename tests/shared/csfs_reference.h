// Csfs and what it is made of, by brute force in double precision: segments are projected as
// vectors, clusters merged from their centroids, all pairs looked at.
#ifndef WHITTLE_TESTS_SHARED_CSFS_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_CSFS_REFERENCE_H_

#include <cstddef>
#include <vector>

#include "tests/shared/graph_reference.h"
#include "tests/shared/placed_points.h"

namespace whittle::testing {

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

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_CSFS_REFERENCE_H_
