// L0SVM (AROM): a linear support vector machine trained again and again, each time on features
// multiplied by their weights so far, until all but a few have died out. Larger is better.
//
// z = 1; repeat: w = linear SVM (C, free bias) on x.z; z <- z.|w|, divided by its largest entry,
// entries below 1e-9 becoming 0; until no entry changes by more than tol, at most max_iter rounds.
// Score z; selected: z > 0. This approaches the fewest features that separate the classes, a local
// minimum of sum log |w| (C as the price of errors). Source: [T] 2.4, Weston et al., JMLR 3 (2003).
// Labelled points only; more than two classes: one-vs-rest, a feature's score the largest of its
// problems, selected if it is in one. A feature that is constant over the held points has no score.
//
// Class E3. refine() starts the rounds at z = 1 whenever the labelled points have changed, so that
// it ends at the batch result on them, whatever came before; its first SVM, which costs most,
// starts from the duals of the last first SVM, each later one from those of the round before. One
// iteration is one of SvmDual, of a round's first one the kernel too. Scores are those of the last
// round that ended; before any, 1 for every feature. predict() uses the SVM of the last round.
//
// Parameters: C, tol, max_iter. Cost of an iteration: L^3/6 + 6 L^2, and L^2 m / 2 where a round
// begins. Memory: held points, SvmDual, LabelledPoints, LinearModels, P (L + 4) + 2 m Reals.
// Misleads where features stand in for one another: which of them survives is decided by little.
// info: objective (primal, of the last SVM), gap (of primal and dual, relative, of the last SVM;
// the largest of the problems), residual (the largest change of z in the last round, which ends it
// at tol; 1 before a round has ended on the points of now), converged (all problems), iterations
// (rounds, their sum).
// Errors of score: failed_precondition with fewer than two classes, or when products overflow.
#ifndef WHITTLE_SELECT_L0SVM_H_
#define WHITTLE_SELECT_L0SVM_H_

#include "whittle/select/model_answers.h"
#include "whittle/select/one_vs_rest.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/labelled_points.h"
#include "whittle/select/solve/linear_models.h"
#include "whittle/select/solve/svm_dual.h"

namespace whittle {

inline constexpr ParamSpec kL0svmParams[] = {
    {"C", "price of a margin error", ParamKind::real, 1, Real(1e-6), Real(1e6), nullptr},
    {"tol", "change of the weights at which the rounds end", ParamKind::real, Real(1e-6), 0, 1,
     nullptr},
    {"max_iter", "rounds at most", ParamKind::integer, 100, 1, 100000, nullptr}};

class L0svm final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    const std::size_t problems = max_problems(memory.classes);
    return ByteCount{}
        .object<L0svm>()
        .bytes(LabelledPoints::required_bytes(memory))
        .bytes(LinearModels::required_bytes(memory))
        .bytes(SvmDual<Real>::required_bytes(memory.labelled))
        .array<Real>(problems, memory.labelled)
        .array<Real>(memory.features)
        .array<Real>(memory.features)
        .array<Real>(problems)
        .array<Real>(problems)
        .array<Real>(problems)
        .array<Real>(problems)
        .array<std::uint32_t>(problems)
        .array<bool>(problems)
        .total();
  }

  L0svm(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  void observe(const Observation& seen) override;
  void held_changed() override { started_ = false; }
  Refinement refine(std::uint32_t max_iterations) override;
  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;
  Status predict(const Real* x, std::uint32_t* label) const override {
    return models_.predict(memory_.points(), x, label);
  }
  void digest(Digest& digest) const override;

 private:
  void keep_first_duals();
  void start();
  void find_problem(std::size_t first);
  void begin_round();
  void end_round();
  Real weigh();
  void step();
  Real weight(const OneVsRest& problems, std::size_t feature) const;
  void report(const OneVsRest& problems, InfoList& info);

  const StreamMemory& memory_;
  Real c_;
  Real tolerance_;
  std::uint32_t max_rounds_;

  LabelledPoints labelled_;
  LinearModels models_;     // z.w of each problem, by the last round that ended: |z.w| is its new z
  SvmDual<Real> svm_;       // of the problem and round at hand
  Span<Real> first_duals_;  // P x L, of each problem's first round
  Span<Real> z_;            // m, of the problem at hand
  Span<Real> scratch_;      // m
  Span<Real> objectives_;   // by problem
  Span<Real> gaps_;         // by problem: primal less dual, over the primal
  Span<Real> changes_;      // by problem: the largest of z in the last round
  Span<std::uint32_t> rounds_;
  Span<bool> converged_;
  Span<Real> listed_;        // the objectives of those problems that exist, for the report
  std::size_t problem_ = 0;  // at hand; P when all are done
  bool in_round_ = false;
  bool started_ = false;   // on the points now held
  bool overflow_ = false;  // in a problem of those so far
};

inline constexpr SelectorType kL0svm = {
    "l0svm",
    "linear SVM that multiplies features by their weights until few are left; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kL0svmParams,
    L0svm::configure,
    L0svm::required_bytes,
    create_selector<L0svm>,
    &kClassifies};

}  // namespace whittle

#endif  // WHITTLE_SELECT_L0SVM_H_
