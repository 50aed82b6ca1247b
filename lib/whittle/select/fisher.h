// Fisher score: spread of the class means over spread within the classes. Larger is better.
//
// Score of feature r: sum_c n_c (mu_c - mu)^2 / sum_c n_c var_c over the labelled samples, var_c
// the population variance of class c, n_c its samples that have the feature. Source: [U] (5). Class
// E1: exact over the whole stream; with a half-life, over samples by weight. Does not depend on
// scaling.
//
// Cost: score O(m C). Memory: the moments. Misleads when classes differ in spread and not in mean.
// Errors of score: failed_precondition with fewer than two classes seen.
#ifndef WHITTLE_SELECT_FISHER_H_
#define WHITTLE_SELECT_FISHER_H_

#include "whittle/select/class_moments.h"
#include "whittle/select/selector.h"

namespace whittle {

class Fisher final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& /*memory*/,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Fisher>().total();
  }

  Fisher(Arena& /*arena*/, const StreamMemory& memory, const ParamValues& /*values*/)
      : memory_(memory) {}

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
};

inline constexpr SelectorType kFisher = {
    "fisher",
    "spread of the class means over spread within classes; needs two classes",
    Direction::descending,
    Exactness::whole_stream,
    {},
    configure_moments,
    Fisher::required_bytes,
    create_selector<Fisher>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_FISHER_H_
