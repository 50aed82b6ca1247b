// Constraint Score 1: squared differences of must-link pairs over those of cannot-link pairs.
// Smaller is better.
//
// Score of feature r: sum_ML (f_i - f_j)^2 / sum_CL (f_i - f_j)^2 over unordered pairs of labelled
// samples, ML of one class, CL of two, and over explicit pairs that labels do not imply; of samples
// that have the feature. Source: [T] (2.17). Class E1: exact over the whole stream, from sum_ML =
// sum_c n_c SS_c and sum_CL = sum_c (n_L - n_c) SS_c + n_L B, where B is the spread of the class
// means; no difference of large sums is taken. With a half-life a pair weighs the product of what
// its samples weigh. Does not depend on scaling.
//
// Cost: score O(m C). Memory: the moments. Misleads with few labels: it sees no unlabelled sample.
// Errors of score: failed_precondition without a cannot-link pair (fewer than two classes seen).
#ifndef WHITTLE_SELECT_CS1_H_
#define WHITTLE_SELECT_CS1_H_

#include "whittle/select/class_moments.h"
#include "whittle/select/selector.h"

namespace whittle {

class Cs1 final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& /*memory*/,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Cs1>().total();
  }

  Cs1(Arena& /*arena*/, const StreamMemory& memory, const ParamValues& /*values*/)
      : memory_(memory) {}

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
};

inline constexpr SelectorType kCs1 = {
    "cs1",
    "constraint score 1: spread of must-link over cannot-link pairs; needs two classes",
    Direction::ascending,
    Exactness::whole_stream,
    {},
    configure_moments,
    Cs1::required_bytes,
    create_selector<Cs1>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CS1_H_
