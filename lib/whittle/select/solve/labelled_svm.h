// LabelledSvm: linear support vector machines with the elastic-net penalty on the labelled points
// held, one per problem of OneVsRest: what drsvm and l1svm have in common.
//
// A step of refine() is one of ElasticNetSvm; the problems come one after the other, each from the
// solution it had when the held points last changed. Cost and memory: see MarginModels; P Reals
// more for P problems.
#ifndef WHITTLE_SELECT_SOLVE_LABELLED_SVM_H_
#define WHITTLE_SELECT_SOLVE_LABELLED_SVM_H_

#include "whittle/select/selector.h"
#include "whittle/select/solve/margin_models.h"

namespace whittle {

class LabelledSvm {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& memory, Real l2) {
    return ByteCount{}
        .bytes(MarginModels::required_bytes(memory, l2 == 0))
        .array<Real>(max_problems(memory.classes))
        .total();
  }
  void place(Arena& arena, const StreamMemory& memory, const HingePenalty& penalty,
             std::uint32_t max_iterations);

  void changed() { prepared_ = false; }
  Refinement refine(std::uint32_t max_iterations);
  // `reason`: "ID needs labelled samples of two classes".
  Status score(const char* reason, Span<Real> scores, InfoList* info);
  Status predict(const Real* x, std::uint32_t* label) const {
    return models_.predict(memory_->points(), x, label);
  }
  void digest(Digest& digest) const;

 private:
  void prepare();
  void find_problem();
  void begin_problem();

  const StreamMemory* memory_ = nullptr;
  HingePenalty penalty_;
  std::uint32_t max_iterations_ = 1;
  MarginModels models_;
  Span<Real> objectives_;  // by problem, of the last score
  std::size_t problem_ = 0;
  std::uint32_t steps_ = 0;       // of this problem
  std::uint32_t iterations_ = 0;  // of all since the points changed
  bool prepared_ = false;         // for the points now held
  bool begun_ = false;            // this problem
  bool converged_ = false;        // all so far
  bool overflow_ = false;         // of one so far
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_LABELLED_SVM_H_
