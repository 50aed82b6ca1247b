// JSFS: joint semi-supervised feature selection and classification by a Bayesian approach. Larger
// is better.
//
// The score of a feature is |w_r|, w the weights of a linear classifier without bias that
// JointSparsity finds on the held points, z-scored by the method itself: sparse in the features,
// smooth over the neighbour graph (LocalStructure), with pseudo labels for the unlabelled points
// (LabelPropagation) and a weight for each of these that says how far it is believed. Selected are
// the features that it did not remove; a removed one scores 0, a constant one nothing. It is also a
// classifier, w'z >= 0. More than two classes: one-vs-rest, scores the largest. Source: [J]
// Algorithm 1 as settled in docs/methods.md.
//
// A missing value is 0 after the z-score; two points without a feature in common are no
// neighbours.
//
// Class E3. refine() works on a copy of the points of one moment, so that it gets to an end however
// fast samples come; when it has finished, on the points of now, the result is the batch solution
// on them, bit for bit, whatever came before. One step is a Newton step for w or the end of a pass,
// or a part of what comes before of no larger cost: z-scores; the neighbours of some points (the
// scale moves with every sample, and all distances with it, so the memory's graph does not serve);
// eight sweeps of the label propagation; the edges of some points.
//
// The problem is not convex, and where the algorithm ends depends on the way: the weights of
// samples sink from pass to pass, and the stopping rule, not an optimum, says where they stop. So
// the cold start decides, always; what is kept over a change is the answer meanwhile: w fitted anew
// to the points of now, a few Newton steps, with the precisions and sample weights that there were,
// newcomers left out. (A warm start of w and alpha ends at an objective that differs from the cold
// start's by more than 1e-3 in most cases, worse or better, and the differences add up over the
// samples: docs/selectors/jsfs.md.) Scores before the first step are the gradient of the labelled
// points' likelihood at w = 0, a standardised difference of classes.
//
// info: objective (the log marginal likelihood, see JointSparsity; of each problem if there are
// several), residual (what the stopping rule looks at: the largest change of a weight in the last
// pass, over the largest weight; the largest of the problems; 1 where one has not been solved on
// the points of now), iterations (passes, of all problems), converged (all of them, to a residual
// of tol, and nothing has changed since), kept_samples (labelled, or not removed in some problem),
// lambda_used (of the pseudo labels' graph).
//
// Cost: see JointSparsity; before it n^2 m / 2 for the neighbours, n k m^2 / 2 for the graph's
// matrix. Memory: a second copy of the held points, two packed m x m matrices, N k (4 bytes and a
// Real), and what the parts say; 2 m + N Reals per problem. Misleads when the pseudo labels do:
// with classes that are no neighbourhoods, or few labels at the rim of theirs; and without a bias,
// when the class means lie on one side of the mean. Errors of score: failed_precondition with fewer
// than two classes, or when no two points are neighbours.
#ifndef WHITTLE_SELECT_JSFS_H_
#define WHITTLE_SELECT_JSFS_H_

#include "whittle/select/held_moment.h"
#include "whittle/select/model_answers.h"
#include "whittle/select/one_vs_rest.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/joint_sparsity.h"
#include "whittle/select/solve/label_propagation.h"
#include "whittle/select/solve/local_structure.h"
#include "whittle/select/solve/nearest_rows.h"
#include "whittle/select/solve/standard_points.h"

namespace whittle {

inline constexpr ParamSpec kJsfsParams[] = {
    {"k", "neighbours of each point", ParamKind::integer, 20, 1, 1024, nullptr},
    {"eta", "weight of two points of one class in the graph", ParamKind::real, 10, 0, 1000000,
     nullptr},
    {"gamma", "weight of the graph", ParamKind::real, Real(0.001), 0, 1000000, nullptr},
    {"mu", "weight of the pseudo labels", ParamKind::real, 1, 0, 1, nullptr},
    {"beta", "steepness of what keeps sample weights positive", ParamKind::real, 5, Real(0.001),
     1000, nullptr},
    {"tol", "change of a weight, relative to the largest, that ends it", ParamKind::real,
     Real(0.001), 0, 1, nullptr},
    {"max_iter", "passes at most", ParamKind::integer, 200, 1, 100000, nullptr}};

class Jsfs final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& values) {
    const std::size_t problems = max_problems(memory.classes);
    return ByteCount{}
        .object<Jsfs>()
        .bytes(StandardPoints::required_bytes(memory))
        .bytes(NearestRows::required_bytes(memory.capacity(), values.integer(0)))
        .bytes(LabelPropagation::required_bytes(memory.capacity()))
        .bytes(LocalStructure::required_bytes(memory.features))
        .bytes(JointSparsity::required_bytes(memory))
        .array<Model>(problems)
        .array<Real>(problems, memory.features)
        .array<Real>(problems, memory.features)
        .array<Real>(problems, memory.capacity())
        .array<Real>(problems)
        .total();
  }

  Jsfs(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  void observe(const Observation& seen) override;
  void held_changed() override { changed_ = true; }
  Refinement refine(std::uint32_t max_iterations) override;
  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;
  Status predict(const Real* x, std::uint32_t* label) const override;
  void digest(Digest& digest) const override;

 private:
  // What a run on one copy of the points does next.
  enum class Stage : std::uint8_t {
    idle,       // it has ended
    copy,       // the points
    neighbour,  // points from next_ on
    weigh,      // the edges
    propagate,  // labels, of this problem
    structure,  // the edges of points from next_ on
    refit,      // w of the last run
    solve,
  };
  // The result of a problem.
  struct Model {
    Real objective = 0;
    Real residual = 1;  // of the pass that w comes from, on the points copied
    std::uint32_t passes = 0;
    bool wanted = false;     // the points copied pose it
    bool exists = false;     // w can be used
    bool converged = false;  // by the cold start
  };

  void take_step();
  void copy_points();
  void find_neighbours();
  void weigh_edges();
  void start_problem();
  void propagate();
  void add_structure();
  void start_solver(bool warm);
  void refit();
  void solve();
  void publish();
  std::size_t points_in_step(std::size_t cost_of_one) const;
  bool learned() const;  // some model exists
  Real first_gradient(const HeldMoment& moment, std::size_t feature, std::size_t problem) const;
  void report(InfoList& info);
  std::uint32_t kept_samples() const;

  std::size_t problems() const { return models_.size(); }
  Real* w(std::size_t problem) const { return w_.data() + problem * features_; }
  Real* alpha(std::size_t problem) const { return alpha_.data() + problem * features_; }
  Real* lambdas(std::size_t problem) const { return lambdas_.data() + problem * capacity_; }

  const StreamMemory& memory_;
  std::size_t features_;
  std::size_t capacity_;
  Real eta_;
  Real gamma_;
  std::size_t edge_cost_;  // what the edges of a point cost in LocalStructure, over m
  StandardPoints points_;
  NearestRows graph_;
  LabelPropagation labels_;
  LocalStructure structure_;
  JointSparsity solver_;
  Span<Model> models_;  // by problem
  Span<Real> w_;        // problems x m
  Span<Real> alpha_;    // problems x m, 0: removed
  Span<Real> lambdas_;  // problems x N, by slot
  Span<Real> objectives_;
  Stage stage_ = Stage::idle;
  std::size_t problem_ = 0;  // being solved
  std::size_t next_ = 0;
  bool changed_ = true;            // since the points were copied
  bool edgeless_ = false;          // the copied points have no neighbours
  std::uint32_t other_class_ = 0;  // where there are two: the one that is not positive
};

inline constexpr SelectorType kJsfs = {
    "jsfs",
    "sparse Bayesian classifier that also weighs the unlabelled samples; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kJsfsParams,
    Jsfs::configure,
    Jsfs::required_bytes,
    create_selector<Jsfs>,
    &kClassifies};

}  // namespace whittle

#endif  // WHITTLE_SELECT_JSFS_H_
