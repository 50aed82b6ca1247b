// SENFS: semi-supervised support vector machine with the elastic-net penalty; the score of a
// feature is the size of its weight. Larger is better; selected are those whose weight is not 0.
//
// Minimises over w and b, y_i = +1 or -1 for labelled points, g_i = w'x_i + b,
//   C sum_labelled H_1(y_i g_i)
//   + C_star sum_unlabelled (H_1(g_i) + H_1(-g_i) - H_s(g_i) - H_s(-g_i))
//   + lambda1 |w|_1 + lambda2/2 |w|^2,   H_a(z) = max(0, a - z),
// under the balance constraint: the mean of g over the unlabelled points is that of the labels.
// The unlabelled points push the boundary out of where they are dense; lambda2 gives correlated
// features like weights. Without unlabelled points: drsvm. More than two classes: one against the
// rest each, the score is the largest of the weights. Source: [S] (6), solved by the concave-convex
// procedure (docs/methods.md, BalancedRounds).
//
// Class E3. Not convex: refine() first continues from the solution of the points held before
// (`converged` says that it has settled), then starts from scratch beside it and takes that if it
// is better by more than rounding; so at its end the objective is at most (1 + 1e-5) times that of
// the batch solution. One iteration is
// one step of ElasticNetSvm: O(n m + k m) for n points and k of them at kinks. Scores before
// refine: those of the last step done; all 0 before the first. Parameters: C, C_star, lambda1,
// lambda2, s, tol (multipliers are within 0.01 tol of their limits, relative), max_iter (steps of
// one round). Wants zscore: the penalties treat all weights alike.
//
// info: objective (of several problems a list), gap (relative, the largest: DualBound of the convex
// problem at the model, so that 0 means that no round can better it; 1 while the balance constraint
// is not met; converged, it is tol at most, and mostly rounding), balance_residual (of the
// constraint), iterations (rounds), converged.
//
// Memory: held points, MarginModels, m + N + P Reals and 2 N + 6 P bytes for P problems. Misleads
// when classes do not gather in clusters, or the labelled points have other shares of the classes
// than the unlabelled. Errors of score: failed_precondition with fewer than two classes among the
// labelled points, or when products overflow.
#ifndef WHITTLE_SELECT_SENFS_H_
#define WHITTLE_SELECT_SENFS_H_

#include "whittle/select/model_answers.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/balanced_rounds.h"

namespace whittle {

inline constexpr ParamSpec kSenfsParams[] = {
    {"C", "weight of the labelled points' hinge loss", ParamKind::real, 1, 0, Real(1e6), nullptr},
    {"C_star", "weight of the unlabelled points' loss", ParamKind::real, Real(0.1), 0, Real(1e6),
     nullptr},
    {"lambda1", "weight of |w|_1: the more, the fewer features", ParamKind::real, 3, 0, Real(1e6),
     nullptr},
    {"lambda2", "weight of |w|^2 / 2: like weights for correlated features", ParamKind::real, 30, 0,
     Real(1e6), nullptr},
    {"s", "margin below which the loss of an unlabelled point is clipped", ParamKind::real,
     Real(0.3), 0, Real(0.999), nullptr},
    {"tol", "tolerance of the solver", ParamKind::real, Real(1e-3), Real(1e-9), 1, nullptr},
    {"max_iter", "steps of the solver in a round at most", ParamKind::integer, 20000, 1, 10000000,
     nullptr}};

class Senfs final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& values) {
    const std::size_t problems = max_problems(memory.classes);
    return ByteCount{}
        .object<Senfs>()
        .bytes(MarginModels::required_bytes(memory, values[3] == 0))
        .array<Real>(memory.features)
        .array<Place>(memory.capacity())
        .array<Role>(memory.capacity())
        .array<Real>(memory.capacity())
        .array<Real>(problems)
        .array<std::uint32_t>(problems)
        .array<bool>(problems, 2)
        .total();
  }

  Senfs(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  void observe(const Observation& seen) override;
  void held_changed() override { prepared_ = false; }
  Refinement refine(std::uint32_t max_iterations) override;
  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;
  Status predict(const Real* x, std::uint32_t* label) const override {
    return models_.predict(memory_.points(), x, label);
  }
  void digest(Digest& digest) const override;

 private:
  // What refine is at: each problem from where it was, then those again from scratch.
  enum class Pass : std::uint8_t { first, restart, done };

  void prepare();
  void find_problem();
  void begin_problem();
  void finish_problem();
  void take_if_better();
  void report(InfoList& info, std::size_t existing);

  const StreamMemory& memory_;
  HingePenalty penalty_;
  Real s_;

  MarginModels models_;
  MarginModel trial_;  // of the cold restart
  BalancedRounds rounds_;
  Span<Real> objectives_;           // by problem, of the last score
  Span<std::uint32_t> iterations_;  // by problem: rounds that led to its model
  Span<bool> known_;                // by problem: its model has come from rounds
  Span<bool> cold_;                 // by problem: and from a cold start on the points now held
  std::size_t problem_ = 0;
  Pass pass_ = Pass::first;
  bool prepared_ = false;  // for the points now held
  bool begun_ = false;     // this problem
  bool settled_ = false;   // all problems so far have converged
  bool overflow_ = false;  // in one so far
};

inline constexpr SelectorType kSenfs = {
    "senfs",
    "semi-supervised support vector machine with the elastic-net penalty; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kSenfsParams,
    Senfs::configure,
    Senfs::required_bytes,
    create_selector<Senfs>,
    &kClassifies};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SENFS_H_
