#include "tools/cli/signals.h"

namespace whittle::cli {
namespace {

std::atomic<bool> signalled{false};

void stop_at_signal(int) { signalled = true; }

}  // namespace

SignalGuard::SignalGuard() {
  signalled = false;
  struct sigaction action {};
  action.sa_handler = stop_at_signal;  // no SA_RESTART: waits end
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

SignalGuard::~SignalGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

const std::atomic<bool>& SignalGuard::stopped() const { return signalled; }

}  // namespace whittle::cli
