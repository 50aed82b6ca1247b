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
// comes in time. From a node that keeps snapshots it is kept longer, until it is in one: when such
// a node restarts, it is greeted again and sent what it has forgotten. A line that is opened again
// (posix::ReopeningStream) makes no difference. What the node refuses is noticed though the line
// loses the error: see take_errors(). docs/line.md tells the whole. For one thread.
//
// Memory: the frames kept: at most the node's credits and at most 64, or what has come since its
// last snapshot.
//
// Errors: StateLost (the node restarted and forgot what is not kept any more); LineError (the line
// broke; no progress for ClientOptions::patience, NodeSilent if it says nothing either; the node
// listens to another sender); NodeRefusal (the node refused a request). After a LineError only
// connect() makes sense.
#ifndef WHITTLE_TOOLS_CLIENT_NODE_CLIENT_H_
#define WHITTLE_TOOLS_CLIENT_NODE_CLIENT_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ports/posix/byte_stream.h"
#include "tools/client/round_trip.h"
#include "whittle/base/status.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

namespace whittle {

struct ClientOptions {
  // The node is asked where it is when nothing has been acknowledged for this long, or for much
  // longer than it took lately; the time doubles, up to 8 times this, while that does not help.
  std::chrono::milliseconds resend_after{2000};
  // Given up when nothing has been acknowledged for this long. It bounds no more than that: many
  // messages, each of which takes a while, may take any time.
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

// The node has restarted without what it had acknowledged.
class StateLost : public posix::LineError {
 public:
  StateLost(const std::string& line, std::uint64_t first, std::uint64_t last,
            const char* how = ": the node has restarted and lost messages ");
  // The messages lost, which are not kept any more.
  std::uint64_t first() const { return first_; }  // seq
  std::uint64_t last() const { return last_; }

 private:
  std::uint64_t first_;
  std::uint64_t last_;
};

// Nothing has come from the node for ClientOptions::patience: it is busy, or not there.
class NodeSilent : public posix::LineError {
 public:
  NodeSilent(const std::string& what, bool ever_answered)
      : LineError(what), ever_answered_(ever_answered) {}
  bool ever_answered() const { return ever_answered_; }  // this client

 private:
  bool ever_answered_;
};

struct LineCosts {
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t messages = 0;  // that count, each once
  std::uint64_t resent = 0;    // messages sent again
  std::uint64_t damaged = 0;   // frames from the node that were dropped
  std::uint64_t restarts = 0;  // of the node, after which it was sent again what it had forgotten
};

class NodeClient {
 public:
  // `line` must outlive the client.
  explicit NodeClient(posix::ByteStream& line, ClientOptions options = {});
  NodeClient(const NodeClient&) = delete;
  NodeClient& operator=(const NodeClient&) = delete;

  // Greets the node and goes on from the seq it applied last. Messages kept are dropped.
  whittle_v1_Info connect();
  // Asks for the node's info; everything sent before has been applied then.
  whittle_v1_Info hello();

  // Queues a message (its seq is set here), sends what the credits allow, and returns its seq.
  // Returns at once while there is room for more on their way, else waits for it.
  std::uint64_t send(const ToNode& message);
  // Queue a message as send() does. Samples are named by the seqs that send() returned for them.
  std::uint64_t label(std::uint64_t sample, std::uint32_t label);
  std::uint64_t constrain(std::uint64_t first, std::uint64_t second, bool must_link);
  std::uint64_t rescale();
  // Waits until every message is acknowledged.
  void flush();

  // Asks for the node's statistics, once everything sent before has been applied. Not counted.
  whittle_v1_Stats stats();

  // Each asks and waits for the answer. Throw NodeRefusal.
  whittle_v1_Ranking query(const whittle_v1_Query& query);
  // The class of a reading (NaN: missing), as the node's model has it.
  std::uint32_t predict(const std::vector<float>& features);
  // How far the held sample with this seq belongs to each class.
  std::vector<float> memberships(std::uint64_t sample);

  // What the node refused since the last call, each message once, oldest first. Complete after
  // flush(); before, a later call may bring an earlier message. data_loss: the line lost the
  // reason, and later messages were on their way, so that the node does not tell it again.
  std::vector<NodeError> take_errors();

  std::uint64_t acknowledged() const { return acknowledged_; }  // seq
  // Calls `told` from now on whenever that has grown, from within the calls that wait. May be
  // empty.
  void on_progress(std::function<void()> told) { told_progress_ = std::move(told); }
  const whittle_v1_Info& info() const { return info_; }  // what the node said last
  const LineCosts& costs() const { return costs_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Frame = std::vector<std::uint8_t>;
  struct Request {  // the last message out, which wants an answer
    std::uint64_t seq;
    ToNode message;
  };

  std::uint64_t enqueue(const ToNode& message);
  FromNode request(const ToNode& message, pb_size_t answer);
  void greet();
  void send_hello();
  void begin(const whittle_v1_Info& info);
  void resume(const whittle_v1_Info& info);
  void ask_stats();
  void check_applied(std::uint64_t seq) const;
  void check_configured(const whittle_v1_Info& info) const;
  [[noreturn]] void fail_used() const;
  bool wants_answer(const whittle_v1_Ack& ack) const;
  void settle(const whittle_v1_Ack& ack, std::uint64_t until);
  bool is_told(std::uint64_t seq) const;
  void refuse(const NodeError& error);
  void transmit();
  void go_back();
  void wait_until_applied();
  void pump();
  void check_time();
  [[noreturn]] void give_up() const;
  void handle(const FromNode& message);
  void handle_info(const whittle_v1_Info& info);
  void handle_ack(const whittle_v1_Ack& ack);
  void handle_nack(const whittle_v1_Nack& nack);
  void handle_error(const whittle_v1_Error& error);
  void applied_until(std::uint64_t seq);
  void forget();
  bool is_answer(const FromNode& message) const;
  void made_progress();
  std::size_t read(Span<std::uint8_t> out, std::chrono::milliseconds timeout);
  void write(const Frame& frame);

  posix::ByteStream& line_;
  ClientOptions options_;
  std::array<std::uint8_t, kMaxPayload + kCrcBytes> buffer_{};
  Deframer deframer_;

  // seqs: first_kept_ <= acknowledged_ + 1 <= next_seq_, acknowledged_ <= transmitted_ < next_seq_,
  // transmitted_ <= settled_ + kAckHistory
  std::deque<Frame> kept_;  // of first_kept_ to next_seq_ - 1
  std::uint64_t first_kept_ = 1;
  std::uint64_t durable_ = 0;
  std::uint64_t acknowledged_ = 0;
  std::uint64_t transmitted_ = 0;  // until here they are on their way, or have come
  std::uint64_t next_seq_ = 1;
  std::uint64_t credits_ = 1;
  bool until_durable_ = false;        // messages are kept
  std::uint64_t configured_seq_ = 0;  // of the configure that the node is to know; 0: any or none
  std::uint64_t session_ = 0;         // of that configure
  std::uint64_t newest_ = 0;          // transmitted ever
  std::uint64_t gap_ = 0;             // the last message that the node missed
  std::uint64_t unread_ = 0;          // transmitted behind the gap, and may not have been read yet
  RoundTrip round_trip_;

  bool connected_ = false;
  bool greeting_ = false;       // a hello is out; nothing else is sent until it is answered
  std::uint64_t hello_seq_;     // of the last hello: no other sender uses the same soon
  std::uint64_t reopened_ = 0;  // the line, when it was last greeted through
  whittle_v1_Info info_{};      // the last one
  std::optional<Request> request_;
  std::optional<FromNode> answer_;  // to it
  std::uint64_t ranked_at_ = 0;     // the ranking whose pages are being asked for
  std::optional<whittle_v1_Stats> stats_;
  bool asking_stats_ = false;
  std::vector<NodeError> errors_;
  std::uint64_t settled_ = 0;        // seq until which it is known what was refused, from acks
  std::vector<std::uint64_t> told_;  // what was refused past that, from errors

  Clock::time_point progress_at_;
  Clock::time_point resend_at_;
  std::chrono::milliseconds resend_after_{0};
  bool heard_ = false;                      // anything since the last progress
  std::uint64_t reopened_at_progress_ = 0;  // the line, at the last progress
  LineCosts costs_;
  std::function<void()> told_progress_;
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_NODE_CLIENT_H_
