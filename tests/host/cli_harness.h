// Runs the program inside the test, and as a process of its own.
#ifndef WHITTLE_TESTS_HOST_CLI_HARNESS_H_
#define WHITTLE_TESTS_HOST_CLI_HARNESS_H_

#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace whittle {

using Arguments = std::vector<std::string>;

inline Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

// The program's run() with these arguments and this standard input.
Outcome run_whittle(const std::vector<std::string>& arguments, const std::string& input = "");

std::string content_of(const std::string& path);

// A file that is gone after the test.
class TempFile {
 public:
  explicit TempFile(const std::string& content);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A `whittle node` process, or that of another command that prints its address first; ended with
// the test.
class NodeProcess {
 public:
  // What it says on standard error goes to the file `errors`, if one is named.
  explicit NodeProcess(const std::vector<std::string>& arguments,
                       const std::string& command = "node", const std::string& errors = "");
  ~NodeProcess();
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  const std::string& address() const { return address_; }  // its first line of output
  // Sends the signal and waits; the exit code, -1 if it had to be killed.
  int stop(int signal);

 private:
  pid_t pid_ = -1;
  std::string address_;
};

// A data set of mixed kinds in CSV: 4 features or more, two classes, unlabelled and universum rows.
std::string mixed_csv(unsigned features, unsigned rows, unsigned seed);

}  // namespace whittle

#endif  // WHITTLE_TESTS_HOST_CLI_HARNESS_H_
