// L1-SVM: the support vector machine whose only penalty is |w|_1; the score of a feature is the
// size of its weight. Larger is better; selected are the features whose weight is not 0.
//
// Minimises, over the labelled points held, y_i = +1 or -1,
//   C sum_i max(0, 1 - y_i (w'x_i + b)) + lambda1 |w|_1:
// drsvm with lambda2 = 0. A linear program: w need not be unique (of equal features any may carry
// the weight), the objective is. More than two classes: one against the rest each, the score is the
// largest of the weights. Source: [S] (1) with lambda2 = 0.
//
// Class E3: refine() to convergence gives the minimum for the points now held, whatever came
// before; it starts from the minimum of the points held before. One iteration is one step of
// ElasticNetSvm, under its proximal point method: O(n m + k m) for n points and k of them at the
// margin. Scores before refine: those of the last step done; all 0 before the first. Parameters: C,
// lambda1, tol (relative, of the objective), max_iter (steps for one problem). Wants zscore: the
// penalty treats all weights alike.
//
// info: objective (of several problems a list), gap (DualBound over the objective, the largest of
// the problems: the minimum is at least (1 - gap) times the objective; converged, it is tol at most
// where lambda1 is of the order of C; with lambda1 = 0 it is 1 unless the objective is 0),
// iterations (steps), converged.
//
// Memory: held points, LabelledSvm, m Reals. Misleads with correlated features, of which it keeps
// one and drops the others (drsvm keeps them together), and when features differ in scale. Errors
// of score: failed_precondition with fewer than two classes among the labelled points, or when
// products overflow.
#ifndef WHITTLE_SELECT_L1SVM_H_
#define WHITTLE_SELECT_L1SVM_H_

#include "whittle/select/model_answers.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/labelled_svm.h"

namespace whittle {

inline constexpr ParamSpec kL1svmParams[] = {
    {"C", "weight of the hinge loss", ParamKind::real, 1, 0, Real(1e6), nullptr},
    {"lambda1", "weight of |w|_1: the more, the fewer features", ParamKind::real, 3, 0, Real(1e6),
     nullptr},
    {"tol", "tolerance of the solver", ParamKind::real, Real(1e-3), Real(1e-9), 1, nullptr},
    {"max_iter", "steps of the solver at most", ParamKind::integer, 20000, 1, 10000000, nullptr}};

class L1svm final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<L1svm>().bytes(LabelledSvm::required_bytes(memory, 0)).total();
  }

  L1svm(Arena& arena, const StreamMemory& memory, const ParamValues& values);

  void observe(const Observation& seen) override;
  void held_changed() override { svm_.changed(); }
  Refinement refine(std::uint32_t max_iterations) override { return svm_.refine(max_iterations); }
  Status score(Span<Real> scores, InfoList* info) override;
  void decide(Span<const Real> scores, Span<std::uint32_t> order, Span<bool> selected) override;
  Status predict(const Real* x, std::uint32_t* label) const override {
    return svm_.predict(x, label);
  }
  void digest(Digest& digest) const override { svm_.digest(digest); }

 private:
  LabelledSvm svm_;
};

inline constexpr SelectorType kL1svm = {
    "l1svm",
    "support vector machine with the |w|_1 penalty; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kL1svmParams,
    L1svm::configure,
    L1svm::required_bytes,
    create_selector<L1svm>,
    &kClassifies};

}  // namespace whittle

#endif  // WHITTLE_SELECT_L1SVM_H_
