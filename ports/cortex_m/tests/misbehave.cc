// Tests that go wrong on purpose; tests/CMakeLists.txt checks that each is seen to.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

TEST(Misbehave, Passes) {}

TEST(Misbehave, Fails) { EXPECT_EQ(1, 2); }

TEST(Misbehave, Faults) {
  // Nothing is mapped there.
  *reinterpret_cast<volatile std::uint32_t*>(0xF0000000) = 1;
}

namespace {

[[gnu::noinline]] unsigned descend(unsigned depth) {
  volatile unsigned frame[64];
  frame[depth % 64] = depth;
  if (depth == 0xFFFFFFFF) return 0;
  return descend(depth + 1) + frame[depth % 64];
}

}  // namespace

TEST(Misbehave, OverflowsItsStack) { EXPECT_NE(descend(1), 0U); }

TEST(Misbehave, Aborts) { std::abort(); }

TEST(Misbehave, Hangs) {
  for (;;) asm volatile("");
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
