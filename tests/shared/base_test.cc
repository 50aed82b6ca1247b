// Arena, lanes, random numbers, status.
#include <gtest/gtest.h>

#include <vector>

#include "whittle/base/arena.h"
#include "whittle/base/lanes.h"
#include "whittle/base/random.h"
#include "whittle/base/status.h"

namespace whittle {
namespace {

TEST(Arena, PlacesZeroedArraysUntilItIsFull) {
  alignas(kArenaAlignment) unsigned char buffer[64];
  std::fill(std::begin(buffer), std::end(buffer), static_cast<unsigned char>(0xFF));
  Arena arena(buffer, sizeof buffer);
  const Span<std::uint16_t> a = arena.array<std::uint16_t>(5);  // 10 bytes take 16
  ASSERT_EQ(a.size(), 5U);
  for (const std::uint16_t v : a) EXPECT_EQ(v, 0);
  EXPECT_EQ(arena.used(), 16U);
  EXPECT_EQ(arena.array<std::uint64_t>(7).size(), 0U);  // does not fit: nothing is taken
  EXPECT_EQ(arena.left(), 48U);
  EXPECT_EQ(arena.array<std::uint64_t>(6).size(), 6U);
  EXPECT_EQ(arena.left(), 0U);
  EXPECT_EQ(arena.object<int>(1), nullptr);
}

TEST(Arena, UnalignedBufferLosesItsFirstBytes) {
  alignas(kArenaAlignment) unsigned char buffer[32];
  Arena arena(buffer + 3, 29);
  EXPECT_EQ(arena.capacity(), 24U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.array<double>(1).data()) % kArenaAlignment, 0U);
  Arena none(buffer + 1, 2);
  EXPECT_EQ(none.capacity(), 0U);
}

TEST(ByteCount, SticksAtTheTopInsteadOfWrapping) {
  constexpr std::size_t most = static_cast<std::size_t>(-1);
  static_assert(ByteCount{}.bytes(1).bytes(8).total() == 16);
  EXPECT_EQ(ByteCount{}.bytes(most).bytes(8).total(), most);
  EXPECT_EQ(ByteCount{}.array<float>(most / 2).total(), most);
  EXPECT_EQ(ByteCount{}.array<float>(most / 16, 64).total(), most);
}

TEST(Lanes, SumsInTheFixedOrder) {
  // Eight lanes by position mod 8, then a fixed tree, written out by hand.
  std::vector<Real> a(21), b(21);
  Random random(9);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = random.uniform();
    b[i] = random.uniform();
  }
  Real lane[8] = {};
  for (std::size_t i = 0; i < a.size(); ++i) lane[i % 8] += (a[i] - b[i]) * (a[i] - b[i]);
  const Real expected =
      ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  EXPECT_EQ(squared_distance(a.data(), b.data(), a.size()), expected);
  EXPECT_EQ(squared_distance(b.data(), a.data(), a.size()), expected);
  EXPECT_EQ(squared_distance(a.data(), b.data(), 0), Real(0));
}

TEST(Lanes, AllFiniteFindsOneBadValueAnywhere) {
  for (std::size_t m = 1; m < 20; ++m) {
    std::vector<Real> x(m, std::numeric_limits<Real>::max());
    EXPECT_TRUE(all_finite(x.data(), m));
    for (std::size_t i = 0; i < m; ++i) {
      for (const Real bad : {kInfinity, -kInfinity, kNoScore}) {
        x[i] = bad;
        EXPECT_FALSE(all_finite(x.data(), m)) << m << " " << i;
      }
      x[i] = 0;
    }
  }
}

TEST(Lanes, CompensatedSumKeepsSmallTerms) {
  CompensatedSum sum;
  sum.add(Real(1e8));
  for (int i = 0; i < 1000; ++i) sum.add(Real(1));
  sum.add(Real(-1e8));
  EXPECT_EQ(sum.value(), Real(1000));
}

TEST(Random, IsTheSameEverywhere) {
  Random random(42);
  const std::uint32_t first = random.next();
  EXPECT_EQ(first, 3270867926U);
  Random again(42);
  EXPECT_EQ(again.next(), first);
  Random other(43);
  EXPECT_NE(other.next(), first);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(random.below(7), 7U);
    const Real u = random.uniform();
    EXPECT_GE(u, Real(0));
    EXPECT_LT(u, Real(1));
  }
}

TEST(Status, SaysCodeReasonAndNumber) {
  EXPECT_TRUE(Status().ok());
  const Status status(StatusCode::out_of_range, "too many: at most", 7);
  EXPECT_FALSE(status.ok());
  EXPECT_STREQ(status.reason(), "too many: at most");
  EXPECT_TRUE(status.has_value());
  EXPECT_EQ(status.value(), 7U);
  EXPECT_STREQ(status_code_name(status.code()), "out_of_range");
}

}  // namespace
}  // namespace whittle
