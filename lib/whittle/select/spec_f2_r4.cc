#include "whittle/select/spec_f2_r4.h"

#include "whittle/base/lanes.h"
#include "whittle/select/held_moment.h"
#include "whittle/select/ratio.h"

namespace whittle {

SpecF2R4::SpecF2R4(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory), lambda_(values[0]) {
  const std::size_t capacity = memory.config().capacity();
  graph_.place(arena, memory.config());
  const Span<Real> both = arena.array<Real>(2 * capacity);
  values_ = both.subspan(0, capacity);
  smoothed_ = both.subspan(capacity, capacity);
}

Status SpecF2R4::score(Span<Real> scores, InfoList* info) {
  if (const Status status = graph_.build(memory_, lambda_); !status.ok()) return status;
  if (info != nullptr) info->real("lambda_used", graph_.lambda());
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const bool constant = held_moment(memory_.points(), r).constant;
    scores[r] = constant ? kNoScore : feature_score(r);
  }
  return {};
}

Real SpecF2R4::feature_score(std::size_t feature) {
  const std::size_t n = graph_.size();
  graph_.centre(feature, values_.data());
  CompensatedSum whole;
  for (std::size_t i = 0; i < n; ++i) whole.add(graph_.degree(i) * values_[i] * values_[i]);
  graph_.apply_laplacian(values_.data(), smoothed_.data());
  for (std::size_t i = 0; i < n; ++i) {
    values_[i] = graph_.degree(i) > 0 ? smoothed_[i] / graph_.degree(i) : Real(0);
  }
  graph_.apply_laplacian(values_.data(), smoothed_.data());
  CompensatedSum rough;
  for (std::size_t i = 0; i < n; ++i) {
    if (graph_.degree(i) > 0) rough.add(smoothed_[i] * (smoothed_[i] / graph_.degree(i)));
  }
  // The score is 16 at most: nothing below something is an underflow.
  return whole.value() > 0 ? ratio(rough.value(), whole.value()) : kNoScore;
}

}  // namespace whittle
