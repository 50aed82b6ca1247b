#include "tools/cli/files.h"

#include <cerrno>
#include <cstring>

#include "tools/cli/error.h"

namespace whittle::cli {
namespace {

bool is_standard(const std::string& path) { return path == "-"; }

}  // namespace

Input::Input(const std::string& path, std::istream& standard)
    : in_(is_standard(path) ? standard : file_), name_(is_standard(path) ? "<stdin>" : path) {
  if (is_standard(path)) return;
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) throw Error(path + ": cannot be opened: " + std::strerror(errno));
}

void check_inputs(const std::vector<std::pair<const char*, std::string>>& paths) {
  const char* first = nullptr;
  for (const auto& [argument, path] : paths) {
    if (!is_standard(path)) continue;
    if (first != nullptr) {
      throw UsageError(std::string(argument) + " -: standard input can be read only once, and " +
                       first + " is read from it");
    }
    first = argument;
  }
}

}  // namespace whittle::cli
