#include "tools/cli/console.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <thread>

namespace whittle::cli {
namespace {

std::string shown(bool terminal, std::chrono::milliseconds work) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const Console console{in, out, err, terminal};
  {
    Progress progress(console, "samples", 200);
    progress.update(1);
    std::this_thread::sleep_for(work);
    progress.update(50);
    progress.update(51);
  }
  return err.str();
}

TEST(Progress, OnATerminalWhenWorkIsLong) {
  EXPECT_EQ(shown(true, std::chrono::milliseconds(1050)),
            "\r\033[Ksamples 50 of 200 (25 %)\r\033[K");
}

TEST(Progress, NothingForShortWorkOrAFile) {
  EXPECT_EQ(shown(true, std::chrono::milliseconds(0)), "");
  EXPECT_EQ(shown(false, std::chrono::milliseconds(1050)), "");
}

TEST(Progress, WithoutATotalSaysHowManyByNow) {
  std::istringstream in;
  std::ostringstream err;
  const Console console{in, err, err, true};
  {
    Progress progress(console, "iterations");
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    progress.update(50);
  }
  EXPECT_EQ(err.str(), "\r\033[Kiterations 50\r\033[K");
}

TEST(Notice, StandsOnATerminalWhileItLives) {
  for (const bool terminal : {true, false}) {
    std::istringstream in;
    std::ostringstream err;
    const Console console{in, err, err, terminal};
    { const Notice notice(console, "scoring"); }
    EXPECT_EQ(err.str(), terminal ? "\r\033[Kscoring\r\033[K" : "");
  }
}

}  // namespace
}  // namespace whittle::cli
