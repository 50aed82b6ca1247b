// The one floating-point type of the core: float, or double when built with WHITTLE_DOUBLE.
#ifndef WHITTLE_BASE_REAL_H_
#define WHITTLE_BASE_REAL_H_

#include <cstdint>
#include <limits>

namespace whittle {

#ifdef WHITTLE_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// A score that does not exist (0/0, constant feature). Every "no score" of the core is this one bit
// pattern, so scores can be compared and digested bit by bit.
inline constexpr Real kNoScore = std::numeric_limits<Real>::quiet_NaN();
inline constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// A feature cell that a sample does not have is NaN.
inline constexpr bool is_missing(Real value) { return value != value; }

// A count as a Real, rounded; from its halves, since 64-bit conversion is a slow library call on a
// small core.
inline constexpr Real real_count(std::uint64_t count) {
  const auto high = static_cast<std::uint32_t>(count >> 32);
  const Real low = static_cast<Real>(static_cast<std::uint32_t>(count));
  return high == 0 ? low : static_cast<Real>(high) * Real(4294967296) + low;
}

// The other way: the whole part of a number that is at least 0 and less than 2^64.
inline constexpr std::uint64_t whole_part(Real number) {
  const auto high = static_cast<std::uint32_t>(number / Real(4294967296));
  const Real low = number - static_cast<Real>(high) * Real(4294967296);
  return std::uint64_t{high} << 32 | static_cast<std::uint32_t>(low);
}

inline constexpr bool has_score(Real score) { return score == score; }

}  // namespace whittle

#endif  // WHITTLE_BASE_REAL_H_
