// The elastic-net hinge problems of docs/methods.md in double precision, by ascent on their dual
// (not by the active set of the library), to a proven gap; and senfs's concave-convex procedure on
// top of it.
#ifndef WHITTLE_TESTS_SHARED_HINGE_REFERENCE_H_
#define WHITTLE_TESTS_SHARED_HINGE_REFERENCE_H_

#include <vector>

#include "tests/shared/reference.h"

namespace whittle::testing {

struct HingeParams {
  double c = 1;
  double c_star = 0;
  double l1 = 3;
  double l2 = 30;
  double s = 0.3;
  double precision = 1e-8;  // of the objective, relative
};

struct HingeSolution {
  Vector w;
  double b = 0;
  double objective = 0;
  double gap = 0;  // objective less the dual's value: how far from the minimum it can be at most
  int rounds = 0;  // of senfs
};

// sum_i C max(0, 1 - y_i (w'x_i + b)) + l1 |w|_1 + l2/2 |w|^2; y_i is 1, -1 or 0: not there.
double svm_objective(const std::vector<Vector>& x, const std::vector<int>& y,
                     const HingeParams& params, const Vector& w, double b);
// [S] (6): the same, and C_star times the clipped losses of the points with y_i = 0.
double senfs_objective(const std::vector<Vector>& x, const std::vector<int>& y,
                       const HingeParams& params, const Vector& w, double b);
// Mean of w'x + b over the points with y_i = 0, less the mean of the labels.
double balance_residual(const std::vector<Vector>& x, const std::vector<int>& y, const Vector& w,
                        double b);

// drsvm and, with a small l2, nearly l1svm; b is the middle of its optimal interval.
HingeSolution reference_svm(const std::vector<Vector>& x, const std::vector<int>& y,
                            const HingeParams& params);
HingeSolution reference_senfs(const std::vector<Vector>& x, const std::vector<int>& y,
                              const HingeParams& params);

// The round of senfs that follows from w and b: the objective is that of the convex problem, the
// concave part of the losses replaced by its tangent at them, which is senfs_objective there.
HingeSolution reference_round(const std::vector<Vector>& x, const std::vector<int>& y,
                              const HingeParams& params, const Vector& w, double b);

// Labels of held points as +1, -1 or 0 for the problem of a class.
std::vector<int> signs_of(const std::vector<Point>& points, int positive);

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_HINGE_REFERENCE_H_
