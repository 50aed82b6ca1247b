// Redundancy elimination by brute force in double precision: all correlations, all edges between
// what is in the tree and what is not.
#ifndef WHITTLE_TESTS_SHARED_REDUNDANCY_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_REDUNDANCY_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/shared/placed_points.h"

namespace whittle::testing {

using Order = std::vector<std::uint32_t>;

struct Elimination {
  Order order;  // the kept, then the rest, each as before
  std::size_t kept = 0;
};

// Algorithms 11 and 12 on the first h features of an order.
Elimination eliminated(const std::vector<Point>& points, const Order& order, std::size_t h,
                       double min_mi);

// Features that are mixtures of three sources and noise.
std::vector<Point> make_mixtures(std::uint64_t seed, std::size_t n, std::size_t m, double noise,
                                 double missing = 0, double offset = 0);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_REDUNDANCY_REFERENCE_H_
