#include "tests/host/cli_harness.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "tools/cli/app.h"

namespace whittle {

Outcome run_whittle(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<const char*> argv = {"whittle"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const cli::Console console{in, out, err};
  const int code = cli::run(static_cast<int>(argv.size()), argv.data(), console);
  return {code, out.str(), err.str()};
}

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TempFile::TempFile(const std::string& content)
    : path_(::testing::TempDir() + "whittle_testXXXXXX") {
  ::close(::mkstemp(path_.data()));
  std::ofstream(path_, std::ios::binary) << content;
}

TempFile::~TempFile() { ::unlink(path_.c_str()); }

NodeProcess::NodeProcess(const std::vector<std::string>& arguments, const std::string& command,
                         const std::string& errors) {
  int ends[2];
  if (::pipe(ends) != 0) return;
  std::vector<std::string> words = {WHITTLE_PROGRAM, command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], STDOUT_FILENO);
    if (!errors.empty()) ::dup2(::open(errors.c_str(), O_WRONLY | O_APPEND), STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) address_ += c;
  ::close(ends[0]);
}

NodeProcess::~NodeProcess() {
  if (pid_ > 0) stop(SIGKILL);
}

int NodeProcess::stop(int signal) {
  ::kill(pid_, signal);
  int status = 0;
  for (int i = 0; i < 500; ++i) {
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    ::usleep(10000);
  }
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
  return -1;
}

std::string mixed_csv(unsigned features, unsigned rows, unsigned seed) {
  std::mt19937 random(seed);
  std::ostringstream csv;
  for (unsigned r = 0; r < features; ++r) csv << "f" << r << ',';
  csv << "label\n";
  for (unsigned i = 0; i < rows; ++i) {
    // 12 bits each, so that float and double builds read the same numbers.
    for (unsigned r = 0; r < features; ++r) {
      csv << (r == 1 ? 3.0 : static_cast<double>(random() % 4096) / 64 + (i % 2 + r) % 3) << ',';
    }
    const char* const labels[] = {"a", "b", "", "", "universum"};
    csv << (i < 2 ? labels[i] : labels[random() % 5]) << '\n';
  }
  return csv.str();
}

}  // namespace whittle
