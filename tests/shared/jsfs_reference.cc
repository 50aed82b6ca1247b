#include "tests/shared/jsfs_reference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/shared/graph_reference.h"

namespace whittle::testing {
namespace {

double sigmoid(double t) { return 1 / (1 + std::exp(-t)); }
double log_sigmoid(double t) {
  return t < 0 ? t - std::log1p(std::exp(t)) : -std::log1p(std::exp(-t));
}

double length(const Vector& v) {
  double sum = 0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

Vector times(const Matrix& a, const Vector& x) {
  Vector product(a.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) product[i] += a[i][j] * x[j];
  }
  return product;
}

// What Algorithm 1 carries from pass to pass.
class Model {
 public:
  Model(const std::vector<Vector>& z, const std::vector<int>& y, const std::vector<int>& pseudo,
        Matrix b, const JsfsParams& params)
      : x_(z), params_(params), b_(std::move(b)), n_(z.size()) {
    for (std::size_t r = 0; r < b_.size(); ++r) features_.push_back(r);
    w_.assign(b_.size(), 0);
    alpha_.assign(b_.size(), 1);
    lambda_.assign(n_, 1);
    c_.assign(n_, 1);
    for (std::size_t i = 0; i < n_; ++i) {
      labelled_.push_back(y[i] != 0);
      positive_.push_back(pseudo[i] > 0);
      if (y[i] == 0) samples_.push_back(i);
    }
  }

  JsfsResult run() {
    JsfsResult result;
    while (result.passes < params_.max_iter && !result.converged) {
      ++result.passes;
      const Vector before = w_;
      newton_w();
      remove_features();
      newton_lambda();
      remove_samples();
      result.objectives.push_back(update());
      double change = 0, largest = 0;
      for (std::size_t r = 0; r < w_.size(); ++r) {
        change = std::max(change, std::fabs(w_[r] - before[r]));
        largest = std::max(largest, std::fabs(w_[r]));
      }
      result.residual = change / largest;
      note(change, params_.tol * largest);
      result.converged = change <= params_.tol * largest;
    }
    result.w = w_;
    result.selected.assign(w_.size(), false);
    for (const std::size_t r : features_) result.selected[r] = true;
    result.lambda = lambda_;
    for (std::size_t i = 0; i < n_; ++i) result.kept_samples += in_model(i);
    result.nearest_call = nearest_call_;
    return result;
  }

 private:
  bool in_model(std::size_t i) const {
    return labelled_[i] || std::find(samples_.begin(), samples_.end(), i) != samples_.end();
  }
  double weight(std::size_t i) const { return labelled_[i] ? 1 : params_.mu; }
  double product(std::size_t i) const {
    double sum = 0;
    for (const std::size_t r : features_) sum += w_[r] * x_[i][r];
    return sum;
  }
  // Sum of the log likelihood; a removed sample has lambda = 0.
  double log_likelihood() const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double t = lambda_[i] * product(i);
      sum += weight(i) * log_sigmoid(positive_[i] ? t : -t);
    }
    return sum;
  }
  double prior() const {  // w'(A + B)w / 2
    double sum = 0;
    for (const std::size_t r : features_) {
      sum += alpha_[r] * w_[r] * w_[r];
      for (const std::size_t s : features_) sum += w_[r] * b_[r][s] * w_[s];
    }
    return sum / 2;
  }
  double prior_of_samples() const {
    double sum = 0;
    for (const std::size_t j : samples_) {
      sum += c_[j] * lambda_[j] * lambda_[j] / 2 - log_sigmoid(params_.beta * lambda_[j]);
    }
    return sum;
  }

  Vector gradient_w() const {
    Vector g;
    for (const std::size_t r : features_) {
      double sum = -alpha_[r] * w_[r];
      for (const std::size_t s : features_) sum -= b_[r][s] * w_[s];
      for (std::size_t i = 0; i < n_; ++i) {
        const double error = positive_[i] - sigmoid(lambda_[i] * product(i));
        sum += weight(i) * lambda_[i] * x_[i][r] * error;
      }
      g.push_back(sum);
    }
    return g;
  }
  // A + B, and with it X'EX.
  Matrix curvature(bool with_data) const {
    const std::size_t d = features_.size();
    Matrix h(d, Vector(d, 0));
    Vector e(n_, 0);
    for (std::size_t i = 0; with_data && i < n_; ++i) {
      const double p = sigmoid(lambda_[i] * product(i));
      e[i] = weight(i) * lambda_[i] * lambda_[i] * p * (1 - p);
    }
    for (std::size_t a = 0; a < d; ++a) {
      for (std::size_t b = 0; b < d; ++b) {
        const std::size_t r = features_[a], s = features_[b];
        h[a][b] = b_[r][s] + (a == b ? alpha_[r] : 0);
        for (std::size_t i = 0; i < n_; ++i) h[a][b] += e[i] * x_[i][r] * x_[i][s];
      }
    }
    return h;
  }

  void newton_w() {
    for (int step = 0; step < 100; ++step) {
      const Vector g = gradient_w();
      const double size = length(g) / static_cast<double>(g.size());
      note(size, 1e-3);
      if (!(size > 1e-3)) return;
      const Vector direction = times(dense_inverse(curvature(true)), g);
      const Vector start = w_;
      const double before = log_likelihood() - prior();
      double t = 1;
      for (; t > 1e-12; t /= 2) {
        for (std::size_t a = 0; a < features_.size(); ++a) {
          w_[features_[a]] = start[features_[a]] + t * direction[a];
        }
        if (log_likelihood() - prior() > before) break;
      }
      if (t <= 1e-12) {
        w_ = start;
        return;
      }
    }
  }

  void newton_lambda() {
    for (int step = 0; step < 100 && !samples_.empty(); ++step) {
      Vector g, direction;
      for (const std::size_t j : samples_) {
        const double p = product(j), s = sigmoid(lambda_[j] * p);
        const double k = sigmoid(params_.beta * lambda_[j]);
        g.push_back(params_.mu * p * (positive_[j] - s) - c_[j] * lambda_[j] +
                    params_.beta * (1 - k));
        direction.push_back(g.back() / curvature_of(j));
      }
      const double size = length(g) / static_cast<double>(g.size());
      note(size, 1e-3);
      if (!(size > 1e-3)) return;
      const Vector start = lambda_;
      const double before = log_likelihood() - prior_of_samples();
      double t = 1;
      for (; t > 1e-12; t /= 2) {
        for (std::size_t a = 0; a < samples_.size(); ++a) {
          lambda_[samples_[a]] = start[samples_[a]] + t * direction[a];
        }
        if (log_likelihood() - prior_of_samples() > before) break;
      }
      if (t <= 1e-12) {
        lambda_ = start;
        return;
      }
    }
  }
  double curvature_of(std::size_t j) const {
    const double p = product(j), s = sigmoid(lambda_[j] * p);
    const double k = sigmoid(params_.beta * lambda_[j]);
    return params_.mu * p * p * s * (1 - s) + c_[j] + params_.beta * params_.beta * k * (1 - k);
  }

  void remove_features() {
    double largest = 0;
    for (const std::size_t r : features_) largest = std::max(largest, std::fabs(w_[r]));
    std::vector<std::size_t> kept;
    for (const std::size_t r : features_) {
      note(std::fabs(w_[r]), 1e-3 * largest);
      if (std::fabs(w_[r]) < 1e-3 * largest) {
        w_[r] = 0;
      } else {
        kept.push_back(r);
      }
    }
    features_ = kept;
  }
  void remove_samples() {
    std::vector<std::size_t> kept;
    for (const std::size_t j : samples_) {
      note(lambda_[j], 1e-3);
      if (lambda_[j] < 1e-3) {
        lambda_[j] = 0;
      } else {
        kept.push_back(j);
      }
    }
    samples_ = kept;
  }

  // (18) and (20); returns the log marginal likelihood with the hyper-parameters as they were.
  double update() {
    double log_prior = 0, log_hessian = 0;
    const Matrix covariance = dense_inverse(curvature(true), &log_hessian);
    const Matrix of_prior = dense_inverse(curvature(false), &log_prior);
    double objective =
        log_likelihood() - prior() - prior_of_samples() + log_prior / 2 - log_hessian / 2;
    for (std::size_t a = 0; a < features_.size(); ++a) {
      const std::size_t r = features_[a];
      const double g = 1 / alpha_[r] - of_prior[a][a];
      alpha_[r] = 1 / (w_[r] * w_[r] + g + covariance[a][a]);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      if (!labelled_[i]) objective += std::log(2.0);
    }
    std::size_t removed =
        n_ - static_cast<std::size_t>(std::count(labelled_.begin(), labelled_.end(), true)) -
        samples_.size();
    objective += static_cast<double>(removed) * log_sigmoid(0);
    for (const std::size_t j : samples_) {
      objective += (std::log(c_[j]) - std::log(curvature_of(j))) / 2;
      c_[j] = 1 / (lambda_[j] * lambda_[j] + 1 / curvature_of(j));
    }
    return objective;
  }

  void note(double value, double threshold) {
    if (threshold > 0) nearest_call_ = std::min(nearest_call_, std::fabs(value / threshold - 1));
  }

  std::vector<Vector> x_;
  JsfsParams params_;
  Matrix b_;
  std::size_t n_;
  std::vector<std::size_t> features_, samples_;  // survivors
  std::vector<bool> labelled_, positive_;
  Vector w_, alpha_, lambda_, c_;
  double nearest_call_ = 1;
};

}  // namespace

JsfsResult jsfs(const std::vector<Point>& points, const std::vector<int>& y,
                const JsfsParams& params) {
  const std::vector<Vector> z = z_scores(points);
  const std::size_t n = z.size(), m = z[0].size();
  Matrix edge = row_edges(z, params.k);
  for (std::size_t i = 0; i < n; ++i) {  // no value in common: no edge. Rare: other neighbours stay
    for (std::size_t j = 0; j < n; ++j) {
      if (std::isnan(present_distance(points[i].x, points[j].x))) edge[i][j] = 0;
    }
  }
  std::vector<Point> rows;
  for (const Vector& row : z) rows.push_back({row, -1});
  const std::vector<int> pseudo = pseudo_labels(propagated(edge_weights(rows, edge, -1), y), y);
  std::vector<std::size_t> varying;
  for (std::size_t r = 0; r < m; ++r) {
    if (std::any_of(z.begin(), z.end(), [&](const Vector& row) { return row[r] != 0; })) {
      varying.push_back(r);
    }
  }
  std::vector<Vector> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const std::size_t r : varying) x[i].push_back(z[i][r]);
  }
  Matrix b(varying.size(), Vector(varying.size(), 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both = y[i] != 0 && y[j] != 0;
      const double s = both ? (y[i] == y[j] ? params.eta : 0) : edge[i][j];
      if (s == 0) continue;
      for (std::size_t r = 0; r < b.size(); ++r) {
        for (std::size_t t = 0; t < b.size(); ++t) {
          b[r][t] += params.gamma * s * (x[i][r] - x[j][r]) * (x[i][t] - x[j][t]);
        }
      }
    }
  }
  const JsfsResult inner = Model(x, y, pseudo, b, params).run();
  JsfsResult result = inner;
  result.w.assign(m, 0);
  result.selected.assign(m, false);
  for (std::size_t a = 0; a < varying.size(); ++a) {
    result.w[varying[a]] = inner.w[a];
    result.selected[varying[a]] = inner.selected[a];
  }
  return result;
}

}  // namespace whittle::testing
