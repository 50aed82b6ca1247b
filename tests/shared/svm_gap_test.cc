// The gap that drsvm, l1svm and senfs report: against the minimum in double precision, at every
// step, and at the end.
#include <algorithm>

#include "tests/shared/filled_reference.h"
#include "tests/shared/hinge_reference.h"
#include "tests/shared/test_streams.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/l1svm.h"
#include "whittle/select/senfs.h"
#include "whittle/select/solve/balanced_rounds.h"

namespace whittle::testing {
namespace {

constexpr std::uint32_t kLabelled = 10, kWindow = 8;

RankerConfig svm_config(const SelectorType& type, const StreamShape& shape,
                        const HingeParams& params) {
  RankerConfig config = config_for(type, shape, kLabelled, kWindow);
  const std::pair<const char*, double> values[] = {{"C", params.c}, {"lambda1", params.l1}};
  for (const auto& [name, value] : values) {
    EXPECT_TRUE(config.values.set(type.params, name, static_cast<Real>(value)).ok());
  }
  if (&type == &kL1svm) return config;
  EXPECT_TRUE(config.values.set(type.params, "lambda2", static_cast<Real>(params.l2)).ok());
  if (&type == &kDrsvm) return config;
  EXPECT_TRUE(config.values.set(type.params, "C_star", static_cast<Real>(params.c_star)).ok());
  EXPECT_TRUE(config.values.set(type.params, "s", static_cast<Real>(params.s)).ok());
  return config;
}

// Streams a sample at a time; now and then compares each step on the way to the minimum with
// least(points), what the minimum is at most.
template <typename Least>
void check_gaps(const SelectorType& type, const StreamShape& shape, const HingeParams& params,
                Least least) {
  RankerInBuffer ranker(svm_config(type, shape, params));
  std::vector<Row> prefix;
  int above = 0;
  for (const Row& row : make_stream(shape)) {
    prefix.push_back(row);
    ASSERT_TRUE(ranker->observe(row.sample()).ok());
    if (prefix.size() % (6 * every(2)) != 0 || !ranker->rank(0).ok()) continue;
    const auto points = points_of(held_after(prefix, kLabelled, kWindow, shape.classes));
    const double minimum = least(filled(points), signs_of(points, 1));
    SCOPED_TRACE(prefix.size());
    for (bool going = true; going; going = !ranker->refine(1).converged) {
      ASSERT_TRUE(ranker->rank(0).ok());
      const double objective = info_of(*ranker, "objective");
      const double gap = info_of(*ranker, "gap");
      ASSERT_GE(gap, 0);
      ASSERT_LE(gap, 1 + kTolerance);
      ASSERT_LE(objective * (1 - gap), minimum * (1 + 1e-5) + 1e-6);
      if (objective > minimum * 1.001 + 1e-6) {
        ++above;
        ASSERT_GT(gap, 0);
      }
    }
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_EQ(info_of(*ranker, "converged"), 1);
    EXPECT_LE(info_of(*ranker, "gap"), 1e-3);
  }
  EXPECT_GT(above, 0);
}

std::vector<StreamShape> shapes() {
  return {{1, 36, 5, 2, Real(0.6), Real(0.1), Real(0.1), true, 0},
          {2, 24, 14, 2, Real(0.5), Real(0), Real(0.2), true, 0},  // m > n
          {3, 24, 4, 2, Real(0.6), Real(0), Real(0.1), false, 1024}};
}

TEST(SvmGap, OfDrsvmBoundsTheWayToTheMinimum) {
  for (const StreamShape& shape : shapes()) {
    SCOPED_TRACE(shape.seed);
    const HingeParams params = {1, 0, 0.3, 2};
    check_gaps(kDrsvm, shape, params,
               [&](const auto& x, const auto& y) { return reference_svm(x, y, params).objective; });
  }
}

TEST(SvmGap, OfL1svmBoundsTheWayToTheMinimum) {
  for (const StreamShape& shape : shapes()) {
    SCOPED_TRACE(shape.seed);
    HingeParams params = {1, 0, 1, 0.05};
    params.precision = 1e-3;
    check_gaps(kL1svm, shape, params, [&](const auto& x, const auto& y) {
      const HingeSolution near = reference_svm(x, y, params);
      double squares = 0;
      for (const double w : near.w) squares += w * w;
      return near.objective - params.l2 / 2 * squares;
    });
  }
}

// With C_star = 0 the problem is convex, and only the balance constraint is left.
TEST(SvmGap, OfSenfsWithoutCStarBoundsTheWayToTheMinimum) {
  for (const StreamShape& shape : shapes()) {
    SCOPED_TRACE(shape.seed);
    const HingeParams params = {1, 0, 0.3, 2};
    check_gaps(kSenfs, shape, params, [&](const auto& x, const auto& y) {
      return reference_senfs(x, y, params).objective;
    });
  }
}

// What a round can gain at most, by the same round in double precision, at every step.
TEST(SvmGap, OfSenfsBoundsWhatARoundGains) {
  StreamShape shape = shapes()[0];
  shape.labelled = Real(0.4);
  const HingeParams params = {1, 0.2, 0.3, 2, 0.3};
  const HingePenalty penalty = {1, Real(0.2), Real(0.3), 2, Real(1e-3)};
  MemoryConfig config = svm_config(kSenfs, shape, params).configured_memory();
  std::vector<unsigned char> bytes(StreamMemory::required_bytes(config) +
                                   MarginModels::required_bytes(config, false));
  Arena arena(bytes.data(), bytes.size());
  StreamMemory memory;
  ASSERT_TRUE(memory.create(arena, config).ok());
  for (const Row& row : make_stream(shape)) {
    Observation seen;
    ASSERT_TRUE(memory.observe(row.sample(), &seen).ok());
  }
  const auto points = points_of(held_after(make_stream(shape), kLabelled, kWindow, 2));
  const std::vector<Vector> x = filled(points);
  const std::vector<int> y = signs_of(points, 1);

  MarginModels models;
  models.place(arena, config, false);
  models.prepare(memory.points(), true);
  BalancedRounds rounds;
  rounds.set(models, penalty, Real(0.3), 1000);
  MarginModel& model = models.model(0);
  rounds.begin_cold(0, model, nullptr);
  bool ended = false;
  int above = 0;
  double last = 1;
  while (!ended) {
    ended = rounds.step();
    if (!rounds.started()) continue;  // still the machine of the labelled points, without balance
    const double objective =
        static_cast<double>(models.objective(0, model, model.bias, penalty, Real(0.3)));
    const double gap =
        static_cast<double>(models.gap(0, model, model.bias, penalty, Real(0.3), true));
    Vector w;
    for (const Real value : model.weights) w.push_back(static_cast<double>(value));
    const std::vector<Real> origin(shape.features, Real(0));
    const double b = static_cast<double>(
        models.solver().product(model.weights.data(), origin.data()) + model.bias);
    EXPECT_NEAR(senfs_objective(x, y, params, w, b), objective, 1e-5 * objective);
    const double gain = objective - reference_round(x, y, params, w, b).objective;
    EXPECT_GE(gap, gain - 1e-5 * objective);
    above += gain > 1e-3 * objective ? 1 : 0;
    last = gap / objective;
  }
  EXPECT_TRUE(rounds.converged());
  EXPECT_LE(last, 1e-3);
  EXPECT_GT(above, 0);
}

// Before anything is known of today's points, the minimum may be 0.
// Classes that overlap; one feature is so much larger that a Real cannot tell the others' part.
TEST(SvmGap, ThatIsLargeIsNotCalledConverged) {
  const StreamShape shape = {4, 30, 4, 2, Real(1), Real(0), Real(0), true, 0};
  for (const SelectorType* type : {&kDrsvm, &kL1svm, &kSenfs}) {
    int large = 0;
    std::uint64_t seed = 0;
    for (const Real scale : {Real(1), Real(1e4), Real(1e7), Real(1e7), Real(1e7), Real(1e7)}) {
      RankerInBuffer ranker(config_for(*type, shape, 30, kWindow));
      Random random(++seed);
      for (int i = 0; i < 30; ++i) {
        Row row;
        row.kind = SampleKind::labelled;
        row.label = random.below(2);
        for (int r = 0; r < 4; ++r) row.x.push_back(random.uniform() + Real(0.2) * Real(row.label));
        row.x[0] *= scale;
        ASSERT_TRUE(ranker->observe(row.sample()).ok());
      }
      EXPECT_TRUE(ranker->refine(100000).converged);
      ASSERT_TRUE(ranker->rank(0).ok());
      const double gap = info_of(*ranker, "gap");
      EXPECT_LE(gap, 1);
      EXPECT_TRUE(gap <= 0.05 || info_of(*ranker, "converged") == 0) << type->id << " " << scale;
      large += gap > 0.05 ? 1 : 0;
      EXPECT_TRUE(scale > 1 || large == 0);
    }
    EXPECT_TRUE(large > 0 || sizeof(Real) == sizeof(double)) << type->id;
  }
}

TEST(SvmGap, IsOneBeforeTheFirstStep) {
  for (const SelectorType* type : {&kDrsvm, &kL1svm}) {
    RankerInBuffer ranker(config_for(*type, shapes()[0], kLabelled, kWindow));
    for (const Row& row : make_stream(shapes()[0])) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_GT(info_of(*ranker, "gap"), 0);
    EXPECT_LE(info_of(*ranker, "gap"), 1);
    EXPECT_EQ(info_of(*ranker, "converged"), 0);
  }
}

// The largest of the problems.
TEST(SvmGap, OfSeveralClassesIsTheLargest) {
  StreamShape shape = {4, 40, 4, 3, Real(0.7), Real(0.1), Real(0.3), false, 0};
  for (const SelectorType* type : {&kDrsvm, &kL1svm, &kSenfs}) {
    RankerInBuffer ranker(config_for(*type, shape, kLabelled, kWindow));
    for (const Row& row : make_stream(shape)) ASSERT_TRUE(ranker->observe(row.sample()).ok());
    ranker->refine(1);  // of the first problem; the others are not begun
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_GT(info_of(*ranker, "gap"), 0.01);
    EXPECT_TRUE(ranker->refine(100000).converged);
    ASSERT_TRUE(ranker->rank(0).ok());
    EXPECT_LE(info_of(*ranker, "gap"), 1e-3);
  }
}

}  // namespace
}  // namespace whittle::testing
