// RoundTrip: how long it takes from a message to its acknowledgement, and so how long to wait for
// one before it is taken for lost. As TCP does it: RFC 6298, of messages sent once only.
#ifndef WHITTLE_TOOLS_CLIENT_ROUND_TRIP_H_
#define WHITTLE_TOOLS_CLIENT_ROUND_TRIP_H_

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace whittle {

class RoundTrip {
 public:
  using Clock = std::chrono::steady_clock;

  // Message `seq` goes out now, for the first time. One is timed at once.
  void start(std::uint64_t seq) {
    if (seq_ != 0) return;
    seq_ = seq;
    since_ = Clock::now();
  }
  void cancel() { seq_ = 0; }
  // All messages up to `seq` have been acknowledged.
  void finish(std::uint64_t seq) {
    if (seq_ == 0 || seq < seq_) return;
    seq_ = 0;
    const Clock::duration took = Clock::now() - since_;
    if (!known_) {
      mean_ = took;
      deviation_ = took / 2;
      known_ = true;
      return;
    }
    const Clock::duration error = took - mean_;
    mean_ += error / 8;
    deviation_ += ((error < Clock::duration::zero() ? -error : error) - deviation_) / 4;
  }

  // At least 20 ms; for ever before anything is known.
  std::chrono::milliseconds patience() const {
    if (!known_) return std::chrono::milliseconds::max();
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(mean_ + 4 * deviation_),
                    std::chrono::milliseconds(20));
  }

 private:
  std::uint64_t seq_ = 0;  // of the message that is timed; 0: none
  Clock::time_point since_;
  bool known_ = false;
  Clock::duration mean_{0};
  Clock::duration deviation_{0};
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_ROUND_TRIP_H_
