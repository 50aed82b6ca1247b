// Universum Variance Score: variance, distance from the universum samples, and little spread among
// them. Larger is better.
//
// Score of feature r: alpha mean over (u, x) of (u_r - x_r)^2 - beta spread of U + variance of X, X
// the labelled and unlabelled samples, U the universum; in scaled units. The first mean is
// (mean_U - mean_X)^2 + var_U + var_X. Spread of U by universum_norm: mean, over ordered pairs,
// 2 var_U; printed, (1/u) times their sum, 2 u var_U, which grows with u. Over the samples that
// have the feature; without universum samples among them: variance. Source: [U] (6). Class E1:
// exact over the whole stream; with a half-life, over samples by weight, u being a sum of weights.
//
// Cost: score O(m C). Memory: the moments. Misleads when features have different units: scale them.
// Errors of score: failed_precondition without an ordinary sample.
#ifndef WHITTLE_SELECT_UVS_H_
#define WHITTLE_SELECT_UVS_H_

#include "whittle/select/class_moments.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kUvsParams[] = {
    {"alpha", "weight of the distance from the universum", ParamKind::real, 1, 0, Real(1e6),
     nullptr},
    {"beta", "weight of the spread of the universum", ParamKind::real, 1, 0, Real(1e6), nullptr},
    {"universum_norm", "spread as a mean over pairs, or as printed in the paper", ParamKind::choice,
     0, 0, 1, "mean|printed"}};

class Uvs final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& /*memory*/,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Uvs>().total();
  }

  Uvs(Arena& /*arena*/, const StreamMemory& memory, const ParamValues& values)
      : memory_(memory), alpha_(values[0]), beta_(values[1]), printed_norm_(values[2] == Real(1)) {}

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  Real alpha_;
  Real beta_;
  bool printed_norm_;
};

inline constexpr SelectorType kUvs = {
    "uvs",
    "variance with universum: spread, and distance from the universum; needs no labels",
    Direction::descending,
    Exactness::whole_stream,
    kUvsParams,
    configure_moments,
    Uvs::required_bytes,
    create_selector<Uvs>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_UVS_H_
