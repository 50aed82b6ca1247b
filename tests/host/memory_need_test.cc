// What is said where options and files need more memory than there is: how much, and what drives
// it.
#include "tools/cli/memory_need.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>

#include "tools/cli/error.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

// Small but for what a test makes large.
RankerConfig config_of(const char* selector) {
  RankerConfig config(find_selector(selector), kAllParts);
  config.memory.features = 10;
  config.memory.classes = 2;
  config.memory.labelled = 20;
  config.memory.window = 30;
  config.memory.keep_distances = false;
  return config;
}

TEST(MemoryAdvice, NamesTheWindow) {
  RankerConfig config = config_of("ls");
  config.memory.window = 1000000;
  EXPECT_EQ(memory_advice(config), "; --param window=N (now 1000000) takes most");
  EXPECT_EQ(memory_advice(config, "--", " N"), "; --window N (now 1000000) takes most");
}

TEST(MemoryAdvice, NamesThePairs) {
  RankerConfig config = config_of("ls");
  config.memory.pairs = 1000000;
  EXPECT_EQ(memory_advice(config), "; --param pairs=N (now 1000000) takes most");
}

TEST(MemoryAdvice, NamesTheCodebook) {
  RankerConfig config = config_of("ls");
  config.memory.geometry = Geometry::codebook;
  config.memory.codebook = 1000000;
  EXPECT_EQ(memory_advice(config), "; --param codebook=N (now 1000000) takes most");
}

TEST(MemoryAdvice, NamesAllThatMatterTheMostFirst) {
  RankerConfig config = config_of("ls");
  config.memory.labelled = 600000;
  config.memory.window = 400000;
  EXPECT_EQ(memory_advice(config),
            "; --param labelled=N (now 600000) takes most, then --param window=N (now 400000)");
}

TEST(MemoryAdvice, NamesTheColumnsOnlyIfTheyTakeMoreThanAllThatIsHeld) {
  RankerConfig moments = config_of("fisher");
  moments.memory.features = 1000000;
  moments.memory.labelled = moments.memory.window = 0;
  EXPECT_EQ(memory_advice(moments), "; the number of columns (now 1000000) takes most");
  RankerConfig held = config_of("ls");
  held.memory.features = 1000;
  held.memory.window = 1000000;
  EXPECT_EQ(memory_advice(held), "; --param window=N (now 1000000) takes most");
}

TEST(MemoryAdvice, NeverAsksForLessThanThereHasToBe) {
  RankerConfig config = config_of("ls");
  config.memory.classes = config.memory.labelled = 1000;
  config.memory.window = 1;
  EXPECT_EQ(memory_advice(config).find("labelled"), std::string::npos) << memory_advice(config);
}

TEST(Memory, MoreThanTheMachineHasIsRefused) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  try {
    allocate({"this", kAll, 7, "; take less"});
    FAIL() << "accepted";
  } catch (const Error& error) {
    const std::string text = error.what();
    const std::string start =
        "this needs " + std::to_string(kAll) + " bytes beside the 7 of the file, the machine has ";
    EXPECT_EQ(text.substr(0, start.size()), start) << text;
    EXPECT_NE(text.find("; take less"), std::string::npos) << text;
  }
  EXPECT_THROW(check_memory({"a file", 1, kAll, ""}), Error);
  EXPECT_NO_THROW(check_memory({"little", 1, 1, ""}));
  EXPECT_NE(allocate({"little", 1, 0, ""}), nullptr);
}

}  // namespace
}  // namespace whittle::cli
