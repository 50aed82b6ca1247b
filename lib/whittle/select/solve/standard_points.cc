#include "whittle/select/solve/standard_points.h"

#include <algorithm>
#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/select/held_moment.h"

namespace whittle {
namespace {

constexpr Real kMissing = -Real(0);

bool missing(Real z) { return z == 0 && std::signbit(z); }

}  // namespace

void StandardPoints::place(Arena& arena, const MemoryConfig& config) {
  const std::size_t n = config.capacity();
  const std::size_t m = config.features;
  rows_ = arena.array<Real>(n * m);
  const Span<Real> scale = arena.array<Real>(2 * m);
  means_ = scale.subspan(0, m);
  gains_ = scale.subspan(m, m);
  stamps_ = arena.array<std::uint64_t>(n);
  slots_ = arena.array<Slot>(n);
  labels_ = arena.array<std::uint32_t>(n);
}

void StandardPoints::update(const HeldPoints& points) {
  size_ = points.size();
  any_missing_ = points.any_missing();
  for (std::size_t i = 0; i < size_; ++i) {
    const Slot slot = points.order()[i];
    slots_[i] = slot;
    stamps_[i] = points.stamp(slot);
    labels_[i] = points.label(slot);
  }
  for (std::size_t r = 0; r < means_.size(); ++r) standardise(points, r);
}

void StandardPoints::standardise(const HeldPoints& points, std::size_t feature) {
  const std::size_t m = means_.size();
  const HeldMoment moment = held_moment(points, feature);
  means_[feature] = moment.origin + moment.mean;
  // Relative to the largest deviation, so that squares neither over- nor underflow.
  Real largest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const Real value = points.row(slots_[i])[feature];
    Real& z = rows_[i * m + feature];
    z = is_missing(value) ? kMissing : (value - moment.origin) - moment.mean + Real(0);
    largest = std::max(largest, std::abs(z));
  }
  CompensatedSum squares;
  for (std::size_t i = 0; i < size_; ++i) {
    const Real part = rows_[i * m + feature] / largest;
    squares.add(part * part);
  }
  const Real deviation = largest * std::sqrt(squares.value() / moment.count);
  const Real gain = Real(1) / deviation;
  gains_[feature] = !moment.constant && gain > 0 && gain < kInfinity ? gain : Real(0);
  for (std::size_t i = 0; i < size_; ++i) {
    Real& z = rows_[i * m + feature];
    if (missing(z)) continue;
    z = gains_[feature] == 0 ? Real(0) : z * gains_[feature] + Real(0);
  }
}

Real StandardPoints::squared_distance(std::size_t i, std::size_t j) const {
  const std::size_t m = means_.size();
  if (any_missing_) {
    std::size_t r = 0;
    while (r < m && (missing(row(i)[r]) || missing(row(j)[r]))) ++r;
    if (r == m) return kInfinity;
  }
  return whittle::squared_distance(row(i), row(j), m);
}

}  // namespace whittle
