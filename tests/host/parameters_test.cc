#include "tools/cli/parameters.h"

#include <gtest/gtest.h>

#include "tools/cli/error.h"
#include "tools/cli/selectors.h"

namespace whittle::cli {
namespace {

std::string refusal(const char* selector, const std::string& assignment) {
  RankerConfig config(find_selector(selector));
  try {
    set_parameter(assignment, &config);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

Real value_of(const char* selector, const std::string& assignment, std::size_t i) {
  RankerConfig config(find_selector(selector));
  set_parameter(assignment, &config);
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
  set_parameter("window=12", &config);
  set_parameter("labelled=0", &config);
  EXPECT_EQ(config.memory.window, 12U);
  EXPECT_EQ(config.memory.labelled, 0U);
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
            "labelled, window");
  EXPECT_EQ(refusal("cls", "k"), "--param k: write it as name=value");
}

TEST(Parameters, BadValuesSayWhatIsWanted) {
  for (const char* value : {"", "0", "-1", "1.5", "x", "nan", "inf", "true"}) {
    const std::string text = refusal("cls", std::string("k=") + value);
    EXPECT_NE(text.find("is not a value of k ("), std::string::npos) << text;
    EXPECT_NE(text.find("a whole number from 1 to"), std::string::npos) << text;
  }
  // -1 stands for `auto` in the core; here it is a number like any other.
  EXPECT_NE(refusal("cls", "lambda=-1").find("auto or a number from"), std::string::npos);
  EXPECT_NE(refusal("uvs", "universum_norm=max").find("one of mean, printed"), std::string::npos);
  EXPECT_NE(refusal("ls", "use_labels=yes").find("true or false"), std::string::npos);
  for (const char* value : {"", "-1", "1.5", "all", "16777217"}) {
    const std::string text = refusal("cls", std::string("window=") + value);
    EXPECT_NE(text.find("is not a whole number from 0 to 16777216"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace whittle::cli
