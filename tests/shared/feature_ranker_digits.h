// kDigits: a selector made for the tests of what models say. It predicts the class whose number has
// the values of the sample as its decimal digits, the first value the ones: so a test sees every
// value that it was given. The membership of a held sample is that of its label, 1, or evenly all.
// Score: the number of the feature, so the last is the best. Info has lists.
#ifndef WHITTLE_TESTS_SHARED_FEATURE_RANKER_DIGITS_H_
#define WHITTLE_TESTS_SHARED_FEATURE_RANKER_DIGITS_H_

#include <algorithm>
#include <cmath>

#include "whittle/select/model_answers.h"
#include "whittle/select/selector.h"

namespace whittle::testing {

class Digits final : public Selector {
 public:
  Digits(Arena& arena, const StreamMemory& memory, const ParamValues&)
      : memory_(memory), list_(arena.array<Real>(memory.config().classes)) {
    for (std::size_t c = 0; c < list_.size(); ++c) list_[c] = static_cast<Real>(c) / 4;
  }
  static constexpr void configure(MemoryConfig& memory, const ParamValues&) {
    hold_samples(memory);
  }
  static constexpr std::size_t required_bytes(const MemoryConfig& memory, const ParamValues&) {
    return ByteCount{}.object<Digits>().array<Real>(memory.classes).total();
  }

  Status score(Span<Real> scores, InfoList* info) override {
    for (std::size_t r = 0; r < scores.size(); ++r) scores[r] = static_cast<Real>(r);
    if (info == nullptr) return {};
    info->list("objective", list_);
    info->real("gap", Real(0.5));
    info->list("none", {});
    info->list("last", Span<const Real>(list_.data(), std::min<std::size_t>(2, list_.size())));
    return {};
  }
  Status predict(const Real* x, std::uint32_t* label) const override {
    if (memory_.points().labelled() == 0) {
      return {StatusCode::failed_precondition, "digits needs a labelled sample"};
    }
    Real number = 0;
    for (std::size_t r = memory_.config().features; r-- > 0;) number = 10 * number + x[r];
    *label = static_cast<std::uint32_t>(std::lround(number));
    return {};
  }
  Status memberships(Slot slot, Span<Real> degrees) const override {
    if (memory_.points().labelled() == 0) {
      return {StatusCode::failed_precondition, "digits needs a labelled sample"};
    }
    const std::uint32_t label = memory_.points().label(slot);
    for (std::size_t c = 0; c < degrees.size(); ++c) {
      degrees[c] = label == kUnlabelled ? Real(1) / static_cast<Real>(degrees.size())
                                        : static_cast<Real>(c == label ? 1 : 0);
    }
    return {};
  }

 private:
  const StreamMemory& memory_;
  Span<Real> list_;
};

inline constexpr ModelAnswers kDigitsAnswers = {&predict_class, &find_memberships};
inline constexpr SelectorType kDigits = {"digits",
                                         "for tests",
                                         Direction::descending,
                                         Exactness::held_points,
                                         {},
                                         Digits::configure,
                                         Digits::required_bytes,
                                         create_selector<Digits>,
                                         &kDigitsAnswers};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_FEATURE_RANKER_DIGITS_H_
