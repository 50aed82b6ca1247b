// SignalGuard: SIGINT and SIGTERM end what a command waits for, instead of the program.
#ifndef WHITTLE_TOOLS_CLI_SIGNALS_H_
#define WHITTLE_TOOLS_CLI_SIGNALS_H_

#include <signal.h>

#include <atomic>

namespace whittle::cli {

// For as long as this lives, a signal sets stopped(). One at a time.
class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  const std::atomic<bool>& stopped() const;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SIGNALS_H_
