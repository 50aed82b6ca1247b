// Explicit must-link and cannot-link pairs beside labels: closure, contradictions, capacity.
#include "whittle/memory/constraints.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/shared/constraint_reference.h"
#include "tests/shared/test_streams.h"

namespace whittle::testing {
namespace {

MemoryConfig config_of(std::uint32_t classes, std::uint32_t labelled, std::uint32_t window,
                       std::uint32_t pairs) {
  MemoryConfig config;
  config.features = 1;
  config.points = true;
  config.classes = classes;
  config.labelled = labelled;
  config.window = window;
  config.pairs = pairs;
  return config;
}

constexpr bool kMust = true;
constexpr bool kCannot = false;

TEST(Constraints, EqualTheNaiveClosureAfterEveryStep) {
  const MemoryConfig configs[] = {config_of(3, 4, 8, 6), config_of(2, 3, 9, 20),
                                  config_of(0, 0, 12, 9), config_of(1, 2, 6, 1),
                                  config_of(5, 5, 4, 8)};
  std::uint64_t seed = 1;
  std::size_t contradictions = 0;
  for (const MemoryConfig& config : configs) {
    ConstrainedPoints held(config);
    Random random(seed++);
    for (int step = 0; step < 250; ++step) {
      const auto size = static_cast<std::uint32_t>(held.size());
      const std::uint32_t dice = random.below(16);
      if (size < 2 || dice < 4) {
        const bool labelled = config.classes > 0 && random.below(3) == 0;
        held.arrive(labelled ? random.below(config.classes) : kUnlabelled);
      } else if (dice == 4) {
        held.depart(random.below(size));
      } else {
        const bool refused = held.give(random.below(size), random.below(size), dice < 11);
        contradictions += refused ? 1 : 0;
      }
      if (step % static_cast<int>(every(4)) != 0) continue;
      held.check();
      for (std::size_t i = 0; i < held.size(); ++i) {
        for (std::uint32_t label = 0; label < config.classes; ++label) held.allows(i, label);
      }
      if (step % 8 == 0) held.check_history_is_forgotten(seed);
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "step " << step;
    }
  }
  EXPECT_GT(contradictions, 100U);
}

TEST(Constraints, CannotLinkSpreadsOverMustLinks) {
  ConstrainedPoints held(config_of(2, 4, 4, 4));
  for (int i = 0; i < 4; ++i) held.arrive(kUnlabelled);
  held.arrive(0);
  held.arrive(0);
  held.arrive(1);
  held.give(0, 1, kMust);
  held.give(2, 4, kMust);  // joins class 0
  held.give(1, 2, kCannot);
  const Constraints& constraints = held.constraints();
  EXPECT_TRUE(constraints.cannot_link(held.points(), held.slot(0), held.slot(5)));
  EXPECT_TRUE(constraints.must_link(held.points(), held.slot(2), held.slot(5)));
  EXPECT_TRUE(constraints.cannot_link(held.points(), held.slot(2), held.slot(6)));
  EXPECT_FALSE(constraints.cannot_link(held.points(), held.slot(0), held.slot(6)));
  EXPECT_EQ(constraints.cannot_link_points(held.points()), 6U);  // all but point 3
  EXPECT_EQ(constraints.cannot_link_partners(held.points(), held.slot(0)), 3U);
  EXPECT_EQ(constraints.cannot_link_partners(held.points(), held.slot(5)), 3U);
  EXPECT_EQ(constraints.cannot_link_partners(held.points(), held.slot(3)), 0U);
  // A pair is refused for what follows from the others.
  EXPECT_TRUE(held.give(0, 5, kMust));
  EXPECT_TRUE(held.give(2, 5, kCannot));
  EXPECT_TRUE(held.give(2, 6, kMust));
  held.check();
}

TEST(Constraints, OnePairMakesTheOnlyClassApart) {
  ConstrainedPoints held(config_of(2, 4, 4, 2));
  held.arrive(1);
  held.arrive(kUnlabelled);
  held.arrive(1);
  EXPECT_EQ(held.constraints().cannot_link_points(held.points()), 0U);
  held.give(1, 0, kCannot);
  EXPECT_EQ(held.constraints().cannot_link_points(held.points()), 3U);
  EXPECT_EQ(held.constraints().cannot_link_partners(held.points(), held.slot(1)), 2U);
  held.arrive(1);  // joins its class without a pair of its own
  EXPECT_EQ(held.constraints().cannot_link_partners(held.points(), held.slot(1)), 3U);
  held.depart(0);
  EXPECT_EQ(held.constraints().cannot_link_points(held.points()), 0U);
}

TEST(Constraints, ARefusedLabelIsToldWhatStandsAgainstIt) {
  ConstrainedPoints held(config_of(3, 4, 4, 4));
  for (int i = 0; i < 3; ++i) held.arrive(kUnlabelled);
  held.arrive(2);
  held.give(0, 3, kMust);
  held.give(1, 3, kCannot);
  const auto status = [&](std::size_t position, std::uint32_t label) {
    return held.constraints().check_label(held.points(), held.slot(position), label);
  };
  EXPECT_EQ(status(0, 1).value(), 2U);  // must link with class 2
  EXPECT_EQ(status(3, 1).value(), 2U);  // has it
  EXPECT_EQ(status(1, 2).value(), 2U);  // cannot link with it
  EXPECT_STRNE(status(0, 1).reason(), status(1, 2).reason());
  for (const auto& [position, label] : {std::pair{0, 2}, {1, 1}, {2, 2}, {3, 2}}) {
    EXPECT_TRUE(status(static_cast<std::size_t>(position), static_cast<std::uint32_t>(label)).ok());
  }
}

TEST(Constraints, AChainBreaksWhenItsMiddleLeavesUnlessThePairWasGivenToo) {
  for (const bool given : {false, true}) {
    ConstrainedPoints held(config_of(0, 0, 4, 3));
    for (int i = 0; i < 3; ++i) held.arrive(kUnlabelled);
    held.give(0, 1, kMust);
    held.give(1, 2, kMust);
    EXPECT_TRUE(held.constraints().must_link(held.points(), held.slot(0), held.slot(2)));
    if (given) held.give(2, 0, kMust);  // implied now, stored for later
    held.depart(1);
    EXPECT_EQ(held.constraints().must_link(held.points(), held.slot(0), held.slot(1)), given);
    EXPECT_EQ(held.pairs(), given ? 1U : 0U);
    EXPECT_EQ(held.give(0, 1, kCannot), given);
    held.check();
  }
}

TEST(Constraints, AFullStoreStillKnowsAgainAndRefusesContradictions) {
  ConstrainedPoints held(config_of(0, 0, 5, 2));
  for (int i = 0; i < 5; ++i) held.arrive(kUnlabelled);
  held.give(0, 1, kMust);
  held.give(2, 3, kCannot);
  const auto code = [&](std::size_t a, std::size_t b, bool must_link) {
    return held.constraints().add(held.points(), held.slot(a), held.slot(b), must_link).code();
  };
  EXPECT_EQ(code(1, 0, kMust), StatusCode::ok);
  EXPECT_EQ(code(3, 2, kCannot), StatusCode::ok);
  EXPECT_EQ(code(1, 0, kCannot), StatusCode::failed_precondition);
  EXPECT_EQ(code(3, 2, kMust), StatusCode::failed_precondition);
  EXPECT_EQ(code(0, 4, kMust), StatusCode::resource_exhausted);
  EXPECT_EQ(code(4, 4, kCannot), StatusCode::invalid_argument);
  held.check();
  held.depart(0);
  held.give(0, 3, kMust);  // there is room again
  EXPECT_EQ(held.pairs(), 2U);
  held.check();
}

TEST(Constraints, LabelsAloneTakeNoBytesAndHoldNoPair) {
  for (const std::uint32_t classes : {0U, 1U, 3U}) {
    const MemoryConfig config = config_of(classes, classes == 0 ? 0 : 5, 4, 0);
    EXPECT_EQ(Constraints::required_bytes(config), 0U);
    ConstrainedPoints held(config);
    const std::uint64_t empty = held.digest();
    EXPECT_EQ(empty, Digest().value());
    Random random(classes);
    for (int step = 0; step < 60; ++step) {
      const bool labelled = classes > 0 && random.below(2) == 0;
      const std::uint32_t label = labelled ? random.below(classes) : kUnlabelled;
      held.arrive(label);
      held.check();
      for (std::uint32_t g = 0; g < classes; ++g) {
        ASSERT_EQ(held.constraints().group_size(held.points(), g), held.points().class_count(g));
      }
      if (held.size() > 1) held.give(0, held.size() - 1, step % 2 == 0);
      ASSERT_EQ(held.digest(), empty);
    }
  }
}

TEST(Constraints, WithoutPointsTheyTakeNoBytes) {
  MemoryConfig config = config_of(2, 4, 4, 5);
  config.points = false;
  EXPECT_EQ(Constraints::required_bytes(config), 0U);
  unsigned char buffer[8];
  Arena arena(buffer, sizeof buffer);
  Constraints constraints;
  constraints.place(arena, config);
  EXPECT_EQ(arena.used(), 0U);
}

TEST(Constraints, ManyClassesDoNotTakeTheSquareOfTheirNumber) {
  const MemoryConfig config = config_of(kMaxClasses, kMaxClasses, 8, 4);
  EXPECT_LT(Constraints::required_bytes(config), 16U * (kMaxClasses + 8));
}

TEST(Constraints, ALongChainIsOneGroup) {
  constexpr std::uint32_t kPoints = 200;
  for (const bool forwards : {true, false}) {
    ConstrainedPoints held(config_of(1, 1, kPoints, kPoints));
    for (std::uint32_t i = 0; i < kPoints; ++i) held.arrive(kUnlabelled);
    Constraints& constraints = held.constraints();
    for (std::uint32_t i = 0; i + 1 < kPoints; ++i) {
      const std::uint32_t at = forwards ? i : kPoints - 2 - i;
      ASSERT_TRUE(constraints.add(held.points(), held.slot(at), held.slot(at + 1), kMust).ok());
    }
    EXPECT_EQ(constraints.groups(held.points()), 2U);
    EXPECT_EQ(constraints.group_size(held.points(), 1), kPoints);
    held.arrive(0);
    const Slot newest = held.slot(kPoints);
    ASSERT_TRUE(constraints.add(held.points(), held.slot(kPoints / 2), newest, kMust).ok());
    EXPECT_EQ(constraints.groups(held.points()), 1U);
    EXPECT_EQ(constraints.group_size(held.points(), 0), kPoints + 1);
  }
}

}  // namespace
}  // namespace whittle::testing
