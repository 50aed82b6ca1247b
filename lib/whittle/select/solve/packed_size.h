// The elements of a packed lower triangle with its diagonal, n (n + 1) / 2, as a product of two
// numbers: ByteCount checks a product for overflow.
#ifndef WHITTLE_SELECT_SOLVE_PACKED_SIZE_H_
#define WHITTLE_SELECT_SOLVE_PACKED_SIZE_H_

#include <cstddef>

#include "whittle/base/arena.h"

namespace whittle {

template <typename T>
constexpr std::size_t packed_bytes(std::size_t n) {
  return n % 2 == 0 ? ByteCount{}.template array<T>(n / 2, n + 1).total()
                    : ByteCount{}.template array<T>(n, n / 2 + 1).total();
}

constexpr std::size_t packed_size(std::size_t n) {
  return n % 2 == 0 ? n / 2 * (n + 1) : n * (n / 2 + 1);
}

}  // namespace whittle

#endif  // WHITTLE_SELECT_SOLVE_PACKED_SIZE_H_
