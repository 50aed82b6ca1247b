// What every target needs: the input, taken piece by piece, and a check that ends the run.
#ifndef WHITTLE_TESTS_FUZZ_INPUT_H_
#define WHITTLE_TESTS_FUZZ_INPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/shared/byte_tools.h"

namespace whittle::fuzz {

using testing::Bytes;

// Past its end an input goes on as zeros.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : next_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *next_++;
  }
  std::uint32_t below(std::uint32_t limit) { return byte() % limit; }  // of a limit up to 256
  Bytes bytes(std::size_t count) {
    count = std::min(count, left_);
    Bytes taken(next_, next_ + count);
    next_ += count;
    left_ -= count;
    return taken;
  }
  Bytes rest() { return bytes(left_); }

 private:
  const std::uint8_t* next_;
  std::size_t left_;
};

// Aborts, which libFuzzer reports together with the input.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "BROKEN: %s\n", what);
  std::abort();
}

}  // namespace whittle::fuzz

#endif  // WHITTLE_TESTS_FUZZ_INPUT_H_
