// Session: which messages are applied, so that each is exactly once and in order, whatever the line
// does to them.
//
// The sender numbers its messages 1, 2, 3, ... Only the one after the last applied is applied; a
// later one shows a gap, an earlier one has been sent again because its answer got lost.
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
  void advance() { ++last_seq_; }

  std::uint64_t last_seq() const { return last_seq_; }  // applied last; 0: none yet
  std::uint64_t expected() const { return last_seq_ + 1; }

 private:
  std::uint64_t last_seq_ = 0;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SESSION_H_
