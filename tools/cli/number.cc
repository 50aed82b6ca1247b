#include "tools/cli/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

constexpr double kDoubleInfinity = std::numeric_limits<double>::infinity();

template <typename T>
std::errc read(std::string_view text, T* value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return stop == end ? error : std::errc::invalid_argument;
}

// Of a number in digits that is not 0: the power of ten of its first digit other than 0.
std::int64_t decimal_exponent(std::string_view text) {
  // More than a text has digits, so that these do not matter.
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  std::int64_t written = 0;
  if (mark < text.size()) {
    std::string_view digits = text.substr(mark + 1);
    if (digits[0] == '+') digits.remove_prefix(1);
    if (read(digits, &written) == std::errc::result_out_of_range) {
      written = digits[0] == '-' ? -kFar : kFar;
    }
  }
  const auto first = static_cast<std::int64_t>(text.find_first_of("123456789"));
  const auto point = static_cast<std::int64_t>(std::min(text.find('.'), mark));
  return std::clamp(written, -kFar, kFar) + point - first - (first < point ? 1 : 0);
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (text.find('(') != std::string_view::npos) return std::nullopt;  // nan(...)
  double value = 0;
  const std::errc error = read(text, &value);
  if (error == std::errc()) return value;
  if (error != std::errc::result_out_of_range) return std::nullopt;
  // from_chars does not say on which side of the range.
  if (decimal_exponent(text) < 0) return 0;
  return text[0] == '-' ? -kDoubleInfinity : kDoubleInfinity;
}

std::optional<std::uint64_t> parse_whole(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  if (read(text, &value) != std::errc() || value > most) return std::nullopt;
  return value;
}

Real to_real(double value) {
  constexpr auto most = static_cast<double>(std::numeric_limits<Real>::max());
  constexpr auto epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());
  if (std::isfinite(value) && std::fabs(value) > most) {
    // Values that round to the largest Real are still Reals; the conversion of others is undefined.
    const double rounded_up = most * (1 + 0.25 * epsilon);
    const Real edge = std::fabs(value) < rounded_up ? std::numeric_limits<Real>::max() : kInfinity;
    return std::signbit(value) ? -edge : edge;
  }
  return static_cast<Real>(value);
}

bool is_written_infinite(std::string_view text) {
  return text.find_first_of("0123456789") == std::string_view::npos;
}

bool is_written_zero(std::string_view text) {
  return text.substr(0, text.find_first_of("eE")).find_first_of("123456789") ==
         std::string_view::npos;
}

const char* precision_name() { return sizeof(Real) == sizeof(float) ? "single" : "double"; }

template <>
std::string past_range<float>(std::string_view text) {
  return in_quotes(text) + " is past what single precision holds (about 3.4e38)";
}

template <>
std::string past_range<double>(std::string_view text) {
  return in_quotes(text) + " is past what double precision holds (about 1.8e308)";
}

template <typename T>
std::string read_number(std::string_view text, double least, const std::string& wanted,
                        double* value) {
  const std::optional<double> number = parse_number(text);
  if (!number || !(*number >= least) || is_written_infinite(text)) return wanted;
  if (std::fabs(*number) > static_cast<double>(std::numeric_limits<T>::max())) {
    return past_range<T>(text);
  }
  if (static_cast<T>(*number) == 0 && !is_written_zero(text)) {
    return in_quotes(text) + " is too small for " +
           (sizeof(T) == sizeof(float) ? "single precision (below about 1.4e-45)"
                                       : "double precision (below about 4.9e-324)");
  }
  *value = *number;
  return "";
}

template std::string read_number<float>(std::string_view, double, const std::string&, double*);
template std::string read_number<double>(std::string_view, double, const std::string&, double*);

std::string format_real(Real value) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : std::string("nan");
}

}  // namespace whittle::cli
