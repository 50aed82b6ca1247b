// Span: a view of contiguous elements (std::span is C++20).
#ifndef WHITTLE_BASE_SPAN_H_
#define WHITTLE_BASE_SPAN_H_

#include <cstddef>
#include <type_traits>

namespace whittle {

template <typename T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  // A view of mutable elements is also a view of const ones.
  template <typename U, typename = std::enable_if_t<std::is_same_v<const U, T>>>
  constexpr Span(Span<U> other) : data_(other.data()), size_(other.size()) {}

  constexpr T* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr Span subspan(std::size_t first, std::size_t count) const {
    return Span(data_ + first, count);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_SPAN_H_
