// Digest: FNV-1a, 64 bits, over the bits of values. Two states with the same digest are taken to be
// the same; pointers and scratch never enter it, so it compares across processes and boards.
#ifndef WHITTLE_BASE_DIGEST_H_
#define WHITTLE_BASE_DIGEST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "whittle/base/span.h"

namespace whittle {

class Digest {
 public:
  template <typename T>
  void add(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) value_ = (value_ ^ byte) * 0x100000001B3ULL;
  }
  template <typename T>
  void add_all(const T* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(values[i]);
  }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_DIGEST_H_
