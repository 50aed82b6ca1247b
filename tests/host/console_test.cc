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

}  // namespace
}  // namespace whittle::cli
