// whittle rank --plot.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tools/cli/app.h"

namespace whittle {
namespace {

// Variances 5, 3 and none.
constexpr char kThree[] =
    "x,label,a constant with a long name,z\n0,a,7,1\n2,,7,1\n4,b,7,1\n6,,7,5\n";

std::string plotted(std::size_t columns, bool utf8) {
  std::istringstream in(kThree);
  std::ostringstream out, err;
  const cli::Console console{in, out, err, false, columns, utf8};
  const char* const argv[] = {"whittle", "rank", "-", "--selector", "variance", "--plot"};
  EXPECT_EQ(cli::run(6, argv, console), 0) << err.str();
  return out.str();
}

std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

TEST(Plot, BarsAreAsLongAsScoresAreLarge) {
  EXPECT_EQ(plotted(60, false),
            "variance, larger is better; 2 labelled, 2 unlabelled, 0 universum\n"
            "   1  x                           * 5      #################\n"
            "   2  z                           * 3      ##########\n"
            "   3  a constant with a long name   -    \n"
            "* selected\n");
}

TEST(Plot, NoLineIsWiderThanTheTerminal) {
  for (const std::size_t columns : {24U, 30U, 40U, 80U, 200U}) {
    for (const bool utf8 : {false, true}) {
      std::istringstream lines(plotted(columns, utf8));
      std::string line;
      std::getline(lines, line);  // the summary is a sentence
      std::size_t widest = 0;
      while (std::getline(lines, line)) widest = std::max(widest, width_of(line));
      EXPECT_EQ(widest, columns);
    }
  }
}

TEST(Plot, BlocksOnlyWhereTheTerminalShowsThem) {
  EXPECT_NE(plotted(60, true).find("█"), std::string::npos);
  const std::string plain = plotted(60, false);
  EXPECT_TRUE(std::all_of(plain.begin(), plain.end(),
                          [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

TEST(Plot, APipeGetsThePlainTable) {
  EXPECT_EQ(plotted(0, true), run_whittle({"rank", "-", "--selector", "variance"}, kThree).out);
}

TEST(Plot, IsNotForOtherFormats) {
  const Outcome outcome =
      run_whittle({"rank", "-", "--selector", "variance", "--plot", "--format", "csv"}, kThree);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--plot"), std::string::npos);
}

}  // namespace
}  // namespace whittle
