#include "ports/posix/reopening_stream.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace whittle::posix {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShortestPause{5};
constexpr milliseconds kLongestPause{500};

}  // namespace

ReopeningStream::ReopeningStream(Open open, milliseconds patience)
    : open_(std::move(open)), patience_(patience) {
  take_down();
  while (!open_again()) std::this_thread::sleep_until(next_try_);
  reopened_ = 0;
}

std::size_t ReopeningStream::read(Span<std::uint8_t> out, milliseconds timeout) {
  if (!line_ && !open_again()) {
    std::this_thread::sleep_until(std::min(Clock::now() + timeout, next_try_));
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
  pause_ = kShortestPause;
  down_since_ = next_try_ = Clock::now();
}

// False: not yet.
bool ReopeningStream::open_again() {
  if (Clock::now() < next_try_) return false;
  try {
    line_ = open_();
  } catch (const LineError&) {
    const Clock::time_point now = Clock::now();
    if (now - down_since_ >= patience_) throw;
    next_try_ = now + pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
    return false;
  }
  name_ = line_->name();
  ++reopened_;
  return true;
}

}  // namespace whittle::posix
