// RefineSteps: how many iterations to ask for at once, so that a step takes a moment: long enough
// to cost little beside its work, short enough to show how far it is, and for a node to answer in
// between. The first is of one: nobody knows yet how long that takes.
#ifndef WHITTLE_TOOLS_CLI_STEPS_H_
#define WHITTLE_TOOLS_CLI_STEPS_H_

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace whittle::cli {

class RefineSteps {
 public:
  using Duration = std::chrono::steady_clock::duration;

  std::uint32_t next() const { return size_; }
  void took(Duration time) {
    if (time < std::chrono::milliseconds(100)) size_ = std::min(2 * size_, kMost);
    if (time > std::chrono::milliseconds(1000)) size_ = std::max(size_ / 4, 1U);
  }

 private:
  static constexpr std::uint32_t kMost = 1024;
  std::uint32_t size_ = 1;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_STEPS_H_
