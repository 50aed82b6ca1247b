// FakePort: a line and a clock in memory.
#ifndef WHITTLE_TESTS_SHARED_FAKE_PORT_H_
#define WHITTLE_TESTS_SHARED_FAKE_PORT_H_

#include <algorithm>

#include "tests/shared/byte_tools.h"
#include "whittle/node/port.h"

namespace whittle::testing {

class FakePort final : public Port {
 public:
  static constexpr std::uint64_t kTicksPerLook = 10;  // the clock goes on at each look at it

  Bytes to_node;                      // not read yet
  Bytes from_node;                    // not collected yet
  std::size_t read_limit = 1U << 20;  // bytes one read gives at most
  std::size_t capacity = 4096;

  std::size_t read(Span<std::uint8_t> out) override {
    const std::size_t count = std::min({out.size(), read_limit, to_node.size()});
    std::copy_n(to_node.begin(), count, out.begin());
    to_node.erase(to_node.begin(), to_node.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void write(Span<const std::uint8_t> bytes) override {
    from_node.insert(from_node.end(), bytes.begin(), bytes.end());
  }
  std::size_t receive_capacity() const override { return capacity; }
  std::uint64_t ticks() override { return now_ += kTicksPerLook; }
  std::uint32_t tick_rate() const override { return 1000; }
  const char* board() const override { return "fake"; }

 private:
  std::uint64_t now_ = 0;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_FAKE_PORT_H_
