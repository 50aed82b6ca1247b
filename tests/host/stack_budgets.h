// budgets/stack: bytes of stack that a firmware may take on a board.
#ifndef WHITTLE_TESTS_HOST_STACK_BUDGETS_H_
#define WHITTLE_TESTS_HOST_STACK_BUDGETS_H_

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace whittle {

struct StackBudget {
  std::string board;
  long bytes;
};

// The rows about one firmware.
inline std::vector<StackBudget> stack_budgets(const std::string& firmware) {
  std::vector<StackBudget> budgets;
  std::ifstream file(WHITTLE_SOURCE_DIR "/budgets/stack");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string board, image;
    long bytes = 0;
    if (words >> board >> image >> bytes && image == firmware) budgets.push_back({board, bytes});
  }
  return budgets;
}

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_STACK_BUDGETS_H_
