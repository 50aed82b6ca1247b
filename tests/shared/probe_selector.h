// kProbe: a selector made for the tests of the node. Iterative, so that refining shows in its
// scores: the score of feature i is ((i * 7) mod m) + steps / 8, so the best feature is not the
// first. It needs a labelled sample.
#ifndef WHITTLE_TESTS_SHARED_PROBE_SELECTOR_H_
#define WHITTLE_TESTS_SHARED_PROBE_SELECTOR_H_

#include "whittle/base/digest.h"
#include "whittle/select/selector.h"

namespace whittle::testing {

class Probe final : public Selector {
 public:
  explicit Probe(const StreamMemory& memory) : memory_(&memory) {}

  Refinement refine(std::uint32_t max_iterations) override {
    steps_ += max_iterations;
    return {max_iterations, false};
  }
  Status score(Span<Real> scores, InfoList* info) override {
    if (memory_->counts().labelled == 0) {
      return {StatusCode::failed_precondition, "probe needs a labelled sample"};
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = static_cast<Real>(i * 7 % scores.size()) + static_cast<Real>(steps_) / 8;
    }
    scores[scores.size() - 1] = kNoScore;
    if (info != nullptr) {
      info->integer("iterations", steps_);
      info->text("relevance", "weight");
      info->boolean("converged", false);
    }
    return {};
  }
  void digest(Digest& digest) const override { digest.add(steps_); }

 private:
  const StreamMemory* memory_;
  std::uint32_t steps_ = 0;
};

inline constexpr ParamSpec kProbeParams[] = {
    {"hold", "keep the samples", ParamKind::boolean, 1, 0, 1, nullptr},
    {"weight", "for nothing", ParamKind::real, Real(0.5), 0, 1, nullptr},
    {"refuse", "create fails", ParamKind::boolean, 0, 0, 1, nullptr},
};

inline constexpr SelectorType kProbe = {
    "probe",
    "for tests",
    Direction::descending,
    Exactness::anytime,
    Span<const ParamSpec>(kProbeParams),
    [](MemoryConfig& memory, const ParamValues& values) {
      if (values.boolean(0)) hold_samples(memory);
    },
    [](const MemoryConfig&, const ParamValues&) { return ByteCount{}.object<Probe>().total(); },
    [](Arena& arena, const StreamMemory& memory, const ParamValues& values,
       Selector** selector) -> Status {
      if (values.boolean(2)) return {StatusCode::invalid_argument, "told to refuse"};
      *selector = arena.object<Probe>(memory);
      return {};
    },
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_PROBE_SELECTOR_H_
