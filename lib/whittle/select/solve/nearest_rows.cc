#include "whittle/select/solve/nearest_rows.h"

#include <cmath>

#include "whittle/base/lanes.h"
#include "whittle/base/math.h"

namespace whittle {

void NearestRows::place(Arena& arena, std::size_t capacity, std::size_t k) {
  places_ = places(capacity, k);
  ends_ = arena.array<std::uint32_t>(capacity * places_);
  weights_ = arena.array<Real>(capacity * places_);
  lengths_ = arena.array<std::uint32_t>(capacity);
  roots_ = arena.array<Real>(capacity);
}

void NearestRows::find(const StandardPoints& points, std::size_t i) {
  std::uint32_t* const ends = ends_.data() + i * places_;
  Real* const squares = weights_.data() + i * places_;
  std::size_t length = 0;
  for (std::size_t j = 0; j < points.size(); ++j) {
    if (j == i) continue;
    const Real square = points.squared_distance(i, j);
    if (!(square < kInfinity)) continue;
    if (length == places_ && !(square < squares[length - 1])) continue;
    if (length < places_) ++length;
    std::size_t place = length - 1;
    for (; place > 0 && square < squares[place - 1]; --place) {
      ends[place] = ends[place - 1];
      squares[place] = squares[place - 1];
    }
    ends[place] = static_cast<std::uint32_t>(j);
    squares[place] = square;
  }
  lengths_[i] = static_cast<std::uint32_t>(length);
}

// Of two points that list each other, the younger forgets the older.
void NearestRows::drop_double_edges(std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* const list = ends_.data() + i * places_;
    Real* const squares = weights_.data() + i * places_;
    std::size_t kept = 0;
    for (std::size_t e = 0; e < lengths_[i]; ++e) {
      const std::uint32_t j = list[e];
      const std::uint32_t* const last = ends(j) + lengths_[j];
      if (j < i && std::find(ends(j), last, static_cast<std::uint32_t>(i)) != last) continue;
      list[kept] = j;
      squares[kept] = squares[e];
      ++kept;
    }
    lengths_[i] = static_cast<std::uint32_t>(kept);
  }
}

bool NearestRows::choose_lambda(std::size_t n) {
  CompensatedSum sum;
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < lengths_[i]; ++e) sum.add(weights(i)[e]);
    count += lengths_[i];
  }
  if (count == 0) return false;
  lambda_ = sum.value() / static_cast<Real>(count);
  if (!(lambda_ > 0)) lambda_ = Real(1);
  return true;
}

bool NearestRows::weigh(std::size_t n) {
  drop_double_edges(n);
  std::fill(roots_.begin(), roots_.end(), Real(0));
  if (!choose_lambda(n)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < lengths_[i]; ++e) {
      Real& weight = weights_[i * places_ + e];
      weight = whittle::exp(-weight / lambda_);
      roots_[i] += weight;
      roots_[ends(i)[e]] += weight;
    }
  }
  for (std::size_t i = 0; i < n; ++i) roots_[i] = std::sqrt(roots_[i]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < lengths_[i]; ++e) {
      Real& weight = weights_[i * places_ + e];
      // Root by root: the product of two small degrees may underflow.
      if (weight > 0) weight = weight / roots_[i] / roots_[ends(i)[e]];
    }
  }
  return true;
}

}  // namespace whittle
