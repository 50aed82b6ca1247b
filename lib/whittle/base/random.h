// A seeded generator that gives the same numbers everywhere: PCG-XSH-RR 64/32 (O'Neill, 2014).
#ifndef WHITTLE_BASE_RANDOM_H_
#define WHITTLE_BASE_RANDOM_H_

#include <cstdint>

#include "whittle/base/real.h"

namespace whittle {

class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) {
    next();
    state_ += seed;
    next();
  }

  constexpr std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + 1442695040888963407ULL;
    const auto mixed = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return (mixed >> turn) | (mixed << ((32U - turn) & 31U));
  }

  // Uniform in 0..limit-1, limit > 0, without bias.
  constexpr std::uint32_t below(std::uint32_t limit) {
    const std::uint32_t threshold = (0U - limit) % limit;
    std::uint32_t value = next();
    while (value < threshold) value = next();
    return value % limit;
  }

  // Uniform in [0, 1), in steps of 2^-24.
  constexpr Real uniform() { return static_cast<Real>(next() >> 8) * Real(1.0 / 16777216); }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_RANDOM_H_
