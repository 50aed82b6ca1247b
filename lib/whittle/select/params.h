// Parameters of a selector: what there is, with defaults and limits (ParamSpec), and the values in
// use (ParamValues). Every value is one Real, so that it travels and is stored the same way; `auto`
// and named choices have numbers too.
#ifndef WHITTLE_SELECT_PARAMS_H_
#define WHITTLE_SELECT_PARAMS_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/base/status.h"
#include "whittle/select/description.h"

namespace whittle {

enum class ParamKind : std::uint8_t {
  real,
  real_or_auto,  // kAutoParam stands for `auto`
  integer,
  boolean,  // 0 or 1
  choice,   // index into `choices`
};

inline constexpr Real kAutoParam = Real(-1);

struct ParamSpec {
  const char* name;
  Description help;  // one line
  ParamKind kind;
  Real fallback;  // the default
  Real least;     // inclusive limits; for real_or_auto of the number
  Real most;
  const char* choices;  // "mean|printed"; nullptr unless kind is choice
};

inline constexpr std::size_t kMaxParams = 8;

class ParamValues {
 public:
  // The defaults of `specs`; for anything that has more than kMaxParams, the rest is left out.
  explicit constexpr ParamValues(Span<const ParamSpec> specs) {
    for (std::size_t i = 0; i < specs.size() && i < kMaxParams; ++i) {
      values_[i] = specs[i].fallback;
    }
  }
  constexpr ParamValues() = default;

  constexpr Real operator[](std::size_t i) const { return values_[i]; }
  constexpr std::uint32_t integer(std::size_t i) const {
    return static_cast<std::uint32_t>(values_[i]);
  }
  constexpr bool boolean(std::size_t i) const { return values_[i] != Real(0); }
  // Whether set() has given it, be it the default.
  constexpr bool given(std::size_t i) const { return (given_ >> i & 1U) != 0; }

  // Sets the parameter `name` of `specs`.
  // Errors: not_found (no such parameter), invalid_argument (not a whole number, NaN),
  // out_of_range (past a limit). Nothing changes on error.
  Status set(Span<const ParamSpec> specs, const char* name, Real value);

 private:
  Real values_[kMaxParams] = {};
  std::uint32_t given_ = 0;  // a bit each
};

}  // namespace whittle

#endif  // WHITTLE_SELECT_PARAMS_H_
