// NoisyLine: a node in this process at the other end of a line that loses, doubles and damages
// what it carries, the same way for the same seed.
#ifndef WHITTLE_TESTS_HOST_NOISY_LINE_H_
#define WHITTLE_TESTS_HOST_NOISY_LINE_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "tools/cli/selectors.h"
#include "whittle/node/node.h"

namespace whittle {

struct Noise {
  double lost_bytes = 0;  // share of bytes
  double damaged_bytes = 0;
  double lost_pieces = 0;  // share of pieces, as they are written (mostly frames)
  double doubled_pieces = 0;
  unsigned seed = 1;
};

class NoisyLine : public posix::ByteStream {
 public:
  explicit NoisyLine(const Noise& noise, std::size_t arena_bytes = 1U << 20,
                     std::size_t receive_capacity = 2048,
                     const Catalog& catalog = cli::all_selectors())
      : noise_(noise),
        random_(noise.seed),
        receive_capacity_(receive_capacity),
        arena_(arena_bytes),
        catalog_(catalog),
        port_(*this),
        node_(port_, catalog_, arena_.data(), arena_.size()) {}

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds) override {
    if (to_host_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::size_t count = std::min(out.size(), to_host_.size());
    std::copy_n(to_host_.begin(), count, out.begin());
    to_host_.erase(to_host_.begin(), to_host_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void write(Span<const std::uint8_t> bytes) override {
    const std::vector<std::uint8_t> arrived = disturb(bytes);
    node_.receive(Span<const std::uint8_t>(arrived.data(), arrived.size()));
  }
  std::string name() const override { return "noisy line"; }

  void cut() { noise_.lost_pieces = 1; }
  const Node& node() const { return node_; }

 private:
  class NodePort final : public Port {
   public:
    explicit NodePort(NoisyLine& line) : line_(line) {}
    std::size_t read(Span<std::uint8_t>) override { return 0; }
    void write(Span<const std::uint8_t> bytes) override {
      const std::vector<std::uint8_t> arrived = line_.disturb(bytes);
      line_.to_host_.insert(line_.to_host_.end(), arrived.begin(), arrived.end());
    }
    std::size_t receive_capacity() const override { return line_.receive_capacity_; }
    std::uint64_t ticks() override { return ++ticks_; }
    std::uint32_t tick_rate() const override { return 1; }
    const char* board() const override { return "test"; }

   private:
    NoisyLine& line_;
    std::uint64_t ticks_ = 0;
  };

  bool happens(double share) {
    return share > 0 && std::uniform_real_distribution<double>(0, 1)(random_) < share;
  }
  std::vector<std::uint8_t> disturb(Span<const std::uint8_t> bytes) {
    std::vector<std::uint8_t> out;
    if (happens(noise_.lost_pieces)) return out;
    for (int copies = happens(noise_.doubled_pieces) ? 2 : 1; copies > 0; --copies) {
      for (const std::uint8_t byte : bytes) {
        if (happens(noise_.lost_bytes)) continue;
        out.push_back(happens(noise_.damaged_bytes) ? static_cast<std::uint8_t>(random_()) : byte);
      }
    }
    return out;
  }

  Noise noise_;
  std::mt19937 random_;
  std::size_t receive_capacity_;
  std::deque<std::uint8_t> to_host_;
  std::vector<unsigned char> arena_;
  Catalog catalog_;
  NodePort port_;
  Node node_;
};

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_NOISY_LINE_H_
