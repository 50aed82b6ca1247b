// Link: messages in and out of a port.
//
// One buffer serves both ways: a message is decoded out of it before an answer is encoded into it.
#ifndef WHITTLE_NODE_LINK_H_
#define WHITTLE_NODE_LINK_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/span.h"
#include "whittle/node/port.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

namespace whittle {

class Link : private ByteSink {
 public:
  explicit Link(Port& port) : port_(port), deframer_(Span<std::uint8_t>(buffer_)) {}

  // Takes one byte that came in. True when it completes a message, whose bytes are then payload()
  // until the next take or send.
  bool take(std::uint8_t byte) {
    ++bytes_received_;
    return deframer_.push(byte);
  }
  Span<const std::uint8_t> payload() const { return deframer_.payload(); }

  // A message that breaks its bounds is not sent; the replies of node/ are made within them.
  void send(const FromNode& message);
  // A message encoded elsewhere.
  void send(Span<const std::uint8_t> payload) { write_frame(payload, *this); }

  Port& port() const { return port_; }
  const FrameCounts& frames() const { return deframer_.counts(); }
  std::uint64_t bytes_received() const { return bytes_received_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  void write(Span<const std::uint8_t> bytes) override;

  Port& port_;
  std::uint64_t bytes_received_ = 0;
  std::uint64_t bytes_sent_ = 0;
  Deframer deframer_;
  std::uint8_t buffer_[kMaxPayload + kCrcBytes];
};

}  // namespace whittle

#endif  // WHITTLE_NODE_LINK_H_
