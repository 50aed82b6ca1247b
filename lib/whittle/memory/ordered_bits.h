// The bits of a number that is not negative, as an integer: in the same order, and cheaper to
// compare on a core without SIMD.
#ifndef WHITTLE_MEMORY_ORDERED_BITS_H_
#define WHITTLE_MEMORY_ORDERED_BITS_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "whittle/base/real.h"

namespace whittle {

using OrderedBits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

inline OrderedBits ordered_bits(Real distance) {
  OrderedBits bits;
  std::memcpy(&bits, &distance, sizeof bits);
  return bits;
}

}  // namespace whittle

#endif  // WHITTLE_MEMORY_ORDERED_BITS_H_
