// The formulas of docs/methods.md in double precision, by brute force over samples kept in a
// vector: pairs are enumerated, neighbours sorted, nothing is incremental.
#ifndef WHITTLE_TESTS_SHARED_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_REFERENCE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/shared/test_streams.h"

namespace whittle::testing {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// A held point: scaled coordinates, class or -1, age.
struct Point {
  Vector x;
  int label = -1;
};

// No score is NaN, like in the core.
double no_score();

// What must be held after these rows: the labelled buffer and window of HeldPoints,
// oldest first.
std::vector<Row> held_after(const std::vector<Row>& rows, std::size_t labelled, std::size_t window,
                            std::uint32_t classes);
std::vector<Point> points_of(const std::vector<Row>& rows, const Vector& offset = {},
                             const Vector& gain = {});

// E1: rows are all seen so far; one score per feature.
Vector variance_scores(const std::vector<Row>& rows);
Vector fisher_scores(const std::vector<Row>& rows, std::uint32_t classes);
Vector cs1_scores(const std::vector<Row>& rows);
Vector cs2_scores(const std::vector<Row>& rows, double nu);
Vector uvs_scores(const std::vector<Row>& rows, double alpha, double beta, bool printed);

// E2: over held points, oldest first. lambda < 0 is auto.
struct GraphParams {
  std::size_t k = 10;
  double lambda = -1;
  bool cosine = false;
  bool use_labels = true;
};
std::vector<std::vector<std::size_t>> nearest(const std::vector<Point>& points, std::size_t k,
                                              bool cosine);
double squared_distance(const Vector& a, const Vector& b);
Vector ls_scores(const std::vector<Point>& points, const GraphParams& params);
Vector cls_scores(const std::vector<Point>& points, const GraphParams& params);

// E3: the batch result of l2gfs from the class means.
struct L2gfsResult {
  std::vector<std::size_t> membership;
  Vector weight;     // relevance by weight
  Vector effective;  // relevance by effect
  double objective = 0;
  double separation = 0;
  int iterations = 0;
  int violations = 0;
  double moved = 1;  // share of the points whose assignment changed in the last pass
  bool converged = false;
};
L2gfsResult l2gfs(const std::vector<Point>& points, std::uint32_t classes, double beta,
                  int max_iterations);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_REFERENCE_H_
