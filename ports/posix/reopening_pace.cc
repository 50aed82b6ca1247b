#include "ports/posix/reopening_pace.h"

#include <algorithm>

namespace whittle::posix {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWhileAway{5};
constexpr milliseconds kLongestWhileAway{500};
constexpr milliseconds kFirstAfterBreak{50};
constexpr milliseconds kLongestAfterBreak{2000};
constexpr milliseconds kSoon{5000};  // longer than any pause: who has the line then may finish

}  // namespace

ReopeningPace::ReopeningPace()
    : random_(std::random_device()()),
      while_away_(kFirstWhileAway),
      after_break_(kFirstAfterBreak) {}

// Whoever is away has not been taken by another.
void ReopeningPace::cannot_open(Clock::time_point now) {
  broke_soon_ = 0;
  after_break_ = kFirstAfterBreak;
  pause(now, &while_away_, kLongestWhileAway);
}

void ReopeningPace::opened(Clock::time_point now) {
  opened_at_ = now;
  while_away_ = kFirstWhileAway;
}

void ReopeningPace::broke(Clock::time_point now) {
  if (now - opened_at_ < kSoon) {
    ++broke_soon_;
  } else {
    broke_soon_ = 0;
    after_break_ = kFirstAfterBreak;
  }
  pause(now, &after_break_, kLongestAfterBreak);
}

void ReopeningPace::pause(Clock::time_point now, milliseconds* length, milliseconds longest) {
  const auto half = length->count() / 2;
  std::uniform_int_distribution<milliseconds::rep> cut(0, half);
  next_try_ = now + *length - milliseconds(cut(random_));
  *length = std::min(2 * *length, longest);
}

}  // namespace whittle::posix
