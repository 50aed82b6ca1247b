// ReopeningPace: when a line that broke, or could not be opened, is to be tried again.
//
// A line that cannot be opened: after 5 ms, then twice as long each time, up to 500 ms, so that who
// comes back is found soon. One that was opened and broke: after 50 ms; twice as long each time, up
// to 2 s, if it breaks soon after it was opened (within 5 s), as lines do that another client takes
// each time. The first pause leaves that client the time for a question, the longer ones the time
// to finish; each is cut by up to a half at random, so that two do not keep step.
#ifndef WHITTLE_PORTS_POSIX_REOPENING_PACE_H_
#define WHITTLE_PORTS_POSIX_REOPENING_PACE_H_

#include <chrono>
#include <random>

namespace whittle::posix {

class ReopeningPace {
 public:
  using Clock = std::chrono::steady_clock;

  ReopeningPace();

  // When to try next; long ago, until something has gone wrong.
  Clock::time_point next_try() const { return next_try_; }
  // How often in a row the line broke soon after it was opened.
  unsigned broke_soon() const { return broke_soon_; }

  void cannot_open(Clock::time_point now);
  void opened(Clock::time_point now);
  void broke(Clock::time_point now);

 private:
  void pause(Clock::time_point now, std::chrono::milliseconds* length,
             std::chrono::milliseconds longest);

  std::minstd_rand random_;
  Clock::time_point next_try_{};
  Clock::time_point opened_at_{};
  std::chrono::milliseconds while_away_;
  std::chrono::milliseconds after_break_;
  unsigned broke_soon_ = 0;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_REOPENING_PACE_H_
