// The port's own parts on the board: counter, stack paint, ring, start-up.
#include <gtest/gtest.h>

#include <cstdint>

#include "ports/cortex_m/board_port.h"
#include "ports/cortex_m/byte_ring.h"
#include "ports/cortex_m/runtime.h"
#include "ports/cortex_m/ticks.h"

namespace whittle::ports {
namespace {

volatile int initialised = 42;  // volatile: read from memory, not folded
volatile int zeroed;

TEST(Startup, InitialisesMemory) {
  EXPECT_EQ(initialised, 42);
  EXPECT_EQ(zeroed, 0);
}

// One instruction takes 32 ns of board time.
std::uint64_t ticks_of(std::uint64_t instructions) {
  return instructions * 32 * board_port().tick_rate() / 1'000'000'000;
}

TEST(Ticks, CountInstructions) {
  constexpr unsigned kRounds = 10'000;
  unsigned rounds = kRounds;
  const std::uint64_t start = read_ticks();
  asm volatile("1: subs %0, #1\n\tbne 1b" : "+r"(rounds)::"cc");
  const std::uint64_t took = read_ticks() - start;
  EXPECT_GE(took, ticks_of(2 * kRounds));
  EXPECT_LE(took, ticks_of(2 * kRounds + 50));
}

// Reads on both sides of wraps of the 24-bit counter, at every offset the loop falls on.
TEST(Ticks, NeverGoBackAndNeverJump) {
  constexpr std::uint64_t kPeriod = 1U << 24;
  const std::uint64_t longest_step = ticks_of(250);  // one round of the loop, with the interrupt
  std::uint64_t last = read_ticks();
  for (const std::uint64_t end = last + 3 * kPeriod; last < end;) {
    const std::uint64_t now = read_ticks();
    ASSERT_GT(now, last);
    ASSERT_LT(now, last + longest_step);
    last = now;
  }
}

// While interrupts are kept away, a wrap is seen as a pending exception.
TEST(Ticks, CountAWrapWithInterruptsOff) {
  constexpr std::uint64_t kPeriod = 1U << 24;
  const std::uint64_t start = read_ticks();
  const std::uint64_t wrap = (start / kPeriod + 1) * kPeriod;
  while (read_ticks() < wrap - ticks_of(6000)) {
  }
  InterruptLock lock;
  std::uint64_t last = read_ticks();
  for (unsigned i = 0; i < 2000; ++i) {
    const std::uint64_t now = read_ticks();
    ASSERT_GT(now, last);
    ASSERT_LT(now, last + ticks_of(250));
    last = now;
  }
  EXPECT_GT(last, wrap);
}

[[gnu::noinline]] unsigned use_stack() {
  volatile std::uint8_t block[20'000];
  for (unsigned i = 0; i < sizeof block; ++i) block[i] = 1;
  return block[77];
}

TEST(Stack, HighWaterGrowsWithUse) {
  const std::size_t before = stack_high_water();
  EXPECT_GT(before, 100U);
  EXPECT_LT(before, 20'000U);
  EXPECT_EQ(use_stack(), 1U);
  EXPECT_GT(stack_high_water(), 20'000U);
  EXPECT_LT(stack_high_water(), before + 21'000U);
}

TEST(ByteRing, KeepsOrderOverManyWraps) {
  ByteRing<8> ring;
  std::uint8_t in = 0;
  std::uint8_t expected = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    for (unsigned i = 0; i < round % 9; ++i) ring.push(in++);
    std::uint8_t out[8];
    const std::size_t first = ring.pop(Span<std::uint8_t>(out, 3));
    for (std::size_t i = 0; i < first; ++i) ASSERT_EQ(out[i], expected++);
    const std::size_t rest = ring.pop(out);
    for (std::size_t i = 0; i < rest; ++i) ASSERT_EQ(out[i], expected++);
    ASSERT_TRUE(ring.empty());
    ASSERT_EQ(first + rest, round % 9);
  }
  EXPECT_EQ(ring.lost(), 0U);
}

TEST(ByteRing, LosesAndCountsWhatFindsItFull) {
  ByteRing<4> ring;
  for (std::uint8_t i = 0; i < 7; ++i) ring.push(i);
  std::uint8_t out[8] = {};
  ASSERT_EQ(ring.pop(out), 4U);
  for (std::uint8_t i = 0; i < 4; ++i) EXPECT_EQ(out[i], i);
  EXPECT_EQ(ring.lost(), 3U);
  ring.push(9);
  ASSERT_EQ(ring.pop(out), 1U);
  EXPECT_EQ(out[0], 9U);
}

TEST(BoardPort, KnowsItsBoard) {
  EXPECT_EQ(std::string(board_port().board()), WHITTLE_BOARD);
  EXPECT_GE(board_port().receive_capacity(), 1024U);
  std::uint8_t byte;
  EXPECT_EQ(board_port().read(Span<std::uint8_t>(&byte, 1)), 0U);
  EXPECT_EQ(board_port().lost_bytes(), 0U);
}

}  // namespace
}  // namespace whittle::ports

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
