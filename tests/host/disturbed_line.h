// DisturbedLine: what lies between a host and a node in this process. It loses, doubles and damages
// what it carries either way, the same way for the same seed; and loses what a test wants lost.
#ifndef WHITTLE_TESTS_HOST_DISTURBED_LINE_H_
#define WHITTLE_TESTS_HOST_DISTURBED_LINE_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "whittle/node/port.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

namespace whittle {

struct Noise {
  double lost_bytes = 0;  // share of bytes
  double damaged_bytes = 0;
  double lost_pieces = 0;  // share of pieces, as they are written (mostly frames)
  double doubled_pieces = 0;
  unsigned seed = 1;
};

inline bool is_error(const FromNode& answer) {
  return answer.which_body == whittle_v1_FromNode_error_tag;
}
inline bool is_ack(const FromNode& answer) {
  return answer.which_body == whittle_v1_FromNode_ack_tag;
}

class DisturbedLine : public posix::ByteStream {
 public:
  // Of what has come from the node; never waits.
  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds) override {
    const std::size_t count = std::min(out.size(), to_host_.size());
    std::copy_n(to_host_.begin(), count, out.begin());
    to_host_.erase(to_host_.begin(), to_host_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void write(Span<const std::uint8_t> bytes) override {
    const std::vector<std::uint8_t> arrived = disturb(bytes);
    arrive(Span<const std::uint8_t>(arrived.data(), arrived.size()));
  }

  // Answers of the node that are lost, beside the noise. Only those written in one piece are shown.
  using Loss = std::function<bool(const FromNode&)>;
  void lose(Loss loss) { loss_ = std::move(loss); }

 protected:
  DisturbedLine(const Noise& noise, std::size_t receive_capacity, std::uint32_t tick_rate)
      : noise_(noise), random_(noise.seed), port_(*this, receive_capacity, tick_rate) {}

  // Bytes for the node.
  virtual void arrive(Span<const std::uint8_t> bytes) = 0;

  Port& port() { return port_; }  // the node's end
  bool has_bytes_for_host() const { return !to_host_.empty(); }
  void lose_all() { noise_.lost_pieces = 1; }

 private:
  class NodePort final : public Port {
   public:
    NodePort(DisturbedLine& line, std::size_t receive_capacity, std::uint32_t tick_rate)
        : line_(line), receive_capacity_(receive_capacity), tick_rate_(tick_rate) {}
    std::size_t read(Span<std::uint8_t>) override { return 0; }
    void write(Span<const std::uint8_t> bytes) override {
      if (line_.is_lost(bytes)) return;
      const std::vector<std::uint8_t> arrived = line_.disturb(bytes);
      line_.to_host_.insert(line_.to_host_.end(), arrived.begin(), arrived.end());
    }
    std::size_t receive_capacity() const override { return receive_capacity_; }
    std::uint64_t ticks() override { return ++ticks_; }
    std::uint32_t tick_rate() const override { return tick_rate_; }
    const char* board() const override { return "test"; }

   private:
    DisturbedLine& line_;
    std::size_t receive_capacity_;
    std::uint32_t tick_rate_;
    std::uint64_t ticks_ = 0;
  };

  bool is_lost(Span<const std::uint8_t> bytes) const {
    if (!loss_) return false;
    std::uint8_t buffer[kMaxPayload + kCrcBytes];
    Deframer deframer{Span<std::uint8_t>(buffer)};
    FromNode message;
    return std::any_of(bytes.begin(), bytes.end(), [&](std::uint8_t byte) {
      return deframer.push(byte) && decode(deframer.payload(), message) && loss_(message);
    });
  }
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
  Loss loss_;
  std::mt19937 random_;
  std::deque<std::uint8_t> to_host_;
  NodePort port_;
};

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_DISTURBED_LINE_H_
