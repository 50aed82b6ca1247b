#include "whittle/select/solve/label_propagation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace whittle {
namespace {

constexpr Real kConsistency = Real(0.99);
constexpr Real kUnit = std::numeric_limits<Real>::epsilon();
constexpr std::uint32_t kMaxSweeps = 1000;

}  // namespace

void LabelPropagation::place(Arena& arena, std::size_t capacity) {
  const Span<Real> columns = arena.array<Real>(6 * capacity);
  now_ = columns.subspan(0, 2 * capacity);
  before_ = columns.subspan(2 * capacity, 2 * capacity);
  next_ = columns.subspan(4 * capacity, 2 * capacity);
  labels_ = arena.array<signed char>(capacity);
}

void LabelPropagation::start(std::size_t n) {
  size_ = n;
  sweeps_ = 0;
  pace_ = 1;
  std::fill(now_.begin(), now_.end(), Real(0));
  std::fill(before_.begin(), before_.end(), Real(0));
  std::fill(labels_.begin(), labels_.end(), static_cast<signed char>(0));
}

// next_ <- S now_.
void LabelPropagation::spread(const NearestRows& graph) {
  std::fill(next_.begin(), next_.end(), Real(0));
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint32_t* const ends = graph.ends(i);
    const Real* const weights = graph.weights(i);
    Real own[2] = {0, 0};
    for (std::size_t e = 0; e < graph.edges(i); ++e) {
      const std::size_t j = ends[e];
      for (std::size_t c = 0; c < 2; ++c) {
        own[c] += weights[e] * now_[2 * j + c];
        next_[2 * j + c] += weights[e] * now_[2 * i + c];
      }
    }
    for (std::size_t c = 0; c < 2; ++c) next_[2 * i + c] += own[c];
  }
}

bool LabelPropagation::sweep(const NearestRows& graph) {
  if (sweeps_ >= kMaxSweeps) return true;
  constexpr Real kSquare = kConsistency * kConsistency;
  pace_ = sweeps_ == 0   ? Real(1)
          : sweeps_ == 1 ? Real(1) / (Real(1) - kSquare / 2)
                         : Real(1) / (Real(1) - kSquare * pace_ / 4);
  ++sweeps_;
  spread(graph);
  bool settled = true;
  for (std::size_t at = 0; at < 2 * size_; ++at) {
    const bool given = labels_[at / 2] == (at % 2 == 0 ? -1 : 1);
    const Real goal = kConsistency * next_[at] + (given ? Real(1) : Real(0));
    const Real next = pace_ * (goal - before_[at]) + before_[at];
    settled = settled && std::abs(next - now_[at]) <= 16 * kUnit * std::abs(next);
    next_[at] = next;
  }
  std::swap(before_, now_);
  std::swap(now_, next_);
  return settled;
}

void LabelPropagation::decide() {
  Real sums[2] = {0, 0};
  for (std::size_t at = 0; at < 2 * size_; ++at) sums[at % 2] += now_[at];
  for (std::size_t i = 0; i < size_; ++i) {
    if (labels_[i] != 0) continue;
    const Real negative = now_[2 * i] / sums[0];
    const Real positive = now_[2 * i + 1] / sums[1];
    const bool larger = positive - negative > 16 * kUnit * positive;
    labels_[i] = static_cast<signed char>(larger ? 1 : -1);
  }
}

}  // namespace whittle
