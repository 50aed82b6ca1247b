// Text: builds a string in a char array. What does not fit is cut; the array always ends in a zero.
#ifndef WHITTLE_NODE_TEXT_H_
#define WHITTLE_NODE_TEXT_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/base/status.h"

namespace whittle {

class Text {
 public:
  template <std::size_t N>
  explicit Text(char (&out)[N]) : end_(out), last_(out + N - 1) {
    *end_ = '\0';
  }

  Text& add(const char* text);
  Text& add(std::uint64_t number);
  Text& add_hex(Span<const std::uint8_t> bytes);
  // reason, or "reason: value".
  Text& add(const Status& status);

 private:
  char* end_;   // the terminating zero
  char* last_;  // the last place for it
};

}  // namespace whittle

#endif  // WHITTLE_NODE_TEXT_H_
