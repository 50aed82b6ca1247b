// Ranking: m scores and the order they give.
//
// Ties break by feature index; features without a score come last, among themselves by index
// (docs/methods.md). Positive infinity ranks as the largest score. Memory: m (sizeof(Real) + 4) + m
// bytes.
#ifndef WHITTLE_RANK_RANKING_H_
#define WHITTLE_RANK_RANKING_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/select/selector.h"

namespace whittle {

class Ranking {
 public:
  static constexpr std::size_t required_bytes(std::size_t features) {
    return ByteCount{}
        .array<Real>(features)
        .array<std::uint32_t>(features)
        .array<bool>(features)
        .total();
  }
  void place(Arena& arena, std::size_t features);

  // Orders the scores (heap sort, in place) and selects the best `top` features that have a score;
  // all of them if top is 0.
  void arrange(Direction direction, std::uint32_t top);
  void clear() { valid_ = false; }
  bool valid() const { return valid_; }

  // Written by a selector's score() and decide().
  Span<Real> mutable_scores() { return scores_; }
  Span<std::uint32_t> mutable_order() { return order_; }
  Span<bool> mutable_selected() { return selected_; }

  Span<const Real> scores() const { return scores_; }         // by feature
  Span<const std::uint32_t> order() const { return order_; }  // features, best first
  Span<const bool> selected() const { return selected_; }     // by feature: the mask

 private:
  Span<Real> scores_;
  Span<std::uint32_t> order_;
  Span<bool> selected_;
  bool valid_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_RANK_RANKING_H_
