// HostEnd: the host's end of one node's line: takes its readings, each once, acknowledges them, and
// has its samples labelled. What SensorClient does, in simulated time.
#ifndef WHITTLE_TOOLS_SIMULATE_HOST_END_H_
#define WHITTLE_TOOLS_SIMULATE_HOST_END_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tools/client/reading_receiver.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

namespace whittle::simulate {

class HostEnd {
 public:
  // `seq`: of the last message that the node has been sent.
  HostEnd(std::size_t features, std::uint64_t seq);

  // Queues a label. Labels go down one at a time, each again until it is acknowledged.
  void label(std::uint64_t sample, std::uint32_t label);

  // Takes in bytes of the line: the samples that they complete, in order.
  std::vector<SensedSample> receive(Span<const std::uint8_t> bytes);
  // What there is to say in this second.
  std::vector<std::uint8_t> take_output(std::uint64_t second);

  std::uint64_t duplicates() const { return receiver_.duplicates(); }  // readings and masks
  std::uint64_t resent() const { return resent_; }                     // labels

 private:
  struct Label {
    std::uint64_t sample;
    std::uint32_t label;
  };

  void take_label_output(std::uint64_t second, std::vector<std::uint8_t>* bytes);

  ReadingReceiver receiver_;
  std::unique_ptr<std::uint8_t[]> buffer_{new std::uint8_t[kMaxPayload + kCrcBytes]};
  Deframer deframer_{Span<std::uint8_t>(buffer_.get(), kMaxPayload + kCrcBytes)};
  std::deque<Label> labels_;  // not acknowledged
  std::uint64_t acked_;       // seq
  bool sent_ = false;         // the first of them, and when
  std::uint64_t sent_at_ = 0;
  std::uint64_t resent_ = 0;
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_HOST_END_H_
