#include <signal.h>
#include <unistd.h>

#include <iostream>

#include "tools/cli/app.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  ::signal(SIGPIPE, SIG_IGN);  // a closed output is seen when writing to it
  const whittle::cli::Console console{std::cin, std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0};
  return whittle::cli::run(argc, argv, console);
}
