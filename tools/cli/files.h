// Files that commands read; what fails names the file.
#ifndef WHITTLE_TOOLS_CLI_FILES_H_
#define WHITTLE_TOOLS_CLI_FILES_H_

#include <fstream>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace whittle::cli {

// A file, or standard input if the path is "-".
class Input {
 public:
  // `standard` must outlive it. Throws Error: it cannot be opened, and why.
  Input(const std::string& path, std::istream& standard);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::istream& stream() { return in_; }
  const std::string& name() const { return name_; }  // for messages

 private:
  std::ifstream file_;
  std::istream& in_;
  std::string name_;
};

// Throws UsageError if more than one of these arguments is `-`.
void check_inputs(const std::vector<std::pair<const char*, std::string>>& paths);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_FILES_H_
