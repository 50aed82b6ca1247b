#include "tools/client/line_pace.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace whittle {
namespace {

constexpr double kLongest = 86400;  // seconds that a piece may take, at whatever rate

}  // namespace

void LinePace::send(std::vector<std::uint8_t> bytes, Clock::time_point now) {
  if (options_.piece == 0) return send_piece(std::move(bytes), now);
  auto next = bytes.begin();
  while (next != bytes.end()) {
    const auto left = static_cast<std::uint64_t>(bytes.end() - next);
    const std::uint64_t size = std::min<std::uint64_t>(1 + random_() % options_.piece, left);
    const auto end = next + static_cast<std::ptrdiff_t>(size);
    send_piece({next, end}, now);
    next = end;
  }
}

void LinePace::send_piece(std::vector<std::uint8_t> bytes, Clock::time_point now) {
  if (bytes.empty()) return;
  Clock::time_point at = now;
  if (options_.delay.count() > 0) {
    const auto most = static_cast<std::uint64_t>(options_.delay.count());
    at += std::chrono::milliseconds(random_() % (most + 1));
  }
  at = std::max(at, last_);
  if (options_.bytes_per_second > 0) {
    const double seconds = static_cast<double>(bytes.size()) / options_.bytes_per_second;
    at += std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::min(seconds, kLongest)));
  }
  last_ = at;
  under_way_.push_back({at, std::move(bytes)});
}

std::vector<std::uint8_t> LinePace::arrived(Clock::time_point now) {
  if (under_way_.empty() || under_way_.front().at > now) return {};
  std::vector<std::uint8_t> bytes = std::move(under_way_.front().bytes);
  under_way_.pop_front();
  return bytes;
}

}  // namespace whittle
