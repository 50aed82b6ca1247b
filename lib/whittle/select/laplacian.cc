#include "whittle/select/laplacian.h"

#include "whittle/select/ratio.h"

#include <algorithm>
#include <cmath>

namespace whittle {
namespace {

constexpr std::size_t kTile = 8;  // features at once, in registers

}  // namespace

void PointSums::place(Arena& arena, std::size_t features) {
  const Span<Real> rows = arena.array<Real>(4 * features);
  origin_ = rows.subspan(0, features);
  means_ = rows.subspan(features, features);
  ranges_ = rows.subspan(2 * features, features);
  totals_ = rows.subspan(3 * features, features);
  sums_.place(arena, features);
}

// Leaves the sums empty. A feature that no point has gets no origin: its sums
// come out as no score.
void PointSums::begin(const HeldPoints& points, Real total) {
  const Real* oldest = points.row(points.oldest());
  std::copy(oldest, oldest + origin_.size(), origin_.begin());
  for (std::size_t r = 0; points.any_missing() && r < origin_.size(); ++r) {
    for (const Slot slot : points.order()) {
      if (!is_missing(origin_[r])) break;
      origin_[r] = points.row(slot)[r];
    }
  }
  sums_.clear();
  std::fill(ranges_.begin(), ranges_.end(), Real(0));
  std::fill(totals_.begin(), totals_.end(), total);
}

void PointSums::add_weights(const Block& block) {
  for (std::size_t b = 0; b < block.count; ++b) {
    const Real* x = block.x[b];
    const Real weight = block.weights[b];
    sums_.add([&](std::size_t r) { return is_missing(x[r]) ? Real(0) : weight; });
  }
}

void PointSums::keep_totals() {
  for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] = sums_.value(r);
  sums_.clear();
}

void PointSums::keep_means() {
  for (std::size_t r = 0; r < means_.size(); ++r) means_[r] = sums_.value(r) / totals_[r];
  sums_.clear();
}

void PointSums::add_deviations(const Block& block) {
  const std::size_t m = means_.size();
  std::size_t first = 0;
  for (; !block.any_missing && first + kTile <= m; first += kTile) {
    const Real* origin = origin_.data() + first;
    Real lane[kTile] = {};
    Real range[kTile] = {};
    for (std::size_t b = 0; b < block.count; ++b) {
      const Real* x = block.x[b] + first;
      const Real weight = block.weights[b];
      WHITTLE_UNROLL_8
      for (std::size_t l = 0; l < kTile; ++l) {
        const Real d = x[l] - origin[l];
        lane[l] += weight * d;
        range[l] += std::abs(d);
      }
    }
    sums_.add_tile(first, lane);
    Real* ranges = ranges_.data() + first;
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kTile; ++l) range[l] += ranges[l];
    WHITTLE_UNROLL_8
    for (std::size_t l = 0; l < kTile; ++l) ranges[l] = range[l];
  }
  for (; first < m; ++first) {
    Real sum = 0;
    for (std::size_t b = 0; b < block.count; ++b) {
      const Real d = block.x[b][first] - origin_[first];
      if (is_missing(d)) continue;
      sum += block.weights[b] * d;
      ranges_[first] += std::abs(d);
    }
    sums_.add(first, 1, [&](std::size_t) { return sum; });
  }
}

void PointSums::add_squared_deviations(const Block& block) {
  const std::size_t m = means_.size();
  std::size_t first = 0;
  for (; !block.any_missing && first + kTile <= m; first += kTile) {
    const Real* origin = origin_.data() + first;
    const Real* means = means_.data() + first;
    Real lane[kTile] = {};
    for (std::size_t b = 0; b < block.count; ++b) {
      const Real* x = block.x[b] + first;
      const Real weight = block.weights[b];
      WHITTLE_UNROLL_8
      for (std::size_t l = 0; l < kTile; ++l) {
        const Real d = (x[l] - origin[l]) - means[l];
        lane[l] += weight * (d * d);
      }
    }
    sums_.add_tile(first, lane);
  }
  for (; first < m; ++first) {
    Real sum = 0;
    for (std::size_t b = 0; b < block.count; ++b) {
      const Real d = (block.x[b][first] - origin_[first]) - means_[first];
      if (!is_missing(block.x[b][first])) sum += block.weights[b] * (d * d);
    }
    sums_.add(first, 1, [&](std::size_t) { return sum; });
  }
}

void laplacian_scores(const HeldPoints& points, const GraphScatter& scatter, PointSums& sums,
                      Span<Real> scores) {
  const auto degree = [&](Slot slot) { return scatter.degree(slot); };
  sums.take_means(points, scatter.total_degree(), degree);
  sums.add_squares(points, degree);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    scores[r] = sums.constant(r) ? kNoScore : ratio(scatter.smoothness(r), sums.sums().value(r));
  }
}

}  // namespace whittle
