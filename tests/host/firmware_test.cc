// What the firmwares use of their board while a whole stream runs through them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "tests/host/cli_harness.h"
#include "tests/host/stack_budgets.h"

namespace whittle {
namespace {

struct Image {
  const char* firmware;
  const char* selector;  // the one of its selectors that takes the most stack
};

class FirmwareStack : public testing::TestWithParam<Image> {};

long statistic(const std::string& report, const std::string& name) {
  const std::size_t at = report.find(name + " ");
  if (at == std::string::npos) return -1;
  return std::strtol(report.c_str() + at + name.size() + 1, nullptr, 10);
}

TEST_P(FirmwareStack, StaysWithinItsBudget) {
  const std::vector<StackBudget> budgets = stack_budgets(GetParam().firmware);
  ASSERT_FALSE(budgets.empty());
  for (const auto& [board, budget] : budgets) {
    const std::string elf =
        std::string(WHITTLE_FIRMWARE_DIR) + "/" + board + "/" + GetParam().firmware + ".elf";
    if (!std::filesystem::exists(elf)) {
      GTEST_SKIP() << elf << " is not built";
    }
    // What a session does: scale, samples of all kinds, pages, statistics.
    const Outcome good = run_whittle({"stream", "-", "-s", GetParam().selector, "--scale", "minmax",
                                      "--to", "qemu:" + board, "--firmware", elf, "--stats"},
                                     mixed_csv(70, 60, 5));
    ASSERT_EQ(good.code, 0) << good.err;
    const long used = statistic(good.err, "stack_high_water");
    std::cout << "stack: " << board << ' ' << GetParam().firmware << ' ' << used << '\n';
    EXPECT_GT(used, 200) << good.err;
    EXPECT_LE(used, budget) << elf << '\n' << good.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Images, FirmwareStack,
                         testing::Values(Image{"node_e1", "uvs"}, Image{"node_e1_Os", "uvs"},
                                         Image{"node_graph", "cls"}, Image{"node_graph_Os", "cls"},
                                         Image{"node", "cls"}, Image{"node_Os", "csfsr"}),
                         [](const auto& image) { return std::string(image.param.firmware); });

}  // namespace
}  // namespace whittle
