#include "whittle/select/jsfs.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"

namespace whittle {
Jsfs::Jsfs(Arena& arena, const StreamMemory& memory, const ParamValues& values)
    : memory_(memory),
      features_(memory.config().features),
      capacity_(memory.config().capacity()),
      eta_(values[1]),
      gamma_(values[2]),
      edge_cost_(NearestRows::places(capacity_, values.integer(0)) * features_ / 2 + 1) {
  const MemoryConfig& config = memory.config();
  const std::size_t problems = max_problems(config.classes);
  points_.place(arena, config);
  graph_.place(arena, capacity_, values.integer(0));
  labels_.place(arena, capacity_);
  structure_.place(arena, features_);
  solver_.place(arena, config, {values[3], values[4], values[5], values.integer(6)});
  models_ = arena.array<Model>(problems);
  w_ = arena.array<Real>(problems * features_);
  alpha_ = arena.array<Real>(problems * features_);
  lambdas_ = arena.array<Real>(problems * capacity_);
  objectives_ = arena.array<Real>(problems);
}

void Jsfs::observe(const Observation& seen) {
  if (seen.kind == SampleKind::universum) return;
  changed_ = true;
  if (seen.slot == kNoSlot) return;
  for (std::size_t p = 0; p < problems(); ++p) lambdas(p)[seen.slot] = 0;
}

Status Jsfs::score(Span<Real> scores, InfoList* info) {
  const HeldPoints& points = memory_.points();
  const OneVsRest numbering(points);
  if (const Status status = numbering.check("jsfs needs labelled samples of two classes");
      !status.ok()) {
    return status;
  }
  if (edgeless_ && !changed_) {
    return {StatusCode::failed_precondition, "no two held points have a feature in common"};
  }
  for (std::size_t r = 0; r < scores.size(); ++r) {
    const HeldMoment moment = held_moment(points, r);
    scores[r] = moment.constant ? kNoScore : 0;
    for (std::size_t p = 0; p < problems() && !moment.constant; ++p) {
      Real score = 0;
      if (models_[p].exists) {
        score = std::abs(w(p)[r]);
      } else if (!learned() && numbering.exists(p)) {
        score = first_gradient(moment, r, p);
      }
      scores[r] = std::max(scores[r], score);
    }
  }
  if (info != nullptr) report(*info);
  return {};
}

// Of the labelled points' likelihood at w = 0, per labelled point.
Real Jsfs::first_gradient(const HeldMoment& moment, std::size_t feature,
                          std::size_t problem) const {
  const HeldPoints& points = memory_.points();
  const OneVsRest numbering(points);
  CompensatedSum sum;
  for (const Slot slot : points.order()) {
    const Real value = points.row(slot)[feature];
    const int sign = numbering.sign(slot, problem);
    if (sign == 0 || is_missing(value)) continue;
    const Real deviation = (value - moment.origin) - moment.mean;
    sum.add(sign > 0 ? deviation : -deviation);
  }
  const Real spread = std::sqrt(moment.deviations / moment.count);
  const Real size = std::abs(sum.value()) / spread / (2 * static_cast<Real>(points.labelled()));
  return size < kInfinity ? size : Real(0);
}

bool Jsfs::learned() const {
  return std::any_of(models_.begin(), models_.end(), [](const Model& one) { return one.exists; });
}

void Jsfs::report(InfoList& info) {
  std::uint32_t passes = 0;
  std::size_t count = 0;
  Real residual = changed_ ? 1 : 0;
  bool converged = !changed_ && stage_ == Stage::idle;
  for (const Model& model : models_) {
    if (!model.wanted) continue;
    passes += model.passes;
    residual = std::max(residual, model.residual);
    converged = converged && model.converged;
    objectives_[count++] = model.objective;
  }
  info.of_problems("objective", {objectives_.data(), count});
  info.real("residual", residual);
  info.integer("iterations", passes);
  info.boolean("converged", converged);
  info.integer("kept_samples", kept_samples());
  info.real("lambda_used", graph_.lambda());
}

std::uint32_t Jsfs::kept_samples() const {
  std::uint32_t kept = 0;
  for (const Slot slot : memory_.points().order()) {
    bool any = memory_.points().label(slot) != kUnlabelled;
    for (std::size_t p = 0; p < problems(); ++p) {
      any = any || (models_[p].exists && lambdas(p)[slot] > 0);
    }
    kept += any ? 1 : 0;
  }
  return kept;
}

void Jsfs::decide(Span<const Real> /*scores*/, Span<std::uint32_t> /*order*/, Span<bool> selected) {
  if (!learned()) return;
  for (std::size_t r = 0; r < features_; ++r) {
    bool survives = false;
    for (std::size_t p = 0; p < problems(); ++p) {
      survives = survives || (models_[p].exists && alpha(p)[r] > 0);
    }
    selected[r] = selected[r] && survives;
  }
}

Status Jsfs::predict(const Real* x, std::uint32_t* label) const {
  if (!learned()) return {StatusCode::failed_precondition, "jsfs has learned nothing yet"};
  const OneVsRest numbering(memory_.points());
  std::size_t models = 0;
  Real largest = -kInfinity;
  for (std::size_t p = 0; p < problems(); ++p) {
    if (models_[p].wanted && !models_[p].exists) {
      return {StatusCode::failed_precondition, "jsfs has not learned every class yet: refine"};
    }
    if (!models_[p].exists) continue;
    ++models;
    Real output = 0;
    for (std::size_t r = 0; r < features_; ++r) {
      output += w(p)[r] * points_.standardised(x[r], r);
    }
    if (!(output > largest)) continue;
    largest = output;
    *label = numbering.class_of(p);
  }
  if (models == 1 && !(largest >= 0)) *label = other_class_;
  return {};
}

void Jsfs::digest(Digest& digest) const {
  for (const Model& model : models_) {
    digest.add(model.objective);
    digest.add(model.passes);
    digest.add(model.wanted);
    digest.add(model.exists);
    digest.add(model.converged);
  }
  digest.add_all(w_.data(), w_.size());
  digest.add_all(alpha_.data(), alpha_.size());
  for (const Slot slot : memory_.points().order()) {
    for (std::size_t p = 0; p < problems(); ++p) digest.add(lambdas(p)[slot]);
  }
  digest.add(static_cast<std::uint8_t>(stage_));
  digest.add(changed_);
  digest.add(edgeless_);
  digest.add(other_class_);
  digest.add(graph_.lambda());
  if (stage_ == Stage::idle) return;
  points_.digest(digest);  // of a run under way
  digest.add(static_cast<std::uint64_t>(problem_));
  digest.add(static_cast<std::uint64_t>(next_));
  digest.add(labels_.sweeps());
  solver_.digest(digest);
}

}  // namespace whittle
