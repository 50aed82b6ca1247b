// Variance score: how much a feature varies, whatever the labels. Larger is better.
//
// Score of feature r: population variance (divided by n) over labelled and unlabelled samples, in
// scaled units: SS_r / n, n the samples that have the feature. Source: [U] (1). Class E1: exact
// over the whole stream; with a half-life, over samples by weight.
//
// Cost: score O(m C). Memory: the moments. Misleads when features have different units: scale them.
// Errors of score: failed_precondition without an ordinary (not universum) sample.
#ifndef WHITTLE_SELECT_VARIANCE_H_
#define WHITTLE_SELECT_VARIANCE_H_

#include "whittle/select/class_moments.h"
#include "whittle/select/selector.h"

namespace whittle {

class Variance final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& /*memory*/,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Variance>().total();
  }

  Variance(Arena& /*arena*/, const StreamMemory& memory, const ParamValues& /*values*/)
      : memory_(memory) {}

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
};

inline constexpr SelectorType kVariance = {"variance",
                                           "population variance; needs no labels",
                                           Direction::descending,
                                           Exactness::whole_stream,
                                           {},
                                           configure_moments,
                                           Variance::required_bytes,
                                           create_selector<Variance>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_VARIANCE_H_
