#include "tools/cli/signals.h"

#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace whittle::cli {
namespace {

// By then whoever waits has seen the flag; who has not is at work.
constexpr unsigned kGraceSeconds = 1;
// A second signal sooner than this is the same one, sent to the process and to its group.
constexpr std::int64_t kSameMilliseconds = 100;
constexpr int kExitSignalled = 128;  // and the signal's number, as shells say it

std::atomic<bool> signalled{false};
std::atomic<int> signal_number{0};
std::atomic<std::int64_t> signalled_at{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "used by a signal's handler");

// All of these call only what a handler may.

std::int64_t milliseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

void stop_at_signal(int number) {
  const std::int64_t now = milliseconds_now();
  if (signalled.exchange(true)) {
    if (now - signalled_at >= kSameMilliseconds) ::_exit(kExitSignalled + number);
    return;
  }
  signal_number = number;
  signalled_at = now;
  ::alarm(kGraceSeconds);
}

void end_at_once(int) { ::_exit(kExitSignalled + signal_number); }

}  // namespace

SignalGuard::SignalGuard() {
  signalled = false;
  struct sigaction action {};
  ::sigfillset(&action.sa_mask);  // one handler at a time
  action.sa_handler = end_at_once;
  ::sigaction(SIGALRM, &action, &old_alarm_);
  action.sa_handler = stop_at_signal;  // no SA_RESTART: waits end
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

SignalGuard::~SignalGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
  ::alarm(0);
  ::sigaction(SIGALRM, &old_alarm_, nullptr);
}

const std::atomic<bool>& SignalGuard::stopped() const { return signalled; }

}  // namespace whittle::cli
