// ModelAnswers: what the model of a selector tells of single samples, beside scores. A SelectorType
// names it, so it is linked with selectors that have such a model, and only with them.
//
// Classifying takes a sample as it comes from the sensors and makes it what Selector::predict
// takes: scaled as held points are, and in place of each value that is missing, or of a feature
// that is not selected (pruned, so it need not be sensed), the mean of the present values of the
// held points. Cost: O(m), O(n) per value replaced, and the selector's. Memory: m Reals.
#ifndef WHITTLE_SELECT_MODEL_ANSWERS_H_
#define WHITTLE_SELECT_MODEL_ANSWERS_H_

#include <cstdint>

#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/memory/stream_memory.h"
#include "whittle/select/selector.h"

namespace whittle {

// What is asked: the sample and what is known of it.
struct PredictionQuery {
  Span<const Real> raw;       // as it came
  Span<const bool> selected;  // by feature; empty: all are
  Span<Real> scaled;          // m, scratch
};

// Errors, each leaving everything as it was: failed_precondition (no sample yet, and those of
// Selector::predict); invalid_argument: not m features (value: m), an infinity (value: which
// feature), no value present of a feature that is selected; out_of_range: a value that overflows
// once scaled (value: which).
Status predict_class(const StreamMemory& memory, const Selector& selector,
                     const PredictionQuery& query, std::uint32_t* label);

// Of the held sample with this id. Errors: not_found (it is not held, or no longer),
// invalid_argument (not C degrees: value), those of Selector::memberships.
Status find_memberships(const StreamMemory& memory, const Selector& selector, std::uint64_t id,
                        Span<Real> degrees);

struct ModelAnswers {  // nullptr: it does not
  decltype(&predict_class) predict = nullptr;
  decltype(&find_memberships) memberships = nullptr;
};
inline constexpr ModelAnswers kClassifies = {&predict_class, nullptr};
inline constexpr ModelAnswers kClusters = {nullptr, &find_memberships};

}  // namespace whittle

#endif  // WHITTLE_SELECT_MODEL_ANSWERS_H_
