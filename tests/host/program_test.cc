// The program as a process: exit codes and pipes as a shell sees them.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <regex>
#include <string>
#include <thread>

#include "tests/host/cli_harness.h"
#include "tools/cli/signals.h"
#include "whittle/base/real.h"

namespace whittle {
namespace {

struct ShellOutcome {
  int code = -1;
  std::string out;  // and err
};

ShellOutcome shell(const std::string& command) {
  ShellOutcome outcome;
  FILE* const pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    outcome.out.append(buffer, n);
  }
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

const std::string kProgram = WHITTLE_PROGRAM;

TEST(ProgramProcess, ExitCodes) {
  EXPECT_EQ(shell("printf 'x\\n1\\n2\\n' | " + kProgram + " rank - -s variance").code, 0);
  EXPECT_EQ(shell("printf 'x\\n1\\nq\\n' | " + kProgram + " rank - -s variance").code, 1);
  EXPECT_EQ(shell(kProgram + " rank").code, 2);
  EXPECT_EQ(shell(kProgram).code, 2);
}

TEST(ProgramProcess, ClosedPipeIsNoCrash) {
  const TempFile wide([] {
    std::string header = "c0";
    std::string row = "1";
    for (int i = 1; i < 50000; ++i) {
      header += ",c" + std::to_string(i);
      row += ",2";
    }
    return header + "\n" + row + "\n" + row + "\n";
  }());
  const ShellOutcome outcome = shell("bash -c 'set -o pipefail; " + kProgram + " rank " +
                                     wide.path() + " -s variance | head -n 1'");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "variance, larger is better; 0 labelled, 2 unlabelled, 0 universum\n");
}

TEST(ProgramProcess, FullDiskIsAnError) {
  const ShellOutcome outcome =
      shell("printf 'x\\n1\\n2\\n' | " + kProgram + " rank - -s variance >/dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "whittle: cannot write the output: No space left on device\n");
}

TEST(ProgramProcess, IgnoresTheLocale) {
  const ShellOutcome outcome = shell("printf 'x\\n1.5\\n2.5\\n' | LC_ALL=de_DE.UTF-8 " + kProgram +
                                     " rank - -s variance --format csv");
  EXPECT_EQ(outcome.out, "rank,index,name,score,selected\n1,0,x,0.25,true\n");
}

// A sanitizer itself takes more.
#ifndef WHITTLE_SANITIZED
const std::string kLittleMemory = "ulimit -v 300000; ";  // kilobytes

// What the program says, long numbers as N.
std::string said_with_little_memory(const std::string& arguments) {
  const ShellOutcome outcome = shell(
      kLittleMemory + "printf 'x,label\\n1,a\\n2,b\\n3,\\n4,\\n' | " + kProgram + " " + arguments);
  EXPECT_EQ(outcome.code, 1);
  return std::regex_replace(outcome.out, std::regex("[0-9]{9,}"), "N");
}

TEST(ProgramProcess, MemoryThatTheSystemDoesNotGiveIsNamed) {
  EXPECT_EQ(said_with_little_memory("rank - -s ls --param window=4000000"),
            "whittle: this ranking needs N bytes beside the " + std::to_string(4 * sizeof(Real)) +
                " of the file, this program does not get as much; --param window=N (now 4000000) "
                "takes most\n");
  EXPECT_EQ(said_with_little_memory("simulate - -s ls --nodes 2 --keep 1 --window 9000"),
            "whittle: a simulation of 2 nodes of N bytes each needs N bytes beside the " +
                std::to_string(4 * sizeof(Real)) +
                " of the file, this program does not get as much; --window N (now 9000) takes "
                "most; fewer --nodes need less\n");
  EXPECT_EQ(said_with_little_memory("node --listen tcp:0 --arena 400m"),
            "whittle: the node's arena needs N bytes, this program does not get as much; give a "
            "smaller --arena\n");
}
#endif

// A command that is at work and looks at nothing: its exit code, and how long it went on after the
// first signal. `second`: when the second comes, if at all.
struct Ending {
  int code = -1;
  std::chrono::milliseconds after{0};
};

Ending end_at_work(int signal, std::chrono::milliseconds second) {
  int ready[2];
  EXPECT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const cli::SignalGuard guard;
    (void)!::write(ready[1], "x", 1);
    for (volatile unsigned work = 0;;) work = work + 1;
  }
  char byte = 0;
  EXPECT_EQ(::read(ready[0], &byte, 1), 1);
  for (const int end : ready) ::close(end);
  const auto start = std::chrono::steady_clock::now();
  ::kill(child, signal);
  if (second.count() > 0) {
    std::this_thread::sleep_for(second);
    ::kill(child, signal);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                start)};
}

TEST(SignalGuard, EndsACommandThatIsAtWorkSoonAndAtOnceAtTheSecondSignal) {
  using std::chrono::milliseconds;
  const Ending waited = end_at_work(SIGTERM, milliseconds(0));
  EXPECT_EQ(waited.code, 128 + SIGTERM);
  EXPECT_GE(waited.after, milliseconds(900));
  const Ending again = end_at_work(SIGINT, milliseconds(150));
  EXPECT_EQ(again.code, 128 + SIGINT);
  EXPECT_LT(again.after, milliseconds(900));
}

// As timeout(1) sends it, to the process and to its group.
TEST(SignalGuard, SameSignalTwiceAtOnceIsOne) {
  const cli::SignalGuard guard;
  EXPECT_FALSE(guard.stopped());
  ::raise(SIGTERM);
  ::raise(SIGTERM);
  EXPECT_TRUE(guard.stopped());
}

}  // namespace
}  // namespace whittle
