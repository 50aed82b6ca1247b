// LinePace: when the bytes that a line carries one way arrive: later, slower and in other pieces
// than they were sent. Their order stays.
#ifndef WHITTLE_TOOLS_CLIENT_LINE_PACE_H_
#define WHITTLE_TOOLS_CLIENT_LINE_PACE_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace whittle {

struct PaceOptions {
  std::uint32_t piece = 0;             // bytes of a piece at most, cut at random; 0: as they come
  std::chrono::milliseconds delay{0};  // of a piece at most, at random
  double bytes_per_second = 0;         // 0: as fast as may be
};

class LinePace {
 public:
  using Clock = std::chrono::steady_clock;

  LinePace(const PaceOptions& options, std::uint64_t seed) : options_(options), random_(seed) {}

  void send(std::vector<std::uint8_t> bytes, Clock::time_point now);
  // A piece that has arrived by now; empty: none has.
  std::vector<std::uint8_t> arrived(Clock::time_point now);
  bool empty() const { return under_way_.empty(); }

 private:
  struct Piece {
    Clock::time_point at;
    std::vector<std::uint8_t> bytes;
  };
  void send_piece(std::vector<std::uint8_t> bytes, Clock::time_point now);

  PaceOptions options_;
  std::mt19937_64 random_;
  std::deque<Piece> under_way_;
  Clock::time_point last_{};  // when the last one arrives
};

}  // namespace whittle

#endif  // WHITTLE_TOOLS_CLIENT_LINE_PACE_H_
