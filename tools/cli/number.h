// Numbers in text, the same in every locale.
#ifndef WHITTLE_TOOLS_CLI_NUMBER_H_
#define WHITTLE_TOOLS_CLI_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "whittle/base/real.h"

namespace whittle::cli {

// A decimal number: optional sign, digits, point, exponent; or inf, infinity, nan in any case.
// Blanks around it do not matter. A number too large becomes infinity, one too small 0. Nothing if
// the text is anything else.
std::optional<double> parse_number(std::string_view text);

// A whole number of decimal digits, at most `most`.
std::optional<std::uint64_t> parse_whole(std::string_view text, std::uint64_t most);

// To the core's precision; what it cannot hold becomes an infinity.
Real to_real(double value);

// Whether the text of a number says infinity itself, rather than digits that are too many for us.
bool is_written_infinite(std::string_view text);

// Whether the text of a number has no digit but 0, up to the exponent.
bool is_written_zero(std::string_view text);

// "single" or "double": the core's.
const char* precision_name();

// "'1e39' is past what single precision holds (about 3.4e38)": what is wrong with a number in
// digits that becomes an infinity as a T, float or double.
template <typename T>
std::string past_range(std::string_view text);

// Reads a number in digits, `least` or more, that a T, float or double, holds. Returns "", or what
// is wrong with it: `wanted`, or beside past_range() "'1e-50' is too small for single precision
// (below about 1.4e-45)", since it would be 0; `value` is then left as it is.
template <typename T>
std::string read_number(std::string_view text, double least, const std::string& wanted,
                        double* value);

// The shortest decimal that reads back as the same Real; "inf", "-inf", "nan".
std::string format_real(Real value);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_NUMBER_H_
