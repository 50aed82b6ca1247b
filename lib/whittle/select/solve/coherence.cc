#include "whittle/select/solve/coherence.h"

#include "whittle/base/lanes.h"

namespace whittle {

void Coherence::place(Arena& arena, const MemoryConfig& config, std::size_t limit) {
  numbers_ = arena.array<std::uint32_t>(config.capacity());
  ends_ = arena.array<Slot>(max_ends(config, limit));
  squares_.place(arena, max_ends(config, limit));
  clear_must_link_ = arena.array<std::uint32_t>(ConstraintPairs::max_pairs(config, limit));
  clear_cannot_link_ = arena.array<std::uint32_t>(ConstraintPairs::max_pairs(config, limit));
}

void Coherence::number_ends(const PairList& pairs) {
  for (const PointPair& pair : pairs) {
    for (const Slot slot : {pair.newer, pair.older}) {
      if (numbers_[slot] != kNoSlot) continue;
      numbers_[slot] = static_cast<std::uint32_t>(end_count_);
      ends_[end_count_++] = slot;
    }
  }
}

void Coherence::measure_squares(const HeldPoints& points, const FilledPoints& filled) {
  for (std::size_t i = 0; i < end_count_; ++i) {
    const Real* x = filled.row(ends_[i], 0);
    Real* row = squares_.row(i);
    for (std::size_t j = 0; j < i; ++j) {
      row[j] = squared_distance(x, filled.row(ends_[j], 1), points.features());
    }
  }
}

// Whether over(pair onto the segment) counts as more than zero. Positions are times the length of
// the segment, which lies from 0 to its square.
bool Coherence::overlaps(const PointPair& pair, const PointPair& onto) const {
  const std::uint32_t a = numbers_[onto.newer];
  const std::uint32_t b = numbers_[onto.older];
  const Real length = square(a, b);
  const auto position = [&](Slot slot) {
    const std::uint32_t v = numbers_[slot];
    return (square(v, a) + length - square(v, b)) * Real(0.5);
  };
  const Real p = position(pair.newer);
  const Real q = position(pair.older);
  const Real from = std::max(std::min(p, q), Real(0));
  const Real to = std::min(std::max(p, q), length);
  return to - from > Real(1e-6) * length;
}

void Coherence::select(const HeldPoints& points, const FilledPoints& filled, PairList& must_link,
                       PairList& cannot_link) {
  if (must_link.size() == 0 || cannot_link.size() == 0) return;
  std::fill(numbers_.begin(), numbers_.end(), kNoSlot);
  end_count_ = 0;
  number_ends(must_link);
  number_ends(cannot_link);
  measure_squares(points, filled);
  std::fill(clear_cannot_link_.begin(), clear_cannot_link_.end(), 0U);
  std::uint64_t clear_couples = 0;
  for (std::size_t i = 0; i < must_link.size(); ++i) {
    std::uint32_t clear = 0;
    for (std::size_t j = 0; j < cannot_link.size(); ++j) {
      const bool there = !overlaps(must_link[i], cannot_link[j]);
      const bool back = !overlaps(cannot_link[j], must_link[i]);
      clear += there ? 1U : 0U;
      clear_cannot_link_[j] += back ? 1U : 0U;
      clear_couples += there && back ? 1U : 0U;
    }
    clear_must_link_[i] = clear;
  }
  // clear / |CL| >= couples / (|ML| |CL|), and the other way round.
  const std::uint64_t must_links = must_link.size();
  const std::uint64_t cannot_links = cannot_link.size();
  must_link.keep_if([&](std::size_t i) {
    return std::uint64_t{clear_must_link_[i]} * must_links >= clear_couples;
  });
  cannot_link.keep_if([&](std::size_t j) {
    return std::uint64_t{clear_cannot_link_[j]} * cannot_links >= clear_couples;
  });
}

}  // namespace whittle
