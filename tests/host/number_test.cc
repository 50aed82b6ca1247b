#include "tools/cli/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace whittle::cli {
namespace {

TEST(ParseNumber, ReadsWhatSpreadsheetsWrite) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("  -2 \t"), -2.0);
  EXPECT_EQ(parse_number("+3"), 3.0);
  EXPECT_EQ(parse_number("1e3"), 1000.0);
  EXPECT_EQ(parse_number("-1.25E-2"), -0.0125);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
}

TEST(ParseNumber, KnowsInfinityAndNanInAnyCase) {
  EXPECT_EQ(parse_number("INF"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("-infinity"), -std::numeric_limits<double>::infinity());
  ASSERT_TRUE(parse_number("NaN").has_value());
  EXPECT_TRUE(std::isnan(*parse_number("NaN")));
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"", " ", "NA", "x", "1,5", "1 2", "+-1", "++1", "+", "-", "0x10", "1e",
                           "nan(1)", "1.5kg", "--1"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

TEST(ParseNumber, SaturatesBeyondTheRange) {
  EXPECT_EQ(parse_number("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("-1e400"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("1e-400"), 0.0);
  EXPECT_EQ(parse_number("1e99999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("-1E+99999"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("-1e-99999"), 0.0);
  EXPECT_EQ(parse_number("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(ParseNumber, SaturatesBeyondTheRangeHoweverItIsWritten) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::string zeros(6000, '0');
  EXPECT_EQ(parse_number("0." + zeros + "1"), 0.0);
  EXPECT_EQ(parse_number("-." + zeros + "25"), 0.0);
  EXPECT_EQ(parse_number("0." + zeros + "1e+100"), 0.0);
  EXPECT_EQ(parse_number("0." + zeros + "1E6001"), 1.0);
  EXPECT_EQ(parse_number("0." + zeros + "1e7000"), kInfinite);
  EXPECT_EQ(parse_number("1" + zeros), kInfinite);
  EXPECT_EQ(parse_number("-1" + zeros + ".5"), -kInfinite);
  EXPECT_EQ(parse_number("1" + zeros + "e-100"), kInfinite);
  EXPECT_EQ(parse_number("1" + zeros + "e-7000"), 0.0);
  const std::string far(30, '9');
  EXPECT_EQ(parse_number("1e" + far), kInfinite);
  EXPECT_EQ(parse_number("-0.1e+" + far), -kInfinite);
  EXPECT_EQ(parse_number("1" + zeros + "e-" + far), 0.0);
  EXPECT_EQ(parse_number("0e" + far), 0.0);
  EXPECT_EQ(parse_number("1" + zeros + "e9223372036854775807"), kInfinite);
}

TEST(PastRange, IsToldFromInfinityAndNamesThePrecision) {
  for (const char* text : {"inf", "-Infinity", " INF "}) EXPECT_TRUE(is_written_infinite(text));
  for (const char* text : {"1e39", "-1e999"}) EXPECT_FALSE(is_written_infinite(text));
  EXPECT_EQ(past_range<float>("1e39"), "'1e39' is past what single precision holds (about 3.4e38)");
  EXPECT_EQ(past_range<double>("-1e309"),
            "'-1e309' is past what double precision holds (about 1.8e308)");
}

TEST(ReadNumber, SaysWhatIsWrongAndLeavesTheValue) {
  const auto wrong = [](const char* text) {
    double value = 7;
    const std::string said = read_number<float>(text, -1, "wanted", &value);
    EXPECT_EQ(value, 7);
    return said;
  };
  for (const char* text : {"", "x", "nan", "inf", "-inf", "-1.5", "-1e39"}) {
    EXPECT_EQ(wrong(text), "wanted") << text;
  }
  EXPECT_EQ(wrong("1e39"), past_range<float>("1e39"));
  EXPECT_EQ(wrong("1e-50"), "'1e-50' is too small for single precision (below about 1.4e-45)");
  double value = 7;
  EXPECT_EQ(read_number<double>("1e999", 0, "wanted", &value), past_range<double>("1e999"));
  EXPECT_EQ(read_number<double>("1e-999", 0, "wanted", &value),
            "'1e-999' is too small for double precision (below about 4.9e-324)");
  EXPECT_EQ(value, 7);
  EXPECT_EQ(read_number<double>("1e39", 0, "wanted", &value), "");
  EXPECT_EQ(value, 1e39);
  EXPECT_EQ(read_number<float>("0e-999", 0, "wanted", &value), "");
  EXPECT_EQ(value, 0);
}

TEST(ParseWhole, TakesDigitsUpToTheLimit) {
  EXPECT_EQ(parse_whole("0", 10), 0U);
  EXPECT_EQ(parse_whole("10", 10), 10U);
  for (const char* text : {"", "11", "-1", "+1", "1.0", "1e1", " 1", "99999999999999999999999"}) {
    EXPECT_FALSE(parse_whole(text, 10).has_value()) << text;
  }
}

TEST(ToReal, BecomesInfiniteOnlyPastTheLargestReal) {
  constexpr Real most = std::numeric_limits<Real>::max();
  EXPECT_EQ(to_real(static_cast<double>(most)), most);
  EXPECT_EQ(to_real(*parse_number(format_real(most))), most);
  EXPECT_EQ(to_real(*parse_number(format_real(-most))), -most);
  EXPECT_EQ(to_real(std::numeric_limits<double>::infinity()), kInfinity);
  if (sizeof(Real) < sizeof(double)) {
    EXPECT_EQ(to_real(1e300), kInfinity);
    EXPECT_EQ(to_real(-1e300), -kInfinity);
  }
}

TEST(FormatReal, IsTheShortestThatReadsBack) {
  EXPECT_EQ(format_real(Real(0.1)), "0.1");
  EXPECT_EQ(format_real(Real(5)), "5");
  EXPECT_EQ(format_real(Real(-2.5)), "-2.5");
  EXPECT_EQ(format_real(kInfinity), "inf");
  for (Real value : {Real(1) / 3, Real(2) / 7, Real(123456.789), Real(1e-20)}) {
    EXPECT_EQ(to_real(*parse_number(format_real(value))), value);
  }
}

// A double build keeps all of a double's digits.
TEST(ToReal, DoesNotNarrowADoubleBuild) {
  EXPECT_EQ(to_real(0.1), static_cast<Real>(0.1));
  if (sizeof(Real) == sizeof(double)) {
    EXPECT_EQ(format_real(to_real(*parse_number("0.12345678901234568"))), "0.12345678901234568");
  }
}

}  // namespace
}  // namespace whittle::cli
