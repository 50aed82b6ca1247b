// NoisyLine: a node in this process at the other end of a DisturbedLine.
#ifndef WHITTLE_TESTS_HOST_NOISY_LINE_H_
#define WHITTLE_TESTS_HOST_NOISY_LINE_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "tests/host/disturbed_line.h"
#include "tools/cli/selectors.h"
#include "whittle/node/node.h"

namespace whittle {

class NoisyLine : public DisturbedLine {
 public:
  explicit NoisyLine(const Noise& noise, std::size_t arena_bytes = 1U << 20,
                     std::size_t receive_capacity = 2048,
                     const Catalog& catalog = cli::all_selectors())
      : DisturbedLine(noise, receive_capacity, 1),
        arena_(arena_bytes),
        catalog_(catalog),
        node_(port(), catalog_, arena_.data(), arena_.size()) {}

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds wait) override {
    if (!has_bytes_for_host()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return DisturbedLine::read(out, wait);
  }
  std::string name() const override { return "noisy line"; }

  void cut() { lose_all(); }
  const Node& node() const { return node_; }

 private:
  void arrive(Span<const std::uint8_t> bytes) override { node_.receive(bytes); }

  std::vector<unsigned char> arena_;
  Catalog catalog_;
  Node node_;
};

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_NOISY_LINE_H_
