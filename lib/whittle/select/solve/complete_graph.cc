#include "whittle/select/solve/complete_graph.h"

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"
#include "whittle/select/params.h"

namespace whittle {

void CompleteGraph::place(Arena& arena, const MemoryConfig& config) {
  const std::size_t n = config.capacity();
  triangle_ = arena.array<Real>(packed_size(n));
  degrees_ = arena.array<Real>(n);
  filled_.place(arena, config.features);
}

Status CompleteGraph::build(const StreamMemory& memory, Real lambda) {
  points_ = &memory.points();
  if (points_->size() < 2) {
    return {StatusCode::failed_precondition, "the graph has no edge: two held points are needed"};
  }
  filled_.update(*points_);
  write_distances();
  if (const Status status = choose_lambda(lambda); !status.ok()) return status;
  write_weights();
  CompensatedSum total;
  for (std::size_t i = 0; i < size(); ++i) total.add(degrees_[i]);
  total_degree_ = total.value();
  if (total_degree_ == 0) {
    return {StatusCode::failed_precondition,
            "all edge weights underflow to 0: lambda is too small for these distances"};
  }
  return {};
}

void CompleteGraph::write_distances() {
  const Span<const Slot> order = points_->order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Real* x = filled_.row(order[i], 0);
    Real* distances = row(i);
    for (std::size_t j = 0; j < i; ++j) {
      distances[j] = squared_distance(x, filled_.row(order[j], 1), points_->features());
    }
    distances[i] = 0;
  }
}

Status CompleteGraph::choose_lambda(Real lambda) {
  lambda_ = lambda;
  if (lambda != kAutoParam) return {};
  CompensatedSum sum;
  for (std::size_t i = 0; i < size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) sum.add(row(i)[j]);
  }
  const Real n = static_cast<Real>(size());
  lambda_ = sum.value() / (n * (n - Real(1)) / Real(2));
  if (lambda_ == 0) lambda_ = Real(1);
  if (!(lambda_ < kInfinity)) {
    return {StatusCode::failed_precondition, "distances overflow: scale the features down"};
  }
  return {};
}

void CompleteGraph::write_weights() {
  for (std::size_t i = 0; i < size(); ++i) {
    Real* weights = row(i);
    for (std::size_t j = 0; j < i; ++j) weights[j] = -(weights[j] / lambda_);
    exp_all(weights, i);
    Real lane[kLanes] = {};
    for (std::size_t j = 0; j < i; ++j) {
      degrees_[j] += weights[j];
      lane[j % kLanes] += weights[j];
    }
    degrees_[i] = sum_of_lanes(lane);
  }
}

void CompleteGraph::centre(std::size_t feature, Real* deviations) const {
  const Real origin = value(0, feature);
  CompensatedSum sum;
  for (std::size_t i = 0; i < size(); ++i) {
    deviations[i] = value(i, feature) - origin;
    sum.add(degrees_[i] * deviations[i]);
  }
  const Real mean = sum.value() / total_degree_;
  for (std::size_t i = 0; i < size(); ++i) deviations[i] -= mean;
}

void CompleteGraph::apply_laplacian(const Real* u, Real* WHITTLE_RESTRICT result) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Real* weights = row(i);
    Real lane[kLanes] = {};
    std::size_t j = 0;
    for (; j + kLanes <= i; j += kLanes) {
      WHITTLE_UNROLL_8
      for (std::size_t l = 0; l < kLanes; ++l) {
        const Real pull = weights[j + l] * (u[i] - u[j + l]);
        result[j + l] -= pull;
        lane[l] += pull;
      }
    }
    for (std::size_t l = 0; j + l < i; ++l) {
      const Real pull = weights[j + l] * (u[i] - u[j + l]);
      result[j + l] -= pull;
      lane[l] += pull;
    }
    result[i] = sum_of_lanes(lane);
  }
}

}  // namespace whittle
