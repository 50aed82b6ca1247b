#include "tests/shared/hinge_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace whittle::testing {
namespace {

// phi(g) convex, with these slopes below -1, between and above 1, and this value at g = 0.
struct Loss {
  double slopes[3];
  double at_zero;

  double value(double g) const {
    double sum = at_zero + slopes[1] * std::clamp(g, -1.0, 1.0);
    if (g < -1) sum += slopes[0] * (g + 1);
    if (g > 1) sum += slopes[2] * (g - 1);
    return sum;
  }
  double conjugate(double a) const { return std::max(-a - value(-1), a - value(1)); }
  // The g at which phi has slope a: an interval.
  double least_margin(double a) const {
    if (a <= slopes[0]) return -std::numeric_limits<double>::infinity();
    return a <= slopes[1] ? -1 : 1;
  }
  double most_margin(double a) const {
    if (a >= slopes[2]) return std::numeric_limits<double>::infinity();
    return a >= slopes[1] ? 1 : -1;
  }
};

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

// min over w (and b, unless it is fixed) of sum_i loss_i(w'x_i + b) + l1 |w|_1 + l2/2 |w|^2.
class DualAscent {
 public:
  DualAscent(std::vector<Vector> x, std::vector<Loss> losses, const HingeParams& params)
      : x_(std::move(x)),
        losses_(std::move(losses)),
        l1_(params.l1),
        l2_(params.l2),
        precision_(params.precision),
        slopes_(x_.size()) {
    pulls_.assign(x_.empty() ? 0 : x_[0].size(), 0.0);
  }

  HingeSolution solve_fixed(double b) {
    for (std::size_t i = 0; i < x_.size(); ++i) set(i, losses_[i].slopes[1]);
    HingeSolution best = at(b, b * sum());
    for (int sweep = 0; sweep < 4000 && !done(best); ++sweep) {
      for (std::size_t i = 0; i < x_.size(); ++i) climb(i, b);
      if (sweep % 4 == 3) best = at(b, b * sum());
    }
    return best;
  }

  HingeSolution solve_free() {
    // Any slopes that sum to 0; those of a hinge loss can all be 0.
    for (std::size_t i = 0; i < x_.size(); ++i) set(i, 0.0);
    HingeSolution best = at(best_bias(), 0);
    for (int round = 0; round < 4000 && !done(best); ++round) {
      for (std::size_t i = 0; i < x_.size(); ++i) climb_pair();
      best = at(best_bias(), 0);
    }
    return best;
  }

 private:
  bool done(const HingeSolution& solution) const {
    return solution.gap <= precision_ * solution.objective;
  }
  double sum() const {
    double total = 0;
    for (const double slope : slopes_) total += slope;
    return total;
  }
  Vector weights() const {
    Vector w;
    for (const double pull : pulls_) {
      const double size = std::max(0.0, std::fabs(pull) - l1_) / l2_;
      w.push_back(pull > 0 ? -size : size);
    }
    return w;
  }
  void set(std::size_t i, double slope) {
    for (std::size_t r = 0; r < pulls_.size(); ++r) pulls_[r] += (slope - slopes_[i]) * x_[i][r];
    slopes_[i] = slope;
  }
  double margin(const Vector& w, std::size_t i) const { return product(w, x_[i]); }

  HingeSolution at(double b, double dual) const {
    HingeSolution solution;
    solution.w = weights();
    solution.b = b;
    double squares = 0;
    for (const double w : solution.w) {
      solution.objective += l1_ * std::fabs(w) + l2_ / 2 * w * w;
      squares += w * w;
    }
    dual -= l2_ / 2 * squares;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      solution.objective += losses_[i].value(margin(solution.w, i) + b);
      dual -= losses_[i].conjugate(slopes_[i]);
    }
    solution.gap = solution.objective - dual;
    return solution;
  }

  // Maximises over one slope: its margin falls as the slope rises, down to one that has it.
  void climb(std::size_t i, double b) {
    const Loss& loss = losses_[i];
    double low = loss.slopes[0];
    double high = loss.slopes[2];
    for (int halving = 0; halving < 50 && high - low > 1e-14 * (1 + std::fabs(high)); ++halving) {
      const double middle = halving == 0 ? std::clamp(slopes_[i], low, high) : (low + high) / 2;
      set(i, middle);
      const double g = margin(weights(), i) + b;
      if (g > loss.most_margin(middle)) {
        low = middle;
      } else if (g < loss.least_margin(middle)) {
        high = middle;
      } else {
        return;
      }
    }
  }

  // Moves slope from the point that least deserves it to the one that most does, to the best.
  void climb_pair() {
    const Vector w = weights();
    std::size_t up = x_.size(), down = x_.size();
    double most = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double g = margin(w, i);
      if (slopes_[i] < losses_[i].slopes[2] && g - losses_[i].most_margin(slopes_[i]) > most) {
        most = g - losses_[i].most_margin(slopes_[i]);
        up = i;
      }
      if (slopes_[i] > losses_[i].slopes[0] && g - losses_[i].least_margin(slopes_[i]) < least) {
        least = g - losses_[i].least_margin(slopes_[i]);
        down = i;
      }
    }
    if (up == x_.size() || down == x_.size() || up == down) return;
    const double first = slopes_[up], second = slopes_[down];
    double low = 0;
    double high = std::min(losses_[up].slopes[2] - first, second - losses_[down].slopes[0]);
    // Not past a kink of either: a hinge loss has one, so slopes inside are on one side of none.
    for (int halving = 0; halving < 60; ++halving) {
      const double step = halving == 0 ? high : (low + high) / 2;
      set(up, first + step);
      set(down, second - step);
      const Vector now = weights();
      const double gain = (margin(now, up) - kink(up)) - (margin(now, down) - kink(down));
      if (gain >= 0 && halving == 0) return;
      (gain > 0 ? low : high) = step;
    }
  }
  double kink(std::size_t i) const { return losses_[i].slopes[0] < losses_[i].slopes[1] ? -1 : 1; }

  // The middle of the biases that are best for the weights.
  double best_bias() const {
    const Vector w = weights();
    Vector kinks;
    for (std::size_t i = 0; i < x_.size(); ++i) kinks.push_back(kink(i) - margin(w, i));
    const auto cost = [&](double b) {
      double total = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) total += losses_[i].value(margin(w, i) + b);
      return total;
    };
    double best = std::numeric_limits<double>::infinity();
    for (const double b : kinks) best = std::min(best, cost(b));
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double b : kinks) {
      if (cost(b) > best + 1e-9 * (1 + best)) continue;
      low = std::min(low, b);
      high = std::max(high, b);
    }
    return (low + high) / 2;
  }

  std::vector<Vector> x_;
  std::vector<Loss> losses_;
  double l1_;
  double l2_;
  double precision_;
  Vector slopes_;  // the dual variables: the slope of each loss at its margin
  Vector pulls_;   // sum_i slope_i x_i
};

Loss hinge(int y, double c) {
  if (y > 0) return {{-c, -c, 0}, c};
  return {{0, c, c}, c};
}
// c (|1 - g|_+ + |1 + g|_+ - t g)
Loss both_hinges(int pull, double c) {
  return {{c * (-1 - pull), c * -pull, c * (1 - pull)}, 2 * c};
}

double penalties(const HingeParams& params, const Vector& w) {
  double sum = 0;
  for (const double value : w) sum += params.l1 * std::fabs(value) + params.l2 / 2 * value * value;
  return sum;
}

Vector mean_of_unlabelled(const std::vector<Vector>& x, const std::vector<int>& y) {
  Vector mean(x[0].size(), 0.0);
  const auto count = static_cast<double>(std::count(y.begin(), y.end(), 0));
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t r = 0; y[i] == 0 && r < mean.size(); ++r) mean[r] += x[i][r] / count;
  }
  return mean;
}

double mean_label(const std::vector<int>& y) {
  double sum = 0, count = 0;
  for (const int label : y) {
    sum += label;
    count += label != 0 ? 1 : 0;
  }
  return sum / count;
}

}  // namespace

double svm_objective(const std::vector<Vector>& x, const std::vector<int>& y,
                     const HingeParams& params, const Vector& w, double b) {
  double sum = penalties(params, w);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] != 0) sum += params.c * std::max(0.0, 1 - y[i] * (product(w, x[i]) + b));
  }
  return sum;
}

double senfs_objective(const std::vector<Vector>& x, const std::vector<int>& y,
                       const HingeParams& params, const Vector& w, double b) {
  double sum = svm_objective(x, y, params, w, b);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] != 0) continue;
    const double g = product(w, x[i]) + b;
    for (const double z : {g, -g}) {
      sum += params.c_star * (std::max(0.0, 1 - z) - std::max(0.0, params.s - z));
    }
  }
  return sum;
}

double balance_residual(const std::vector<Vector>& x, const std::vector<int>& y, const Vector& w,
                        double b) {
  return product(w, mean_of_unlabelled(x, y)) + b - mean_label(y);
}

HingeSolution reference_svm(const std::vector<Vector>& x, const std::vector<int>& y,
                            const HingeParams& params) {
  std::vector<Vector> points;
  std::vector<Loss> losses;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] == 0) continue;
    points.push_back(x[i]);
    losses.push_back(hinge(y[i], params.c));
  }
  return DualAscent(points, losses, params).solve_free();
}

HingeSolution reference_senfs(const std::vector<Vector>& x, const std::vector<int>& y,
                              const HingeParams& params) {
  if (std::count(y.begin(), y.end(), 0) == 0) return reference_svm(x, y, params);
  const Vector origin = mean_of_unlabelled(x, y);
  std::vector<Vector> points = x;
  for (Vector& point : points) {
    for (std::size_t r = 0; r < origin.size(); ++r) point[r] -= origin[r];
  }
  HingeParams start = params;
  start.l1 = 0;
  HingeSolution now = reference_svm(points, y, start);
  const double b = mean_label(y);
  std::vector<int> pulls(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double g = product(now.w, points[i]);
    pulls[i] = g > 1e-6 ? 1 : g < -1e-6 ? -1 : 0;  // less is rounding
  }
  int rounds = 0;
  for (bool moved = true; moved && rounds < 50; ++rounds) {
    std::vector<Loss> losses;
    for (std::size_t i = 0; i < x.size(); ++i) {
      losses.push_back(y[i] != 0 ? hinge(y[i], params.c) : both_hinges(pulls[i], params.c_star));
    }
    now = DualAscent(points, losses, params).solve_fixed(b);
    moved = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double g = product(now.w, points[i]) + b;
      const int pull = (g > -params.s ? 1 : 0) - (g < params.s ? 1 : 0);
      moved = moved || (y[i] == 0 && pull != pulls[i]);
      pulls[i] = pull;
    }
  }
  now.b = b - product(now.w, origin);
  now.rounds = rounds;
  now.objective = senfs_objective(x, y, params, now.w, now.b);
  return now;
}

HingeSolution reference_round(const std::vector<Vector>& x, const std::vector<int>& y,
                              const HingeParams& params, const Vector& w, double b) {
  const Vector origin = mean_of_unlabelled(x, y);
  std::vector<Vector> points = x;
  std::vector<Loss> losses;
  double constant = 0;  // what the tangents add to c |1 - g|_+ + c |1 + g|_+ - c t g
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t r = 0; r < origin.size(); ++r) points[i][r] -= origin[r];
    if (y[i] != 0) {
      losses.push_back(hinge(y[i], params.c));
      continue;
    }
    const double g = product(w, x[i]) + b;
    const int pull = (g > -params.s ? 1 : 0) - (g < params.s ? 1 : 0);
    losses.push_back(both_hinges(pull, params.c_star));
    constant -= params.c_star * params.s * (pull == 0 ? 2 : 1);
  }
  HingeSolution next = DualAscent(points, losses, params).solve_fixed(mean_label(y));
  next.b -= product(next.w, origin);
  next.objective += constant;
  return next;
}

std::vector<int> signs_of(const std::vector<Point>& points, int positive) {
  std::vector<int> signs;
  for (const Point& point : points) {
    signs.push_back(point.label < 0 ? 0 : point.label == positive ? 1 : -1);
  }
  return signs;
}

}  // namespace whittle::testing
