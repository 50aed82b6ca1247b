// FSManifold: a support vector machine whose features are chosen so that the classes lie far apart
// and its values vary little between neighbours, labelled or not. Larger is better.
//
// Over p, 0 <= p <= 1, sum p = m_sel, and u_i = alpha_i y_i of the labelled points:
//   min over p of max over u of sum alpha - 1/2 u'Mu,  0 <= alpha <= C, sum u = 0,
//   M = (1 - tau)^2 sum_r p_r v_r v_r' + tau^2 / rho H,  H = X_l Z^-1 X_l'
// v_r feature r of the labelled points, Z = X'LX + 1e-6 tr(X'LX)/m I, L the Laplacian of the graph
// of the k nearest by cosine distance, weights 1. Solved by LevelMethod, the SVM at each p by
// SvmDual, both of them and H with duals in double (ManifoldKernel and SvmDual say why): so data
// need not be scaled for the tolerance to be reached. Score p; order: by p rounded to 1e-2, then by
// |v_r'u|; selected: the first m_sel of it. Source: [M] problem (11), Algorithm 1. More than two
// classes: one-vs-rest, p and |v_r'u| the largest of the problems, selected if it is so in one.
// A feature that is constant over the held points has no score. tau = 0 uses no unlabelled point.
//
// Class E3. The problem is convex: refine() ends within `gap` of the batch optimum on the held
// points, whatever came before. It starts anew whenever they change, at the last p, with the last
// u and the mixture u' that gave the lower bound: both are put back into their box and their cuts
// computed on the points of today, so that the bounds are valid. One iteration is one of: a point's
// share of Z; its factor; a labelled point's row of H; an iteration of SvmDual (the first of a
// level step: M, too); a level step's bounds and next point. Scores are those of the best p so far;
// at the very start p = m_sel / m. predict() is the SVM's decision at that p, w = (1 - tau)^2 p.s +
// tau^2 / rho Z^-1 s, s_r = v_r'u.
//
// Parameters: C, rho, tau, m_sel (by default the smaller of 10 and m), k, level, gap, max_iter
// (level steps). In single precision a gap below 5e-6 is mostly out of reach. Cost of an iteration,
// the largest of: m^3 / 6 in double; L^3 / 6 + L^2 m / 2 in double; at most 160 steps of
// CuttingPlanes of 24 cuts. Memory: held points and graph, ManifoldKernel, LevelMethod, SvmDual,
// LabelledPoints, LinearModels, L (L + 1) / 2 + 2 P L + 2 m doubles, 2 P m + m + 3 P Reals, 4 P
// bytes. Misleads without a manifold: tau^2 / rho H then stands for nothing, and with
// features of unequal scale, since p chooses features by the length of v_r. info: objective (upper
// bound), gap (relative, the largest; 1, which the lower bound 0 gives, before a first level step
// on the points of now), converged, iterations (level steps, their sum). Errors of create:
// invalid_argument (m_sel > m); of score: failed_precondition with fewer than two classes, when no
// two neighbours differ, or when products overflow.
#ifndef WHITTLE_SELECT_FSMANIFOLD_H_
#define WHITTLE_SELECT_FSMANIFOLD_H_

#include "whittle/select/model_answers.h"
#include "whittle/select/one_vs_rest.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/labelled_points.h"
#include "whittle/select/solve/level_method.h"
#include "whittle/select/solve/linear_models.h"
#include "whittle/select/solve/manifold_kernel.h"
#include "whittle/select/solve/packed_size.h"
#include "whittle/select/solve/svm_dual.h"

namespace whittle {

inline constexpr ParamSpec kFsmanifoldParams[] = {
    {"C", "price of a margin error", ParamKind::real, 1, Real(1e-6), Real(1e6), nullptr},
    {"rho", "weight of the manifold term", ParamKind::real, 10, Real(1e-6), Real(1e6), nullptr},
    {"tau", "share of the manifold; 0: labelled points only", ParamKind::real, Real(0.5), 0, 1,
     nullptr},
    {"m_sel", "features to select, at most all; by default 10, or all of fewer", ParamKind::integer,
     10, 1, kMaxFeatures, nullptr},
    {"k", "neighbours of each point", ParamKind::integer, 20, 1, 1024, nullptr},
    {"level", "share of the upper bound in the level", ParamKind::real, Real(0.9), Real(0.01),
     Real(0.99), nullptr},
    {"gap", "of upper and lower bound, relative, at which to stop", ParamKind::real, Real(1e-4), 0,
     1, nullptr},
    {"max_iter", "level steps at most", ParamKind::integer, 200, 1, 100000, nullptr}};

class Fsmanifold final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& values) {
    hold_samples(memory);
    memory.neighbours = values.integer(4);
    memory.make_graph = make_neighbour_graph;
    memory.metric = Metric::cosine;
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    const std::size_t problems = max_problems(memory.classes);
    const std::size_t l = memory.labelled;
    return ByteCount{}
        .object<Fsmanifold>()
        .bytes(LabelledPoints::required_bytes(memory))
        .bytes(LinearModels::required_bytes(memory))
        .bytes(ManifoldKernel::required_bytes(memory.features))
        .bytes(SvmDual<double>::required_bytes(l))
        .bytes(LevelMethod::required_bytes(memory.features, l))
        .bytes(packed_bytes<double>(l))
        .array<Real>(problems, memory.features)
        .array<Real>(problems, memory.features)
        .array<double>(problems, l)
        .array<double>(problems, l)
        .array<double>(memory.features)
        .array<double>(memory.features)
        .array<Real>(memory.features)
        .array<Real>(problems, 3)
        .array<std::uint32_t>(problems)
        .total();
  }
  static Status create(Arena& arena, const StreamMemory& memory, const ParamValues& values,
                       Selector** selector);

  Fsmanifold(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  void observe(const Observation& seen) override;
  void held_changed() override { stage_ = Stage::changed; }
  Refinement refine(std::uint32_t max_iterations) override;
  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;
  Status predict(const Real* x, std::uint32_t* label) const override {
    return models_.predict(memory_.points(), x, label);
  }
  void digest(Digest& digest) const override;

 private:
  // What the next step is.
  enum class Stage : std::uint8_t { changed, points, factor, rows, svm, bounds, done };

  void step();
  void start();
  void add_point();
  void factor();
  void add_row();
  void find_problem(std::size_t first);
  void build_kernel();
  void take_cut();
  void seed_cut();
  Real evaluate(const double* u);
  void keep_best();
  double* row_of_h(std::size_t i) { return h_.data() + i * (i + 1) / 2; }
  const Real* chosen(std::size_t problem) const { return p_.data() + problem * features(); }
  const Real* responses(std::size_t problem) const { return s_.data() + problem * features(); }
  std::size_t features() const { return scratch_.size(); }
  void report(const OneVsRest& problems, InfoList& info);

  const StreamMemory& memory_;
  Real c_;
  double plain_;     // (1 - tau)^2
  double manifold_;  // tau^2 / rho
  std::size_t count_;
  Real level_;
  Real wanted_gap_;
  std::uint32_t max_steps_;

  LabelledPoints labelled_;
  LinearModels models_;
  ManifoldKernel manifold_kernel_;
  SvmDual<double> svm_;
  LevelMethod method_;
  Span<double> h_;        // L (L + 1) / 2, by rows
  Span<Real> p_;          // P x m: the best of each problem
  Span<Real> s_;          // P x m: v_r'u there
  Span<double> duals_;    // P x L: u there
  Span<double> mixed_;    // P x L: the u' of the lower bound
  Span<double> scratch_;  // m
  Span<double> sums_;     // m: v_r'u of the u evaluated last
  Span<Real> slopes_;     // m: of its cut
  Span<Real> objectives_;
  Span<Real> gaps_;
  Span<Real> listed_;
  Span<std::uint32_t> steps_;
  Stage stage_ = Stage::changed;
  bool flat_ = false;  // no two neighbours differ
  bool overflown_ = false;
  std::size_t place_ = 0;  // of the point at hand, in order of age
  std::size_t problem_ = 0;
};

inline constexpr SelectorType kFsmanifold = {
    "fsmanifold",
    "SVM that chooses features smooth over neighbouring points; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kFsmanifoldParams,
    Fsmanifold::configure,
    Fsmanifold::required_bytes,
    Fsmanifold::create,
    &kClassifies};

}  // namespace whittle

#endif  // WHITTLE_SELECT_FSMANIFOLD_H_
