#include "tools/cli/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/cli/error.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

std::string refusal(const char* selector, const std::string& assignment) {
  RankerConfig config(find_selector(selector));
  try {
    set_parameters({assignment}, &config);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

Real value_of(const char* selector, const std::string& assignment, std::size_t i) {
  RankerConfig config(find_selector(selector));
  set_parameters({assignment}, &config);
  return config.values[i];
}

TEST(Parameters, EveryKindOfValue) {
  EXPECT_EQ(value_of("cs2", "nu=0.25", 0), Real(0.25));
  EXPECT_EQ(value_of("ls", "k=7", 0), Real(7));
  EXPECT_EQ(value_of("ls", "lambda=2.5", 1), Real(2.5));
  EXPECT_EQ(value_of("ls", "lambda=auto", 1), kAutoParam);
  EXPECT_EQ(value_of("ls", "metric=cosine", 2), Real(1));
  for (const char* text : {"true", "on", "1"}) {
    EXPECT_EQ(value_of("ls", std::string("use_labels=") + text, 3), Real(1));
  }
  for (const char* text : {"false", "off", "0"}) {
    EXPECT_EQ(value_of("ls", std::string("use_labels=") + text, 3), Real(0));
  }
  EXPECT_EQ(value_of("l2gfs", "beta=-0.5", 0), Real(-0.5));
}

TEST(Parameters, MemorysOwn) {
  RankerConfig config(find_selector("cls"));
  const std::vector<std::string> all = {"window=12",  "labelled=0",     "geometry=hybrid",
                                        "codebook=9", "half_life=2.5",  "learn=7",
                                        "pairs=3",    "redundancy=tree"};
  EXPECT_EQ(set_parameters(all, &config).size(), all.size());
  EXPECT_EQ(config.memory.window, 12U);
  EXPECT_EQ(config.memory.labelled, 0U);
  EXPECT_EQ(config.memory.geometry, Geometry::hybrid);
  EXPECT_EQ(config.memory.codebook, 9U);
  EXPECT_EQ(config.memory.half_life, Real(2.5));
  EXPECT_EQ(config.memory.learn, 7U);
  EXPECT_EQ(config.memory.pairs, 3U);
  EXPECT_EQ(config.redundancy, Redundancy::tree);
  ASSERT_EQ(memory_parameters().size(), all.size());
  for (const MemoryParameter& parameter : memory_parameters()) {
    const std::string text = std::string(parameter.name) + "=" + parameter.text(config);
    EXPECT_EQ(std::count(all.begin(), all.end(), text), 1) << text;
  }
}

TEST(Parameters, OneGivenTwiceIsAnError) {
  RankerConfig config(find_selector("cls"));
  try {
    set_parameters({"k=3", "window=4", "k=3"}, &config);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "--param k=3: given twice");
  }
}

TEST(Parameters, PrintAsTheyAreWritten) {
  for (std::size_t i = 0; i < all_selectors().size(); ++i) {
    const SelectorType& type = all_selectors()[i];
    for (std::size_t p = 0; p < type.params.size(); ++p) {
      const std::string text = format_parameter(type.params[p], type.params[p].fallback);
      EXPECT_EQ(value_of(type.id, std::string(type.params[p].name) + "=" + text, p),
                type.params[p].fallback)
          << type.id << ' ' << type.params[p].name << '=' << text;
    }
  }
}

TEST(Parameters, UnknownOnesListWhatThereIs) {
  EXPECT_EQ(refusal("cls", "kk=3"),
            "--param kk=3: selector cls has no parameter 'kk'; there are k, lambda, metric, "
            "labelled, window, geometry, codebook, half_life, learn, pairs, redundancy");
  EXPECT_EQ(refusal("cls", "k"), "--param k: write it as name=value");
}

TEST(Parameters, BadValuesSayWhatIsWanted) {
  for (const char* value : {"", "0", "-1", "1.5", "4.0", "1e1", "x", "nan", "inf", "true"}) {
    const std::string text = refusal("cls", std::string("k=") + value);
    EXPECT_NE(text.find("is not a value of k ("), std::string::npos) << text;
    EXPECT_NE(text.find("a whole number from 1 to 1"), std::string::npos) << text;
    EXPECT_EQ(text.find("e+"), std::string::npos) << text;
  }
  // -1 stands for `auto` in the core; here it is a number like any other.
  EXPECT_NE(refusal("cls", "lambda=-1").find("auto or a number from"), std::string::npos);
  EXPECT_NE(refusal("uvs", "universum_norm=max").find("one of mean, printed"), std::string::npos);
  EXPECT_NE(refusal("ls", "use_labels=yes").find("true or false"), std::string::npos);
  for (const char* value : {"", "-1", "1.5", "all", "16777217"}) {
    const std::string text = refusal("cls", std::string("window=") + value);
    EXPECT_NE(text.find("is not a value of window ("), std::string::npos) << text;
    EXPECT_NE(text.find("a whole number from 0 to 16777216"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("ls", "geometry=map").find("window, codebook or hybrid"), std::string::npos);
  EXPECT_NE(refusal("ls", "redundancy=yes").find("none or tree"), std::string::npos);
  for (const char* value : {"", "-1", "nan", "inf", "2e9"}) {
    EXPECT_NE(
        refusal("ls", std::string("half_life=") + value).find("a number from 0 to 1000000000"),
        std::string::npos);
  }
}

}  // namespace
}  // namespace whittle::cli
