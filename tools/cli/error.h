// What ends the program early: an Error carries the text for stderr and the exit code.
#ifndef WHITTLE_TOOLS_CLI_ERROR_H_
#define WHITTLE_TOOLS_CLI_ERROR_H_

#include <stdexcept>
#include <string>

#include "whittle/base/status.h"

namespace whittle::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // the data, the node or the machine is at fault
inline constexpr int kExitUsage = 2;    // the command line is
inline constexpr int kExitLost = 3;     // the node has lost what it was sent

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, int exit_code = kExitFailure)
      : std::runtime_error(what), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& what) : Error(what, kExitUsage) {}
};

// "invalid_argument: infinite value: feature: 3", the same of a status and of a node's error.
std::string describe(const Status& status);
std::string describe(StatusCode code, const std::string& reason);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_ERROR_H_
