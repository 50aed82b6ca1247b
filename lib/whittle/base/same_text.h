// Whether two C strings are equal. A loop: a C library's strcmp is tuned for long strings and
// larger than all that uses it here.
#ifndef WHITTLE_BASE_SAME_TEXT_H_
#define WHITTLE_BASE_SAME_TEXT_H_

namespace whittle {

constexpr bool same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

}  // namespace whittle

#endif  // WHITTLE_BASE_SAME_TEXT_H_
