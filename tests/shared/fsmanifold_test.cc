// FSManifold against its problem (11) solved otherwise in double precision, after prefixes of
// streams, and what streaming adds.
#include "whittle/select/fsmanifold.h"

#include "tests/shared/margin_streams.h"
#include "tests/shared/svm_reference.h"

namespace whittle::testing {
namespace {

constexpr double kTau = 0.5;
constexpr double kRho = 10;

// X_l Z^-1 X_l' of labelled points less their mean.
Matrix manifold_kernel(const std::vector<Point>& points, const std::vector<Vector>& labelled,
                       std::size_t k) {
  const std::vector<Vector> all = filled(points);
  std::vector<Point> full(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) full[i].x = all[i];
  const auto lists = nearest(full, k, true);
  const std::size_t m = all[0].size();
  Matrix z(m, Vector(m, 0));
  double trace = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::count(lists[i].begin(), lists[i].end(), j) == 0 &&
          std::count(lists[j].begin(), lists[j].end(), i) == 0) {
        continue;
      }
      for (std::size_t r = 0; r < m; ++r) {
        for (std::size_t q = 0; q < m; ++q) {
          z[r][q] += (all[i][r] - all[j][r]) * (all[i][q] - all[j][q]);
        }
        trace += (all[i][r] - all[j][r]) * (all[i][r] - all[j][r]);
      }
    }
  }
  for (std::size_t r = 0; r < m; ++r) z[r][r] += 1e-6 * trace / static_cast<double>(m);
  Matrix h(labelled.size(), Vector(labelled.size(), 0));
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    const Vector solution = solve_dense(z, labelled[i]);
    for (std::size_t j = 0; j < labelled.size(); ++j) {
      h[i][j] = inner_product(labelled[j], solution);
    }
  }
  return h;
}

struct Saddle {
  Vector p;
  double objective = 0;
};

// The problem (11) of one class against the rest.
class Problem {
 public:
  Problem(const std::vector<Point>& points, int positive, std::size_t k, double tau)
      : labelled_(labelled_problem(points, positive)),
        h_(manifold_kernel(points, labelled_.x, k)),
        tau_(tau) {}

  // F(p) = max over alpha; the gradient of F.
  double value(const Vector& p, Vector* gradient) const {
    const std::vector<Vector>& x = labelled_.x;
    Matrix kernel(x.size(), Vector(x.size(), 0));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) {
        for (std::size_t r = 0; r < p.size(); ++r) kernel[i][j] += p[r] * x[i][r] * x[j][r];
        kernel[i][j] = (1 - tau_) * (1 - tau_) * kernel[i][j] + tau_ * tau_ / kRho * h_[i][j];
      }
    }
    const SvmReference svm = svm_reference(kernel, labelled_.y, 1);
    gradient->assign(p.size(), 0);
    for (std::size_t r = 0; r < p.size(); ++r) {
      double s = 0;
      for (std::size_t i = 0; i < x.size(); ++i) s += svm.u[i] * x[i][r];
      (*gradient)[r] = -0.5 * (1 - tau_) * (1 - tau_) * s * s;
    }
    return svm.objective;
  }

  // By moving weight from the feature that needs it least to the one that needs it most, as far as
  // F falls; certified by the linear lower bound at the end.
  Saddle solve(std::size_t count, double accuracy) const {
    const std::size_t m = labelled_.x[0].size();
    Saddle saddle;
    saddle.p.assign(m, static_cast<double>(count) / static_cast<double>(m));
    for (int moves = 0; moves < 2000; ++moves) {
      Vector gradient;
      saddle.objective = value(saddle.p, &gradient);
      if (distance_to_bound(saddle.p, gradient, count) <= accuracy * saddle.objective) {
        return saddle;
      }
      std::size_t up = m;
      std::size_t down = m;
      for (std::size_t r = 0; r < m; ++r) {
        if (saddle.p[r] < 1 && (up == m || gradient[r] < gradient[up])) up = r;
        if (saddle.p[r] > 0 && (down == m || gradient[r] > gradient[down])) down = r;
      }
      move(saddle.p, up, down);
    }
    ADD_FAILURE() << "the reference has not converged";
    return saddle;
  }

 private:
  // F(p) less the least value of its linearisation.
  static double distance_to_bound(const Vector& p, const Vector& gradient, std::size_t count) {
    Vector sorted = gradient;
    std::sort(sorted.begin(), sorted.end());
    double distance = inner_product(p, gradient);
    for (std::size_t r = 0; r < count; ++r) distance -= sorted[r];
    return distance;
  }

  // To where the two slopes are equal, or a bound.
  void move(Vector& p, std::size_t up, std::size_t down) const {
    const double most = std::min(1 - p[up], p[down]);
    double low = 0;
    double high = most;
    const auto moved = [&](double step) {
      Vector point = p;
      point[up] = step == 1 - p[up] ? 1 : p[up] + step;
      point[down] = step == p[down] ? 0 : p[down] - step;
      return point;
    };
    Vector gradient;
    value(moved(most), &gradient);
    if (gradient[up] <= gradient[down]) {
      p = moved(most);
      return;
    }
    for (int halving = 0; halving < 20; ++halving) {
      const double middle = (low + high) / 2;
      value(moved(middle), &gradient);
      (gradient[up] <= gradient[down] ? low : high) = middle;
    }
    p = moved((low + high) / 2);
  }

  LabelledProblem labelled_;
  Matrix h_;
  double tau_;
};

RankerConfig fsmanifold_config(const MarginCase& one, int count, double gap = 1e-4,
                               double tau = kTau) {
  RankerConfig config = margin_config(kFsmanifold, one);
  EXPECT_TRUE(config.values.set(kFsmanifoldParams, "m_sel", static_cast<Real>(count)).ok());
  EXPECT_TRUE(config.values.set(kFsmanifoldParams, "k", 3).ok());
  EXPECT_TRUE(config.values.set(kFsmanifoldParams, "gap", static_cast<Real>(gap)).ok());
  EXPECT_TRUE(config.values.set(kFsmanifoldParams, "tau", static_cast<Real>(tau)).ok());
  return config;
}

// The objectives reported are upper bounds within `tolerance`, and so are the values at the scores.
void expect_optimum(FeatureRanker& ranker, const std::vector<Point>& points, std::size_t count,
                    double tolerance, double tau = kTau) {
  ASSERT_TRUE(ranker.rank(0).ok());
  EXPECT_EQ(info_of(ranker, "converged"), 1);
  const Vector objectives = objectives_of(ranker);
  const std::vector<int> positive = positive_classes(points);
  ASSERT_EQ(objectives.size(), positive.size());
  for (std::size_t p = 0; p < positive.size(); ++p) {
    const Problem problem(points, positive[p], 3, tau);
    const Saddle saddle = problem.solve(count, tolerance / 10);
    EXPECT_NEAR(objectives[p], saddle.objective, tolerance * saddle.objective);
    EXPECT_GE(objectives[p], saddle.objective * (1 - tolerance / 5));
    if (positive.size() > 1) continue;
    Vector scores;
    double sum = 0;
    for (std::size_t r = 0; r < saddle.p.size(); ++r) {
      const auto score = static_cast<double>(ranker.ranking().scores()[r]);
      EXPECT_EQ(std::isnan(score), is_constant_feature(points, r)) << r;
      scores.push_back(std::isnan(score) ? 0 : score);
      EXPECT_GE(scores[r], 0);
      EXPECT_LE(scores[r], 1);
      sum += scores[r];
    }
    EXPECT_LE(sum, static_cast<double>(count) + 1e-4);
    Vector gradient;
    EXPECT_NEAR(problem.value(scores, &gradient), saddle.objective, tolerance * saddle.objective);
  }
}

std::vector<MarginCase> cases() {
  return {
      {1, 30, 6, 2, 7, 6, Real(1), Real(0.4)},    // evicts both kinds
      {2, 30, 5, 3, 7, 5, Real(1.5), Real(0.5)},  // one-vs-rest
      {3, 20, 3, 2, 8, 4, Real(0.7), Real(1)},    // all labelled
      {4, 20, 9, 2, 4, 3, Real(2.5), Real(0.5)},  // more features than points
      {6, 30, 6, 2, 6, 5, Real(1.5), Real(0.5), 0, Real(0.2)},
      {7, 20, 6, 2, 6, 6, Real(1.5), Real(0.5), Real(64)},
  };
}

TEST(Fsmanifold, RefinedToConvergenceReachesTheOptimumAfterPrefixes) {
  for (const MarginCase& one : cases()) {
    RankerInBuffer ranker(fsmanifold_config(one, 2));
    ASSERT_TRUE(ranker.status().ok());
    EXPECT_EQ(ranker.left(), 0U);
    std::vector<Row> prefix;
    for (const Row& row : margin_rows(one)) {
      prefix.push_back(row);
      ASSERT_TRUE(ranker->observe(row.sample()).ok());
      ranker->refine(5);  // what is found on the way must not matter
      if (prefix.size() % (10 * every(3)) != 0) continue;
      SCOPED_TRACE(::testing::Message() << "seed " << one.seed << ", prefix " << prefix.size());
      refine_to_end(*ranker);
      EXPECT_EQ(ranker->refine(1000).iterations, 0U);
      const std::vector<Point> points = held_points(one, prefix);
      if (positive_classes(points).empty()) {
        EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
      } else {
        expect_optimum(*ranker, points, 2, 1e-3);
      }
    }
  }
}

// The choice of features itself, where the bounds meet closely enough to tell it.
TEST(Fsmanifold, WeightsAreThoseOfTheOptimumAfterASmallGap) {
  const double gap = sizeof(Real) == 4 ? 1e-5 : 1e-8;
  const MarginCase one = {12, 24, 6, 2, 8, 16, Real(1), Real(0.4)};
  RankerInBuffer ranker(fsmanifold_config(one, 2, gap));
  const std::vector<Row> rows = margin_rows(one);
  feed(*ranker, rows);
  refine_to_end(*ranker);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_LE(info_of(*ranker, "gap"), gap);
  const std::vector<Point> points = held_points(one, rows);
  const Saddle saddle = Problem(points, positive_classes(points)[0], 3, kTau).solve(2, 1e-7);
  EXPECT_NEAR(objectives_of(*ranker)[0], saddle.objective, 2 * gap * saddle.objective);
  if (sizeof(Real) == 4) return;  // which cannot tell the weights so closely
  // Features 0 and 4 are equal: only their sum is determined.
  const auto score = [&](std::size_t r) {
    return static_cast<double>(ranker->ranking().scores()[r]);
  };
  EXPECT_NEAR(score(0) + score(4), saddle.p[0] + saddle.p[4], 5e-3);
  for (const std::size_t r : {1U, 2U, 3U}) EXPECT_NEAR(score(r), saddle.p[r], 5e-3) << r;
}

TEST(Fsmanifold, WithoutTauUnlabelledPointsDoNotCount) {
  const MarginCase one = {13, 24, 6, 2, 8, 16, Real(1), Real(0.4)};
  std::vector<Row> rows = margin_rows(one);
  RankerInBuffer with(fsmanifold_config(one, 2, 1e-4, 0));
  feed(*with, rows);
  refine_to_end(*with);
  expect_optimum(*with, held_points(one, rows), 2, 1e-3, 0);
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [](const Row& row) { return row.kind != SampleKind::labelled; }),
             rows.end());
  RankerInBuffer without(fsmanifold_config(one, 2, 1e-4, 0));
  feed(*without, rows);
  refine_to_end(*without);
  ASSERT_TRUE(without->rank(0).ok());
  ASSERT_TRUE(with->rank(0).ok());
  const auto a = with->ranking().scores();
  const auto b = without->ranking().scores();
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)), 0);
}

TEST(Fsmanifold, InterruptionsDoNotChangeTheResult) {
  for (std::size_t i = 0; i < 2; i += every(2)) {
    expect_interruptions_do_not_matter(fsmanifold_config(cases()[i], 2), margin_rows(cases()[i]));
  }
}

TEST(Fsmanifold, ALateLabelIsAsGoodAsOneInTime) {
  const MarginCase one = {9, 20, 5, 2, 20, 20, Real(1), Real(0.6)};
  const std::vector<Row> rows = margin_rows(one);
  RankerInBuffer ranker(fsmanifold_config(one, 2));
  std::vector<std::size_t> late;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = rows[i];
    if (row.kind == SampleKind::labelled && i % 5 == 0) {
      row.kind = SampleKind::unlabelled;
      late.push_back(i);
    }
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
  }
  ASSERT_FALSE(late.empty());
  refine_to_end(*ranker);
  for (const std::size_t i : late) ASSERT_TRUE(ranker->label(i + 1, rows[i].label).ok());
  refine_to_end(*ranker);
  expect_optimum(*ranker, held_points(one, rows), 2, 1e-3);
}

// Raw data: features over three decades, classes that overlap. The dual's products run to 1e7 and
// its margins matter to 1e-4.
TEST(Fsmanifold, FeaturesOfUnequalScaleReachTheOptimum) {
  const MarginCase one = {16, 40, 6, 2, 24, 16, Real(0.8), Real(0.6)};
  std::vector<Row> rows = margin_rows(one);
  const Real scale[6] = {1700, Real(0.5), 30, 1, 250, 1};
  for (Row& row : rows) {
    for (std::size_t r = 0; r < 6; ++r) row.x[r] *= scale[r];
  }
  RankerInBuffer ranker(fsmanifold_config(one, 2));
  feed(*ranker, rows);
  refine_to_end(*ranker);
  expect_optimum(*ranker, held_points(one, rows), 2, 1e-3);
  EXPECT_LE(info_of(*ranker, "gap"), 1e-4);
  ASSERT_TRUE(ranker->observe(rows[0].sample()).ok());
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_EQ(info_of(*ranker, "gap"), 1);  // nothing is known of the points of now
}

// The last optimum is where the next search starts.
TEST(Fsmanifold, AnUnlabelledSampleCostsFewLevelSteps) {
  const MarginCase one = {14, 60, 12, 2, 14, 40, Real(1), Real(0.3)};
  std::vector<Row> rows = margin_rows(one);
  const Row last = {rows.back().x, SampleKind::unlabelled, 0};
  rows.pop_back();
  RankerInBuffer ranker(fsmanifold_config(one, 4));
  feed(*ranker, rows);
  refine_to_end(*ranker);
  ASSERT_TRUE(ranker->rank(0).ok());
  const double cold = info_of(*ranker, "iterations");
  ASSERT_TRUE(ranker->observe(last.sample()).ok());
  refine_to_end(*ranker);
  ASSERT_TRUE(ranker->rank(0).ok());
  EXPECT_LE(info_of(*ranker, "iterations"), cold / 2);
}

TEST(Fsmanifold, OrderAndSelectionFollowRoundedWeightsAndResponses) {
  const MarginCase one = {15, 40, 9, 2, 14, 20, Real(1), Real(0.4)};
  RankerInBuffer ranker(fsmanifold_config(one, 4));
  feed(*ranker, margin_rows(one));
  ASSERT_TRUE(ranker->rank(0).ok());  // not refined: all alike
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_NEAR(static_cast<double>(ranker->ranking().scores()[r]), 4.0 / 9, 1e-6);
    EXPECT_EQ(ranker->ranking().order()[r], r);
  }
  EXPECT_FALSE(has_score(ranker->ranking().scores()[8]));
  EXPECT_EQ(info_of(*ranker, "converged"), 0);
  refine_to_end(*ranker);
  for (const std::uint32_t top : {0U, 2U}) {
    ASSERT_TRUE(ranker->rank(top).ok());
    const auto order = ranker->ranking().order();
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(ranker->ranking().selected()[order[i]], i < (top == 0 ? 4U : top)) << i;
      if (i == 0 || i == 8) continue;
      const Real before = ranker->ranking().scores()[order[i - 1]];
      EXPECT_LE(ranker->ranking().scores()[order[i]], before + Real(0.0101)) << i;
    }
    EXPECT_EQ(order[8], 8U);
  }
}

TEST(Fsmanifold, PredictsTheClassOfSeparatedPoints) {
  for (std::uint32_t classes = 2; classes <= 3; classes += static_cast<std::uint32_t>(every(2))) {
    const MarginCase one = {20 + classes, 40, 6, classes, 30, 20, Real(4), Real(0.6), Real(100)};
    const std::vector<Row> rows = margin_rows(one);
    const RankerConfig config = fsmanifold_config(one, 3);
    std::vector<unsigned char> bytes(1 << 17);
    Arena arena(bytes.data(), bytes.size());
    StreamMemory stream;
    ASSERT_TRUE(stream.create(arena, config.configured_memory()).ok());
    Fsmanifold selector(arena, stream, config.values);
    std::uint32_t label = 0;
    EXPECT_EQ(selector.predict(rows[0].x.data(), &label).code(), StatusCode::failed_precondition);
    for (std::size_t i = 0; i < 30; ++i) {
      Observation seen;
      ASSERT_TRUE(stream.observe(rows[i].sample(), &seen).ok());
      selector.observe(seen);
    }
    while (!selector.refine(1000).converged) {
    }
    for (const Row& row : rows) {
      if (row.kind != SampleKind::labelled) continue;
      ASSERT_TRUE(selector.predict(row.x.data(), &label).ok());
      EXPECT_EQ(label, row.label);
    }
  }
}

TEST(Fsmanifold, SaysWhatItLacks) {
  std::vector<Row> rows = margin_rows({5, 20, 4, 2, 10, 10, Real(1), Real(0.5)});
  for (Row& row : rows) row.label = 0;
  EXPECT_EQ(status_of(kFsmanifold, rows).code(), StatusCode::failed_precondition);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].label = static_cast<std::uint32_t>(i % 2);
    rows[i].x.assign(4, Real(1));
  }
  RankerInBuffer alike(holding_config(kFsmanifold, rows, 2));
  feed(*alike, rows);
  refine_to_end(*alike);
  EXPECT_STREQ(alike->rank(0).reason(), "fsmanifold needs neighbours that differ");
}

TEST(Fsmanifold, RefusesMoreFeaturesThanThereAre) {
  const MarginCase one = cases()[0];
  for (const int count : {7, 10}) {  // 10 is the default, too, but here it is asked for
    EXPECT_EQ(RankerInBuffer(fsmanifold_config(one, count)).status().code(),
              StatusCode::invalid_argument);
  }
  EXPECT_TRUE(RankerInBuffer(fsmanifold_config(one, 6)).status().ok());
  EXPECT_TRUE(RankerInBuffer(margin_config(kFsmanifold, one)).status().ok());  // 10 by default
}

TEST(Fsmanifold, AllFeaturesLeaveNothingToChoose) {
  const MarginCase one = cases()[0];
  RankerInBuffer ranker(fsmanifold_config(one, 6));
  const std::vector<Row> rows = margin_rows(one);
  feed(*ranker, rows);
  refine_to_end(*ranker);
  expect_optimum(*ranker, held_points(one, rows), 6, 1e-3);
  EXPECT_EQ(info_of(*ranker, "iterations"), 1);
  for (std::size_t r = 0; r < 5; ++r) EXPECT_EQ(ranker->ranking().scores()[r], Real(1));
}

TEST(Fsmanifold, OverflowIsAnError) {
  std::vector<Row> rows = margin_rows({5, 20, 4, 2, 10, 10, Real(1), Real(0.9)});
  for (Row& row : rows) {
    for (Real& value : row.x) value *= std::numeric_limits<Real>::max() / 64;
  }
  RankerInBuffer ranker(holding_config(kFsmanifold, rows, 2));
  feed(*ranker, rows);
  refine_to_end(*ranker);
  EXPECT_EQ(ranker->rank(0).code(), StatusCode::failed_precondition);
}

}  // namespace
}  // namespace whittle::testing
