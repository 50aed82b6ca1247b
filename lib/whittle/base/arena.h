// Arena: the caller's buffer, handed out once at start and never given back.
//
// ByteCount computes at compile time what Arena will take at run time: both round each array up to
// kArenaAlignment, so a part that counts its arrays with one and places them with the other in the
// same order uses exactly the bytes it asked for.
#ifndef WHITTLE_BASE_ARENA_H_
#define WHITTLE_BASE_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "whittle/base/span.h"
#include "whittle/base/status.h"

namespace whittle {

// Buffers handed to an Arena should be aligned to this; an unaligned one loses its first bytes.
inline constexpr std::size_t kArenaAlignment = 8;

// Sum of array sizes. Sticks at the largest size_t instead of wrapping, so that a config too large
// for the address space is refused like any other that does not fit.
class ByteCount {
 public:
  constexpr ByteCount& bytes(std::size_t count) {
    constexpr std::size_t mask = kArenaAlignment - 1;
    const std::size_t rounded = count > kTooMany - mask ? kTooMany : (count + mask) & ~mask;
    total_ = rounded > kTooMany - total_ ? kTooMany : total_ + rounded;
    return *this;
  }
  template <typename T>
  constexpr ByteCount& array(std::size_t count) {
    return elements(count, sizeof(T));
  }
  constexpr ByteCount& elements(std::size_t count, std::size_t size) {
    return bytes(count > kTooMany / size ? kTooMany : count * size);
  }
  // rows x columns elements; safe against overflow of the product.
  template <typename T>
  constexpr ByteCount& array(std::size_t rows, std::size_t columns) {
    const bool overflows = columns != 0 && rows > kTooMany / columns;
    return array<T>(overflows ? kTooMany : rows * columns);
  }
  template <typename T>
  constexpr ByteCount& object() {
    return array<T>(1);
  }
  constexpr std::size_t total() const { return total_; }

 private:
  static constexpr std::size_t kTooMany = std::numeric_limits<std::size_t>::max();
  std::size_t total_ = 0;
};

class Arena {
 public:
  // Takes the buffer [buffer, buffer + size); the caller keeps it alive and does not touch it.
  Arena(void* buffer, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer);
    const std::size_t skip = (kArenaAlignment - address % kArenaAlignment) % kArenaAlignment;
    base_ = static_cast<unsigned char*>(buffer) + (skip < size ? skip : size);
    capacity_ = skip < size ? size - skip : 0;
  }

  std::size_t capacity() const { return capacity_; }
  std::size_t used() const { return used_; }
  std::size_t left() const { return capacity_ - used_; }
  unsigned char* next() const { return base_ + used_; }  // where the next array will be

  // Whether as much is left. Errors: resource_exhausted (value: bytes needed).
  Status check_left(std::size_t needed) const;

  // A zeroed array of `count` elements. Parts compare their required bytes with left() before they
  // place anything; an array that does not fit all the same comes back empty.
  template <typename T>
  Span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kArenaAlignment);
    T* first = static_cast<T*>(take(count, sizeof(T)));
    if (first == nullptr) return {};
    if constexpr (!std::is_trivially_default_constructible_v<T>) {
      for (std::size_t i = 0; i < count; ++i) new (first + i) T{};
    }
    return Span<T>(first, count);
  }

  // Constructs a T in the arena; nullptr when it does not fit.
  template <typename T, typename... Args>
  T* object(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kArenaAlignment);
    void* place = take(1, sizeof(T));
    return place == nullptr ? nullptr : new (place) T(std::forward<Args>(args)...);
  }

 private:
  // Zeroed bytes for `count` elements; nullptr if they do not fit.
  void* take(std::size_t count, std::size_t size);

  unsigned char* base_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_ARENA_H_
