// NodeClient: the host's side of a conversation with a node (whittle.proto), over any ByteStream.
//
//   NodeClient client(line);
//   client.connect();                          // hello; learns which seq is next
//   client.send(configure); client.flush();
//   if (!client.take_errors().empty()) ...
//   for (...) client.send(sample);             // up to the node's credits on their way at once
//   const whittle_v1_Ranking page = client.query(query);
//
// Every message counts exactly once, in order, whatever the line does: what the node has not
// acknowledged is kept, and sent again from the first gap when the node asks (nack) or no answer
// comes in time. Not for use by two threads at once.
//
// Errors: LineError (the line broke; no progress for ClientOptions::patience; the node restarted or
// listens to another sender); NodeRefusal (the node refused a request). After a LineError only
// connect() makes sense.
#ifndef WHITTLE_TOOLS_CLIENT_NODE_CLIENT_H_
#define WHITTLE_TOOLS_CLIENT_NODE_CLIENT_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "whittle/base/status.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

namespace whittle {

struct ClientOptions {
  // Sent again when nothing has been acknowledged for this long; doubles up to 8 times this while
  // that does not help.
  std::chrono::milliseconds resend_after{2000};
  // Given up when nothing has been acknowledged for this long.
  std::chrono::milliseconds patience{30000};
};

struct NodeError {
  std::uint64_t seq = 0;  // of the message refused
  StatusCode code = StatusCode::internal;
  std::string text;
};

class NodeRefusal : public std::runtime_error {
 public:
  explicit NodeRefusal(const NodeError& error);
  const NodeError& error() const { return error_; }

 private:
  NodeError error_;
};

struct LineCosts {
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t messages = 0;  // that count, each once
  std::uint64_t resent = 0;    // messages sent again
  std::uint64_t damaged = 0;   // frames from the node that were dropped
};

class NodeClient {
 public:
  // `line` must outlive the client.
  explicit NodeClient(posix::ByteStream& line, ClientOptions options = {});
  NodeClient(const NodeClient&) = delete;
  NodeClient& operator=(const NodeClient&) = delete;

  // Greets the node and goes on from the seq it applied last. Messages not acknowledged are
  // dropped.
  whittle_v1_Info connect();
  // Asks for the node's info; everything sent before has been applied then.
  whittle_v1_Info hello();

  // Queues a message (its seq is set here), sends what the credits allow, and returns its seq.
  // Returns at once while the node has credits left, else waits for it.
  std::uint64_t send(const ToNode& message);
  // Queue a message as send() does. Samples are named by the seqs that send() returned for them.
  std::uint64_t label(std::uint64_t sample, std::uint32_t label);
  std::uint64_t constrain(std::uint64_t first, std::uint64_t second, bool must_link);
  std::uint64_t rescale();
  // Waits until every message is acknowledged.
  void flush();

  // Each asks and waits for the answer. Throw NodeRefusal.
  whittle_v1_Ranking query(const whittle_v1_Query& query);
  whittle_v1_Stats stats();
  // The class of a reading (NaN: missing), as the node's model has it.
  std::uint32_t predict(const std::vector<float>& features);
  // How far the held sample with this seq belongs to each class.
  std::vector<float> memberships(std::uint64_t sample);

  // What the node refused since the last call, each message once, oldest first.
  std::vector<NodeError> take_errors();

  std::uint64_t acknowledged() const { return acknowledged_; }  // seq
  const LineCosts& costs() const { return costs_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Outgoing {
    std::uint64_t seq;
    std::vector<std::uint8_t> frame;
    bool wants_answer;  // is kept until that has come
  };

  std::uint64_t enqueue(const ToNode& message, bool wants_answer);
  FromNode request(const ToNode& message, pb_size_t answer);
  void send_hello();
  void transmit();
  void go_back();
  void pump();
  void check_time();
  void handle(const FromNode& message);
  void handle_ack(const whittle_v1_Ack& ack);
  void handle_nack(const whittle_v1_Nack& nack);
  void handle_error(const whittle_v1_Error& error);
  void drop_until(std::uint64_t seq);
  bool waits_for_answer() const;
  bool is_answer(const FromNode& message) const;
  void made_progress();
  void write(const std::vector<std::uint8_t>& frame);

  posix::ByteStream& line_;
  ClientOptions options_;
  std::array<std::uint8_t, kMaxPayload + kCrcBytes> buffer_{};
  Deframer deframer_;

  std::uint64_t next_seq_ = 1;
  std::uint64_t acknowledged_ = 0;
  std::uint64_t credits_ = 1;
  std::deque<Outgoing> outgoing_;  // not acknowledged, consecutive seqs
  std::size_t transmitted_ = 0;    // how many of them are on their way
  std::size_t stale_nacks_ = 0;    // may still come for a gap that is being filled
  std::uint64_t gap_ = 0;          // seq of that gap

  bool connected_ = false;
  ToNode request_;                  // the last one
  std::optional<FromNode> answer_;  // to it
  std::uint64_t ranked_at_ = 0;     // the ranking whose pages are being asked for
  std::optional<whittle_v1_Info> info_;
  std::vector<NodeError> errors_;
  std::uint64_t last_error_seq_ = 0;

  Clock::time_point progress_at_;
  Clock::time_point resend_at_;
  std::chrono::milliseconds resend_after_{0};
  bool heard_ = false;  // anything since the last progress
  LineCosts costs_;
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_NODE_CLIENT_H_
