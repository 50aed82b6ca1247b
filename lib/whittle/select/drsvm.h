// DrSVM: the doubly regularised support vector machine; the score of a feature is the size of its
// weight. Larger is better; selected are the features whose weight is not 0.
//
// Minimises, over the labelled points held, y_i = +1 or -1,
//   C sum_i max(0, 1 - y_i (w'x_i + b)) + lambda1 |w|_1 + lambda2/2 |w|^2.
// lambda1 makes weights 0, lambda2 gives correlated features like weights. w is unique (lambda2 >
// 0); b is the middle of its optimal interval. More than two classes: one against the rest each,
// the score is the largest of the weights. Source: [S] (1), after Wang, Zhu and Zou (2006).
//
// Class E3: refine() to convergence gives the minimum for the points now held, whatever came
// before; it starts from the minimum of the points held before. One iteration is one step of
// ElasticNetSvm, an exact active-set method: O(n m + k m) for n points and k of them at the margin.
// Scores before refine: those of the last step done; all 0 before the first. Parameters: C,
// lambda1, lambda2, tol (multipliers are within 0.01 tol of their limits, relative), max_iter
// (steps for one problem). Wants zscore: the penalties treat all weights alike.
//
// info: objective (of several problems a list), gap (DualBound over the objective, the largest of
// the problems: the minimum is at least (1 - gap) times the objective, after any number of steps;
// converged, it is tol at most unless single losses of C dwarf the objective, and mostly rounding),
// iterations (steps), converged.
//
// Memory: held points, LabelledSvm. Misleads when features differ in scale, and with few labels:
// unlabelled points are not used (senfs does). Errors of score: failed_precondition with fewer than
// two classes among the labelled points, or when products overflow.
#ifndef WHITTLE_SELECT_DRSVM_H_
#define WHITTLE_SELECT_DRSVM_H_

#include "whittle/select/model_answers.h"
#include "whittle/select/selector.h"
#include "whittle/select/solve/labelled_svm.h"

namespace whittle {

inline constexpr ParamSpec kDrsvmParams[] = {
    {"C", "weight of the hinge loss", ParamKind::real, 1, 0, Real(1e6), nullptr},
    {"lambda1", "weight of |w|_1: the more, the fewer features", ParamKind::real, 3, 0, Real(1e6),
     nullptr},
    {"lambda2", "weight of |w|^2 / 2: like weights for correlated features", ParamKind::real, 30, 0,
     Real(1e6), nullptr},
    {"tol", "tolerance of the solver", ParamKind::real, Real(1e-3), Real(1e-9), 1, nullptr},
    {"max_iter", "steps of the solver at most", ParamKind::integer, 20000, 1, 10000000, nullptr}};

class Drsvm final : public Selector {
 public:
  static constexpr void configure(MemoryConfig& memory, const ParamValues& /*values*/) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory,
                                              const ParamValues& values) {
    return ByteCount{}
        .object<Drsvm>()
        .bytes(LabelledSvm::required_bytes(memory, values[2]))
        .total();
  }

  Drsvm(Arena& arena, const StreamMemory& memory, const ParamValues& values);

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

inline constexpr SelectorType kDrsvm = {
    "drsvm",
    "support vector machine with the elastic-net penalty; needs two classes",
    Direction::descending,
    Exactness::anytime,
    kDrsvmParams,
    Drsvm::configure,
    Drsvm::required_bytes,
    create_selector<Drsvm>,
    &kClassifies};

}  // namespace whittle

#endif  // WHITTLE_SELECT_DRSVM_H_
