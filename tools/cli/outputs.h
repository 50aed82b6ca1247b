// Files that commands write: refused before the work begins if they are also read or cannot be
// written, and whole or untouched in the end.
#ifndef WHITTLE_TOOLS_CLI_OUTPUTS_H_
#define WHITTLE_TOOLS_CLI_OUTPUTS_H_

#include <string>
#include <vector>

namespace whittle::cli {

// What an argument of the command line names: "--report", "page.html". No path: it is not given;
// "-": the standard stream.
struct NamedFile {
  std::string argument;
  std::string path;
};

// Throws UsageError if an output is the same file as an input or as another output, by whatever
// name, through links too. Standard output is an output of every command. Devices and pipes may be
// named twice.
void check_different_files(const std::vector<NamedFile>& inputs,
                           const std::vector<NamedFile>& outputs);

// A file that will be written. What is there is replaced only when all of the new one is on the
// disk: it is written beside it, and renamed. In place are written: what is no regular file, has
// another owner or several names, or is in a folder that takes no new file.
class OutputFile {
 public:
  // Throws Error if it could not be written now, and why. Leaves nothing behind.
  explicit OutputFile(const std::string& path);

  // Throws Error, and why.
  void write(const std::string& text) const;

 private:
  std::string path_;
  std::string place_;  // where links lead
  bool in_place_ = false;
};

std::string path_in(const std::string& folder, const std::string& name);

// A folder that will be made, with those above it, if it is not there.
class OutputFolder {
 public:
  // Throws Error if none of these files could be written into it now, and why.
  OutputFolder(const std::string& path, const std::vector<std::string>& names);

  // Makes it; files can then be written. Throws Error.
  void make() const;
  // Throws Error, and why.
  void write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_OUTPUTS_H_
