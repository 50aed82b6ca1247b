#include "tools/client/reading_receiver.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

FromSensor reading(std::uint64_t seq) {
  FromSensor message = whittle_v1_FromSensor_init_zero;
  message.which_body = whittle_v1_FromSensor_reading_tag;
  message.body.reading.seq = message.body.reading.sample = seq;
  message.body.reading.values_count = 1;
  return message;
}

// What is missing is told when it shows, and again when the node has sent it again in vain; not
// with every reading that comes behind it.
TEST(ReadingReceiver, TellsAGapOnceEachTimeTheNodeGoesBack) {
  ReadingReceiver receiver(1);
  const auto tells = [&](std::uint64_t seq) {
    const bool is_next = seq == receiver.taken() + 1;
    EXPECT_EQ(receiver.take(reading(seq)).has_value(), is_next);
    return receiver.answer().missing;
  };
  EXPECT_FALSE(tells(1));
  EXPECT_TRUE(tells(3));
  EXPECT_FALSE(tells(4));
  EXPECT_TRUE(tells(3));  // 2, 3 and 4 were sent again, and 2 got lost again
  EXPECT_FALSE(tells(4));
  EXPECT_FALSE(tells(5));
  EXPECT_TRUE(tells(4));  // and once more, with 3
  EXPECT_FALSE(tells(2));
  EXPECT_TRUE(tells(5));  // another gap
  EXPECT_EQ(receiver.gaps(), 2U);
}

}  // namespace
}  // namespace whittle
