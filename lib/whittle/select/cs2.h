// Constraint Score 2: squared differences of must-link pairs less nu times those of cannot-link
// pairs. Smaller is better.
//
// Score of feature r: sum_ML (f_i - f_j)^2 - nu sum_CL (f_i - f_j)^2, pairs and their weights as in
// cs1, in scaled units. Source: [T] (2.18). Class E1: exact over the whole stream. Parameter: nu.
//
// Cost: score O(m C). Memory: the moments. Misleads when features have different units, when some
// have more missing values than others (their sums have fewer terms), and by the choice of nu.
// Errors of score: failed_precondition without a pair (fewer than two labelled samples).
#ifndef WHITTLE_SELECT_CS2_H_
#define WHITTLE_SELECT_CS2_H_

#include "whittle/select/class_moments.h"
#include "whittle/select/selector.h"

namespace whittle {

inline constexpr ParamSpec kCs2Params[] = {
    {"nu", "weight of the cannot-link pairs", ParamKind::real, Real(0.1), 0, Real(1e6), nullptr}};

class Cs2 final : public Selector {
 public:
  static constexpr std::size_t required_bytes(const MemoryConfig& /*memory*/,
                                              const ParamValues& /*values*/) {
    return ByteCount{}.object<Cs2>().total();
  }

  Cs2(Arena& /*arena*/, const StreamMemory& memory, const ParamValues& values)
      : memory_(memory), nu_(values[0]) {}

  Status score(Span<Real> scores, InfoList* info) override;

 private:
  const StreamMemory& memory_;
  Real nu_;
};

inline constexpr SelectorType kCs2 = {
    "cs2",
    "constraint score 2: must-link less nu times cannot-link pairs; needs two labels",
    Direction::ascending,
    Exactness::whole_stream,
    kCs2Params,
    configure_moments,
    Cs2::required_bytes,
    create_selector<Cs2>};

}  // namespace whittle

#endif  // WHITTLE_SELECT_CS2_H_
