// The line carries floats, the core computes with Reals. With Real = float these are the same
// memory; with double they are copied into a buffer.
#ifndef WHITTLE_NODE_REALS_H_
#define WHITTLE_NODE_REALS_H_

#include <cstddef>

#include "whittle/base/real.h"
#include "whittle/base/span.h"

namespace whittle {

template <typename T, std::size_t kSize>
class RealsOf {
 public:
  // `values` as T, in the buffer from `place` on; place + values.size() <= kSize.
  Span<const T> view(Span<const float> values, std::size_t place = 0) {
    for (std::size_t i = 0; i < values.size(); ++i) buffer_[place + i] = static_cast<T>(values[i]);
    return Span<const T>(buffer_ + place, values.size());
  }

  // Has `write` fill as many Ts, and puts them into `values`; returns what it returned.
  template <typename Write>
  auto fill(Span<float> values, Write&& write) {
    const auto status = write(Span<T>(buffer_, values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(buffer_[i]);
    return status;
  }

 private:
  T buffer_[kSize];
};

template <std::size_t kSize>
class RealsOf<float, kSize> {
 public:
  Span<const float> view(Span<const float> values, std::size_t /*place*/ = 0) { return values; }
  template <typename Write>
  auto fill(Span<float> values, Write&& write) {
    return write(values);
  }
};

template <std::size_t kSize>
using Reals = RealsOf<Real, kSize>;

}  // namespace whittle

#endif  // WHITTLE_NODE_REALS_H_
