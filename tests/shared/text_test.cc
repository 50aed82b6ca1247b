#include "whittle/node/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "whittle/node/statistics.h"

namespace whittle {
namespace {

TEST(Text, WritesNumbers) {
  char out[32];
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{10}, std::uint64_t{65535},
        std::uint64_t{65536}, std::uint64_t{4294967296}, std::uint64_t{1000000000000000000},
        std::numeric_limits<std::uint64_t>::max()}) {
    Text(out).add(number);
    EXPECT_EQ(out, std::to_string(number));
  }
}

TEST(Text, WritesAStatus) {
  char out[64];
  Text(out).add(Status(StatusCode::internal, "why"));
  EXPECT_STREQ(out, "why");
  Text(out).add("x: ").add(Status(StatusCode::internal, "bytes needed", 42));
  EXPECT_STREQ(out, "x: bytes needed: 42");
}

TEST(Text, CutsWhatDoesNotFit) {
  char out[8] = {'~', '~', '~', '~', '~', '~', '~', '~'};
  char small[4];
  Text(small).add("ab").add("cdef").add("g");
  EXPECT_STREQ(small, "abc");
  Text(out).add("1234567");
  EXPECT_STREQ(out, "1234567");
  char one[1];
  Text(one).add("a").add(std::uint64_t{5});
  EXPECT_STREQ(one, "");
}

TEST(SampleStatistics, SlowestSaturates) {
  SampleStatistics samples;
  samples.add_taken(7);
  samples.add_taken(5);
  EXPECT_EQ(samples.slowest_observe, 7U);
  samples.add_taken(std::uint64_t{1} << 40);
  EXPECT_EQ(samples.slowest_observe, std::numeric_limits<std::uint32_t>::max());
  EXPECT_EQ(samples.observe_ticks, (std::uint64_t{1} << 40) + 12);
  EXPECT_EQ(samples.taken, 3U);
}

}  // namespace
}  // namespace whittle
