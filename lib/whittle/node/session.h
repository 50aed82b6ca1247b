// Session: which messages are applied, so that each is exactly once and in order, whatever the line
// does to them.
//
// The sender numbers its messages 1, 2, 3, ... Only the one after the last applied is applied; a
// later one shows a gap, an earlier one has been sent again because its answer got lost.
//
// It also remembers by which name and seq the sender configured the node: a sender that starts anew
// sees from them whether the node holds a part of the very stream that it is to send.
#ifndef WHITTLE_NODE_SESSION_H_
#define WHITTLE_NODE_SESSION_H_

#include <cstdint>

namespace whittle {

enum class Arrival : std::uint8_t {
  next,      // to be applied
  repeated,  // the last one applied, again
  old,       // applied before that
  ahead,     // something before it is missing
};

class Session {
 public:
  Arrival classify(std::uint64_t seq) const {
    if (seq == last_seq_) return Arrival::repeated;
    if (seq < last_seq_) return Arrival::old;
    return seq == expected() ? Arrival::next : Arrival::ahead;
  }
  // The next message has been applied, or refused.
  void advance(bool refused) {
    ++last_seq_;
    refused_ = refused_ << 1 | (refused ? 1U : 0U);
  }
  // Goes on after this seq, or says of it that it is in a snapshot.
  void resume(std::uint64_t seq) { last_seq_ = seq; }
  void set_durable(std::uint64_t seq) { durable_seq_ = seq; }

  // The next message configures the node, or resets it.
  void configure(std::uint64_t name) {
    name_ = name;
    configured_seq_ = expected();
  }
  void reset() { name_ = configured_seq_ = 0; }

  std::uint64_t last_seq() const { return last_seq_; }  // applied last; 0: none yet
  std::uint64_t expected() const { return last_seq_ + 1; }
  std::uint64_t refused() const { return refused_; }          // bit i: message last_seq() - i was
  std::uint64_t durable_seq() const { return durable_seq_; }  // 0: nothing is
  std::uint64_t name() const { return name_; }                // 0: none
  std::uint64_t configured_seq() const { return configured_seq_; }  // 0: not configured

 private:
  std::uint64_t last_seq_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t durable_seq_ = 0;
  std::uint64_t name_ = 0;
  std::uint64_t configured_seq_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SESSION_H_
