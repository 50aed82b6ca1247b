// SignalGuard: SIGINT and SIGTERM end what a command waits for, instead of the program. A command
// that is not waiting, but at work, is ended a second later, or at once by a second signal, with
// exit code 128 and the signal's number. So what it writes must bear to be cut off anywhere.
#ifndef WHITTLE_TOOLS_CLI_SIGNALS_H_
#define WHITTLE_TOOLS_CLI_SIGNALS_H_

#include <signal.h>

#include <atomic>

namespace whittle::cli {

// For as long as this lives, a signal sets stopped(), and a second later the program ends if this
// still lives. One at a time.
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
  struct sigaction old_alarm_ {};
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SIGNALS_H_
