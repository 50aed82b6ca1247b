// Status: the outcome of every call that can fail.
//
// A Status is a canonical code, a short static reason, and, where a number says what to do (bytes
// needed, feature index, limit), that number. It owns nothing and is copied in registers.
#ifndef WHITTLE_BASE_STATUS_H_
#define WHITTLE_BASE_STATUS_H_

#include <cstdint>

namespace whittle {

// The canonical codes, with their usual numbers (they travel on the wire).
enum class StatusCode : std::uint8_t {
  ok = 0,
  invalid_argument = 3,     // the input is wrong whatever the state
  not_found = 5,            // no such selector, parameter, sample
  already_exists = 6,       // given twice
  resource_exhausted = 8,   // more memory or room needed than there is
  failed_precondition = 9,  // right input, wrong time: something must come first
  out_of_range = 11,        // a number past its limit
  unimplemented = 12,       // understood, but this build does not do it
  internal = 13,            // a fault of the library itself
  data_loss = 15,           // bytes were damaged
};

// The code's usual name, for messages: "invalid_argument".
const char* status_code_name(StatusCode code);

class [[nodiscard]] Status {
 public:
  constexpr Status() = default;
  // `reason` must be a string literal: it is kept by pointer.
  constexpr Status(StatusCode code, const char* reason) : reason_(reason), code_(code) {}
  // `value` is the number that the reason ends in: "arena too small: bytes needed" 4096.
  constexpr Status(StatusCode code, const char* reason, std::uint64_t value)
      : value_(value), reason_(reason), code_(code), has_value_(true) {}

  constexpr bool ok() const { return code_ == StatusCode::ok; }
  constexpr StatusCode code() const { return code_; }
  constexpr const char* reason() const { return reason_ == nullptr ? "" : reason_; }
  constexpr bool has_value() const { return has_value_; }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
  const char* reason_ = nullptr;
  StatusCode code_ = StatusCode::ok;
  bool has_value_ = false;
};

}  // namespace whittle

#endif  // WHITTLE_BASE_STATUS_H_
