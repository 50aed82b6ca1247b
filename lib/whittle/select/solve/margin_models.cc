#include "whittle/select/solve/margin_models.h"

#include <algorithm>
#include <cmath>

#include "whittle/select/solve/constant_feature.h"

namespace whittle {

void MarginModels::place(Arena& arena, const MemoryConfig& config, bool proximal) {
  const std::size_t problems = max_problems(config.classes);
  const std::size_t m = config.features;
  const std::size_t capacity = config.capacity();
  models_ = arena.array<MarginModel>(problems);
  const Span<Real> weights = arena.array<Real>(problems * m);
  biases_ = arena.array<Real>(problems);
  exists_ = arena.array<bool>(problems);
  const Span<Place> places = arena.array<Place>(problems * capacity);
  const Span<Role> roles = arena.array<Role>(problems * capacity);
  const Span<Real> slopes = arena.array<Real>(problems * capacity);
  for (std::size_t p = 0; p < problems; ++p) {
    models_[p] = {weights.subspan(p * m, m), places.subspan(p * capacity, capacity),
                  roles.subspan(p * capacity, capacity), slopes.subspan(p * capacity, capacity), 0};
  }
  stamps_ = arena.array<std::uint64_t>(capacity);
  std::fill(stamps_.begin(), stamps_.end(), kFree);
  filled_.place(arena, m);
  solver_.place(arena, m, capacity, proximal);
}

void MarginModels::prepare(const HeldPoints& points, bool unlabelled_origin) {
  filled_.update(points);
  for (const Slot slot : points.order()) {
    if (stamps_[slot] == points.stamp(slot)) continue;
    stamps_[slot] = points.stamp(slot);
    for (MarginModel& model : models_) {
      model.places[slot] = Place::unset;
      model.roles[slot] = Role::absent;
    }
  }
  solver_.propose_origin(filled_, unlabelled_origin);
  for (std::size_t p = 0; p < models_.size(); ++p) {
    const Real shift = solver_.shift(models_[p].weights.data());
    models_[p].bias += shift;
    biases_[p] += shift;
  }
  solver_.take_origin();
}

void MarginModels::take_labels(std::size_t problem, MarginModel& model) const {
  const OneVsRest problems(filled_.held());
  for (const Slot slot : filled_.held().order()) {
    const int sign = problems.sign(slot, problem);
    model.roles[slot] = sign > 0 ? Role::positive : sign < 0 ? Role::negative : Role::absent;
  }
}

Real MarginModels::middle_bias(const MarginModel& model) const {
  // Slopes to both sides, in units of C: only where they are 0 another bias is as good, up to the
  // next kink on that side.
  int right = 0;
  int left = 0;
  Real up = kInfinity;
  Real down = -kInfinity;
  for (const Slot slot : filled_.held().order()) {
    const Role role = model.roles[slot];
    if (role == Role::absent) continue;
    const bool positive = role == Role::positive;
    const Place place = model.places[slot];
    const bool held = at_kink(place);
    const bool below = !held && place == (positive ? Place::middle : Place::low);  // its kink
    if (positive) {
      right -= below ? 1 : 0;
      left -= below || held ? 1 : 0;
    } else {
      right += below ? 0 : 1;
      left += below || held ? 0 : 1;
    }
    const Real way = (positive ? Real(1) : Real(-1)) - solver_.margin(slot);
    if (below) up = std::min(up, std::max(way, Real(0)));
    if (!below && !held) down = std::max(down, std::min(way, Real(0)));
  }
  if (right != 0 || !(up < kInfinity)) up = 0;
  if (left != 0 || !(down > -kInfinity)) down = 0;
  return model.bias + (up + down) / 2;
}

void MarginModels::score(const HeldPoints& points, Span<Real> scores) {
  filled_.update(points);
  for (std::size_t j = 0; j < scores.size(); ++j) {
    scores[j] = is_constant(points, j) ? kNoScore : Real(0);
  }
  const OneVsRest problems(points);
  for (std::size_t p = 0; p < models_.size(); ++p) {
    if (!problems.exists(p)) continue;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      const Real size = std::abs(models_[p].weights[j]);
      if (has_score(scores[j]) && size > scores[j]) scores[j] = size;
    }
  }
}

Real MarginModels::objective(std::size_t problem, const MarginModel& model, Real bias,
                             const HingePenalty& penalty, Real s) const {
  const HeldPoints& points = filled_.held();
  const OneVsRest problems(points);
  CompensatedSum sum;
  for (const Real w : model.weights) sum.add(penalty.l1 * std::abs(w) + penalty.l2 / 2 * w * w);
  for (const Slot slot : points.order()) {
    const int sign = problems.sign(slot, problem);
    if (sign == 0 && penalty.unlabelled == 0) continue;
    const Real g = solver_.product(model.weights.data(), filled_.row(slot, 0)) + bias;
    if (sign != 0) {
      sum.add(penalty.labelled * std::max(Real(0), 1 - static_cast<Real>(sign) * g));
    } else {
      // |1 - g|_+ + |1 + g|_+ - |s - g|_+ - |s + g|_+, all of them even in g.
      const Real size = std::abs(g);
      sum.add(penalty.unlabelled *
              (std::max(Real(0), 1 - size) + 1 + size - std::max(Real(0), s - size) - s - size));
    }
  }
  return sum.value();
}

Real MarginModels::gap(std::size_t problem, const MarginModel& model, Real bias,
                       const HingePenalty& penalty, Real s, bool balanced) {
  const HeldPoints& points = filled_.held();
  const OneVsRest problems(points);
  DualBound bound = solver_.bound(penalty, balanced);
  for (const Slot slot : points.order()) {
    const int sign = problems.sign(slot, problem);
    if (sign == 0 && penalty.unlabelled == 0) continue;
    const bool known = stamps_[slot] == points.stamp(slot);
    const Real g = solver_.product(model.weights.data(), filled_.row(slot, 0)) + bias;
    const Role role = sign > 0 ? Role::positive : sign < 0 ? Role::negative : pull_at(g, s);
    bound.add(role, known ? model.places[slot] : Place::unset, model.slopes[slot], g,
              filled_.row(slot, 0));
  }
  return bound.gap(model.weights.data());
}

Real MarginModels::relative_gap(std::size_t problem, const MarginModel& model, Real bias,
                                const HingePenalty& penalty, Real s, bool balanced,
                                Real objective) {
  if (!(objective > 0)) return 0;
  return std::min(gap(problem, model, bias, penalty, s, balanced) / objective, Real(1));
}

Status MarginModels::predict(const HeldPoints& points, const Real* x, std::uint32_t* label) const {
  const OneVsRest problems(points);
  if (const Status status = problems.check("labelled samples of two classes are needed");
      !status.ok()) {
    return status;
  }
  Real best = 0;
  bool found = false;
  for (std::size_t p = 0; p < models_.size(); ++p) {
    if (!problems.exists(p)) continue;
    if (!exists_[p]) return {StatusCode::failed_precondition, "no model yet: refine first"};
    const Real g = margin(p, x);
    const std::uint32_t positive = problems.class_of(p);
    if (problems.binary()) {
      *label = g >= 0 ? positive : problems.other_class(positive);
      return {};
    }
    if (found && !(g > best)) continue;
    found = true;
    best = g;
    *label = positive;
  }
  return {};
}

void MarginModels::digest(const HeldPoints& points, Digest& digest) const {
  for (std::size_t p = 0; p < models_.size(); ++p) {
    digest_one(models_[p], points, digest);
    digest.add(biases_[p]);
    digest.add(exists_[p]);
  }
}

void MarginModels::digest_one(const MarginModel& model, const HeldPoints& points,
                              Digest& digest) const {
  digest.add_all(model.weights.data(), model.weights.size());
  digest.add(model.bias);
  for (const Slot slot : points.order()) {
    if (stamps_[slot] != points.stamp(slot)) continue;
    digest.add(static_cast<std::uint32_t>(model.places[slot]));
    digest.add(static_cast<std::uint32_t>(model.roles[slot]));
  }
}

}  // namespace whittle
