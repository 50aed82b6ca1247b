// SlowLine: a node in this process that reads slowly from a small buffer, loses what finds it full,
// and can be restarted; the line to it may be bad.
#ifndef WHITTLE_TESTS_HOST_SLOW_LINE_H_
#define WHITTLE_TESTS_HOST_SLOW_LINE_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "tests/shared/flash_model.h"
#include "tools/cli/selectors.h"
#include "tools/client/line_faults.h"
#include "whittle/node/node.h"
#include "whittle/node/node_snapshots.h"

namespace whittle {

struct SlowLineOptions {
  std::size_t capacity = 1024;  // bytes of the node's buffer
  std::size_t gulp = 64;        // bytes the node reads each time the host listens
  FaultRates faults;
  std::uint64_t seed = 1;
  bool snapshots = false;
};

class SlowLine final : public posix::ByteStream {
 public:
  explicit SlowLine(const SlowLineOptions& options)
      : options_(options),
        there_(options.faults, 2 * options.seed),
        back_(options.faults, 2 * options.seed + 1),
        arena_(1U << 20),
        port_(*this) {
    restart();
  }

  // The power goes and comes back.
  void restart() {
    to_node_.clear();
    to_host_.clear();
    if (options_.snapshots) snapshots_.emplace(flash_, ProgramIdentity{Span(kBuild), "test"});
    node_ = std::make_unique<Node>(port_, cli::all_selectors(), arena_.data(), arena_.size(),
                                   snapshots_ ? &*snapshots_ : nullptr);
    if (snapshots_) (void)snapshots_->restore(*node_);
  }
  // The flash goes, too.
  void replace_flash() { flash_ = testing::FlashModel(4096, 64, 8); }

  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds) override {
    for (std::size_t left = options_.gulp; left > 0 && !to_node_.empty(); --left) {
      const std::uint8_t byte = to_node_.front();
      to_node_.pop_front();
      node_->receive(Span<const std::uint8_t>(&byte, 1));
    }
    if (to_host_.empty() && to_node_.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::size_t count = std::min(out.size(), to_host_.size());
    std::copy_n(to_host_.begin(), count, out.begin());
    to_host_.erase(to_host_.begin(), to_host_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void write(Span<const std::uint8_t> bytes) override {
    for (const std::uint8_t byte : there_.pass(bytes)) {
      if (to_node_.size() < options_.capacity) {
        to_node_.push_back(byte);
      } else {
        ++overruns_;
      }
    }
    fullest_ = std::max(fullest_, to_node_.size());
  }
  std::string name() const override { return "slow line"; }

  const Node& node() const { return *node_; }
  std::uint64_t overruns() const { return overruns_; }
  std::size_t fullest() const { return fullest_; }

 private:
  static constexpr std::uint8_t kBuild[] = {1, 2, 3, 4};

  class NodePort final : public Port {
   public:
    explicit NodePort(SlowLine& line) : line_(line) {}
    std::size_t read(Span<std::uint8_t>) override { return 0; }
    void write(Span<const std::uint8_t> bytes) override {
      const std::vector<std::uint8_t> arrived = line_.back_.pass(bytes);
      line_.to_host_.insert(line_.to_host_.end(), arrived.begin(), arrived.end());
    }
    std::size_t receive_capacity() const override { return line_.options_.capacity; }
    std::uint64_t ticks() override { return ++ticks_; }
    std::uint32_t tick_rate() const override { return 1; }
    std::uint64_t overruns() const override { return line_.overruns_; }
    const char* board() const override { return "test"; }

   private:
    SlowLine& line_;
    std::uint64_t ticks_ = 0;
  };

  SlowLineOptions options_;
  LineFaults there_;
  LineFaults back_;
  std::deque<std::uint8_t> to_node_;
  std::deque<std::uint8_t> to_host_;
  std::uint64_t overruns_ = 0;
  std::size_t fullest_ = 0;
  testing::FlashModel flash_{4096, 64, 8};
  std::vector<unsigned char> arena_;
  NodePort port_;
  std::optional<NodeSnapshots> snapshots_;
  std::unique_ptr<Node> node_;
};

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_SLOW_LINE_H_
