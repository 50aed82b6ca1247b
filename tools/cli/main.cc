#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "tools/cli/app.h"

namespace {

constexpr std::size_t kUsualColumns = 80;  // of a terminal that does not tell

std::size_t columns_of_output() {
  if (::isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

// What the locale says, as LC_ALL, else LC_CTYPE, else LANG has it.
bool locale_is_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string text = value;
    for (const char* const utf8 : {"UTF-8", "utf-8", "UTF8", "utf8"}) {
      if (text.find(utf8) != std::string::npos) return true;
    }
    return false;
  }
  return false;
}

// A standard stream that is closed must not become the number of a socket, which what is printed
// would then go to. In its place, one that cannot be used either.
void keep_standard_numbers() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // takes the lowest free number
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_numbers();
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  ::signal(SIGPIPE, SIG_IGN);  // a closed output is seen when writing to it
  ::signal(SIGXFSZ, SIG_IGN);  // so is a file that must not grow
  const whittle::cli::Console console{
      std::cin,        std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0, columns_of_output(),
      locale_is_utf8()};
  return whittle::cli::run(argc, argv, console);
}
