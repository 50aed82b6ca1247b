// JSFS in double precision, straight from docs/methods.md: dense matrices, inverses by elimination
// with full pivoting.
#ifndef WHITTLE_TESTS_SHARED_JSFS_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_JSFS_REFERENCE_H_

#include <cstddef>
#include <vector>

#include "tests/shared/propagation_reference.h"

namespace whittle::testing {

struct JsfsParams {
  std::size_t k = 20;
  double eta = 10, gamma = 0.001, mu = 1, beta = 5, tol = 1e-3;
  int max_iter = 200;
};

struct JsfsResult {
  Vector w;                    // 0 for a feature that was removed
  std::vector<bool> selected;  // the survivors
  Vector lambda;               // per point: 1 if labelled, 0 if removed
  Vector objectives;           // the log marginal likelihood after each pass
  std::size_t kept_samples = 0;
  int passes = 0;
  double residual = 1;  // the largest change of a weight in the last pass, over the largest weight
  bool converged = false;
  double nearest_call =
      1;  // how close a decision was: the least relative distance from a threshold
};

// One problem of two classes.
JsfsResult jsfs(const std::vector<Point>& points, const std::vector<int>& y,
                const JsfsParams& params = {});

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_JSFS_REFERENCE_H_
