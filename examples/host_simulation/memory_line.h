// A line in memory between a host and one node: the host's message goes in, the node is polled, its
// answers are read. A real line would carry the same bytes.
#ifndef WHITTLE_EXAMPLES_HOST_SIMULATION_MEMORY_LINE_H_
#define WHITTLE_EXAMPLES_HOST_SIMULATION_MEMORY_LINE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "whittle/node/node.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

class MemoryLine : public whittle::Port {
 public:
  // Sends a message, lets the node answer, and says whether it did without an error.
  bool ask(whittle::Node& node, whittle::ToNode message) {
    message.seq = ++seq_;
    std::uint8_t payload[whittle::kMaxPayload];
    const std::size_t size = whittle::encode(message, whittle::Span<std::uint8_t>(payload));
    whittle::write_frame(whittle::Span<const std::uint8_t>(payload, size), to_node_);
    bytes_down_ += to_node_.bytes.size();
    refused_ = false;
    node.poll();
    return size > 0 && !refused_ && acked_ == seq_;
  }

  const whittle_v1_Ranking& ranking() const { return ranking_; }
  std::size_t bytes_up() const { return bytes_up_; }      // node to host
  std::size_t bytes_down() const { return bytes_down_; }  // host to node

  // The node's side: whittle::Port.
  std::size_t read(whittle::Span<std::uint8_t> out) override {
    std::vector<std::uint8_t>& bytes = to_node_.bytes;
    const std::size_t count = std::min(out.size(), bytes.size());
    std::copy_n(bytes.begin(), count, out.begin());
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  void write(whittle::Span<const std::uint8_t> bytes) override {
    bytes_up_ += bytes.size();
    for (const std::uint8_t byte : bytes) {
      if (deframer_.push(byte)) take_answer();
    }
  }
  std::size_t receive_capacity() const override { return 4096; }
  std::uint64_t ticks() override { return 0; }
  std::uint32_t tick_rate() const override { return 1; }
  const char* board() const override { return "simulated"; }

 private:
  // Bytes under way to the node.
  struct Queue : whittle::ByteSink {
    void write(whittle::Span<const std::uint8_t> more) override {
      bytes.insert(bytes.end(), more.begin(), more.end());
    }
    std::vector<std::uint8_t> bytes;
  };

  void take_answer() {
    whittle::FromNode answer = whittle_v1_FromNode_init_zero;
    if (!whittle::decode(deframer_.payload(), answer)) return;
    if (answer.which_body == whittle_v1_FromNode_error_tag) refused_ = true;
    if (answer.which_body == whittle_v1_FromNode_ack_tag) acked_ = answer.body.ack.seq;
    if (answer.which_body == whittle_v1_FromNode_ranking_tag) ranking_ = answer.body.ranking;
  }

  std::uint64_t seq_ = 0;
  std::uint64_t acked_ = 0;
  bool refused_ = false;
  Queue to_node_;
  std::size_t bytes_up_ = 0;
  std::size_t bytes_down_ = 0;
  std::uint8_t buffer_[whittle::kMaxPayload + whittle::kCrcBytes] = {};
  whittle::Deframer deframer_{whittle::Span<std::uint8_t>(buffer_)};
  whittle_v1_Ranking ranking_ = whittle_v1_Ranking_init_zero;
};

#endif  // WHITTLE_EXAMPLES_HOST_SIMULATION_MEMORY_LINE_H_
