#include "whittle/select/solve/linear_models.h"

#include <algorithm>

#include "whittle/select/solve/centred.h"

namespace whittle {

void LinearModels::place(Arena& arena, const MemoryConfig& config) {
  const std::size_t problems = max_problems(config.classes);
  weights_ = arena.array<Real>(problems * config.features);
  biases_ = arena.array<Real>(problems);
  exists_ = arena.array<bool>(problems);
  centre_ = arena.array<Real>(config.features);
}

// w'(x - c).
Real LinearModels::decision(std::size_t problem, const Real* x) const {
  return centred_dot(x, centre_.data(), weights(problem), centre_.size()) + biases_[problem];
}

void LinearModels::move_centre(const Real* centre) {
  for (std::size_t p = 0; p < biases_.size(); ++p) {
    if (exists_[p]) biases_[p] = decision(p, centre);
  }
  std::copy(centre, centre + centre_.size(), centre_.begin());
}

Status LinearModels::predict(const HeldPoints& points, const Real* x, std::uint32_t* label) const {
  const OneVsRest problems(points);
  if (const Status status = problems.check("labelled samples of two classes are needed");
      !status.ok()) {
    return status;
  }
  Real largest = -kInfinity;
  for (std::size_t p = 0; p < biases_.size(); ++p) {
    if (!problems.exists(p)) continue;
    if (!exists_[p]) return {StatusCode::failed_precondition, "no model yet: refine first"};
    const std::uint32_t positive = problems.class_of(p);
    const Real value = decision(p, x);
    if (problems.binary()) {
      *label = value >= 0 ? positive : problems.other_class(positive);
      return {};
    }
    if (value > largest) {
      largest = value;
      *label = positive;
    }
  }
  if (!(largest > -kInfinity)) {
    return {StatusCode::failed_precondition, "decisions overflow: scale the features down"};
  }
  return {};
}

void LinearModels::digest(Digest& digest) const {
  digest.add_all(weights_.data(), weights_.size());
  digest.add_all(biases_.data(), biases_.size());
  digest.add_all(exists_.data(), exists_.size());
  digest.add_all(centre_.data(), centre_.size());
}

}  // namespace whittle
