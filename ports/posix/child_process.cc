#include "ports/posix/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace whittle::posix {
namespace {

constexpr int kExecFailed = 127;

// In the child: never returns.
[[noreturn]] void execute(char* const* arguments, int line, int errors, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kExecFailed);  // it ended before prctl
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(line, STDIN_FILENO);
  ::dup2(line, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::execvp(arguments[0], arguments);
  ::dprintf(STDERR_FILENO, "%s: cannot be started: %s\n", arguments[0], std::strerror(errno));
  ::_exit(kExecFailed);
}

bool wait_a_while(pid_t child) {
  for (int i = 0; i < 100; ++i) {
    if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
    ::usleep(10000);
  }
  return false;
}

}  // namespace

FdStream ChildProcess::start(const std::vector<std::string>& command, std::string name, int errors,
                             pid_t* child) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_errno(name);
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  *child = ::fork();
  if (*child < 0) throw_errno(name);
  if (*child == 0) execute(arguments.data(), theirs.get(), errors, parent);
  return FdStream(std::move(ours), std::move(name));
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, std::string name)
    : errors_(::memfd_create("errors", MFD_CLOEXEC)),
      line_(start(command, std::move(name), errors_.get(), &child_)) {}

ChildProcess::~ChildProcess() {
  ::kill(child_, SIGTERM);
  if (wait_a_while(child_)) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

std::size_t ChildProcess::read(Span<std::uint8_t> out, std::chrono::milliseconds timeout) {
  try {
    return line_.read(out, timeout);
  } catch (const LineError& error) {
    throw LineError(error.what() + last_words());
  }
}

void ChildProcess::write(Span<const std::uint8_t> bytes) {
  try {
    line_.write(bytes);
  } catch (const LineError& error) {
    throw LineError(error.what() + last_words());
  }
}

// The end of what the program wrote to its standard error.
std::string ChildProcess::last_words() const {
  constexpr off_t kMost = 1000;
  const off_t size = ::lseek(errors_.get(), 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(std::min(size, kMost)), '\0');
  const ssize_t count =
      ::pread(errors_.get(), text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return "\n" + text;
}

std::vector<std::string> qemu_command(const std::string& board, const std::string& firmware) {
  return {"qemu-system-arm",
          "-M",
          board,
          "-display",
          "none",
          "-monitor",
          "none",
          "-chardev",
          "stdio,id=line,signal=off",
          "-serial",
          "chardev:line",
          "-icount",
          "shift=5",
          "-semihosting-config",
          "enable=on,target=native",
          "-kernel",
          firmware};
}

}  // namespace whittle::posix
