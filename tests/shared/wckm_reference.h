// Algorithm 13 of the thesis in double precision, as docs/methods.md settles it: constraints are
// pairs of points, nothing is incremental.
#ifndef WHITTLE_TESTS_SHARED_WCKM_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_WCKM_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "tests/shared/reference.h"

namespace whittle::testing {

struct WckmResult {
  Matrix degrees;         // by point and cluster
  Vector weight;          // w
  Vector effective;       // w^beta, dispersions floored
  Vector moved;           // by pass: how far the degree that moved most did
  double objective = 0;   // (4.4)
  double violations = 0;  // (4.7) and (4.8)
  double separation = 0;
};

// `passes` of them from the class means, whether or not they have converged.
WckmResult wckm(const std::vector<Point>& points, std::uint32_t classes, double beta, int passes);

// What comes of assigning the points one by one as they arrive.
WckmResult wckm_of_stream(const std::vector<Point>& points, std::uint32_t classes, double beta);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_WCKM_REFERENCE_H_
