#include "ports/posix/reopening_stream.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace whittle::posix {

using std::chrono::milliseconds;

ReopeningStream::ReopeningStream(Open open, milliseconds patience)
    : open_(std::move(open)), patience_(patience), down_since_(Clock::now()) {
  while (!open_again()) std::this_thread::sleep_until(pace_.next_try());
  reopened_ = 0;
}

std::size_t ReopeningStream::read(Span<std::uint8_t> out, milliseconds timeout) {
  if (!line_ && !open_again()) {
    std::this_thread::sleep_until(std::min(Clock::now() + timeout, pace_.next_try()));
    return 0;
  }
  try {
    return line_->read(out, timeout);
  } catch (const LineError&) {
    take_down();
    return 0;
  }
}

void ReopeningStream::write(Span<const std::uint8_t> bytes) {
  if (!line_) return;
  try {
    line_->write(bytes);
  } catch (const LineError&) {
    take_down();
  }
}

void ReopeningStream::take_down() {
  line_.reset();
  down_since_ = Clock::now();
  pace_.broke(down_since_);
}

// False: not yet.
bool ReopeningStream::open_again() {
  if (Clock::now() < pace_.next_try()) return false;
  try {
    line_ = open_();
  } catch (const LineError&) {
    const Clock::time_point now = Clock::now();
    if (now - down_since_ >= patience_) throw;
    pace_.cannot_open(now);
    return false;
  }
  pace_.opened(Clock::now());
  name_ = line_->name();
  ++reopened_;
  return true;
}

}  // namespace whittle::posix
