// Local and global consistency in double precision: z-scores, neighbours by sorting, a dense system
// solved by elimination with full pivoting.
#ifndef WHITTLE_TESTS_SHARED_PROPAGATION_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_PROPAGATION_REFERENCE_H_

#include <cstddef>
#include <vector>

#include "tests/shared/reference.h"

namespace whittle::testing {

// Gauss-Jordan elimination with full pivoting.
Matrix dense_inverse(Matrix a, double* log_determinant = nullptr);

// Population z-scores of the present values, 0 in place of missing ones and for constant features.
std::vector<Vector> z_scores(const std::vector<Point>& points);

// The neighbour graph on rows that miss nothing, as edges of 1.
Matrix row_edges(const std::vector<Vector>& rows, std::size_t k);

// F of local and global consistency for y in {-1, 0, +1}: column 0 for -1, column 1 for +1.
Matrix propagated(const Matrix& weights, const std::vector<int>& y);
// +1 or -1 for every point: its label, or the pseudo label.
std::vector<int> pseudo_labels(const Matrix& f, const std::vector<int>& y, bool normalised = true);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_PROPAGATION_REFERENCE_H_
