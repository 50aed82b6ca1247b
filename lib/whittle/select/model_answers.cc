#include "whittle/select/model_answers.h"

#include <cmath>

#include "whittle/memory/filled_points.h"

namespace whittle {
namespace {

// Of the values that count, one at least must be there.
Status check(const StreamMemory& memory, const PredictionQuery& query) {
  if (query.raw.size() != memory.config().features) {
    return {StatusCode::invalid_argument, "wrong number of features: expected",
            memory.config().features};
  }
  if (memory.counts().total() == 0) return {StatusCode::failed_precondition, "no sample yet"};
  bool any = false;
  for (std::size_t r = 0; r < query.raw.size(); ++r) {
    if (std::isinf(query.raw[r])) {
      return {StatusCode::invalid_argument, "infinite value: feature", r};
    }
    any = any || (!is_missing(query.raw[r]) && (query.selected.empty() || query.selected[r]));
  }
  if (!any) return {StatusCode::invalid_argument, "no value of a selected feature is present"};
  return {};
}

}  // namespace

Status predict_class(const StreamMemory& memory, const Selector& selector,
                     const PredictionQuery& query, std::uint32_t* label) {
  if (const Status status = check(memory, query); !status.ok()) return status;
  for (std::size_t r = 0; r < query.raw.size(); ++r) {
    const bool selected = query.selected.empty() || query.selected[r];
    query.scaled[r] = selected && !is_missing(query.raw[r]) ? memory.scaled(query.raw.data(), r)
                                                            : mean_of_present(memory.points(), r);
    if (!std::isfinite(query.scaled[r])) {
      return {StatusCode::out_of_range, "too large once scaled: feature", r};
    }
  }
  return selector.predict(query.scaled.data(), label);
}

Status find_memberships(const StreamMemory& memory, const Selector& selector, std::uint64_t id,
                        Span<Real> degrees) {
  if (degrees.size() != memory.config().classes) {
    return {StatusCode::invalid_argument, "a degree per class is needed: classes",
            memory.config().classes};
  }
  const Slot slot = memory.points().find(id);
  if (slot == kNoSlot) {
    return {StatusCode::not_found, "the sample is not held, or no longer: id", id};
  }
  return selector.memberships(slot, degrees);
}

}  // namespace whittle
