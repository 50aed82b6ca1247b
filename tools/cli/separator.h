// Separator: what stands between the values of a file that is no CSV file, told by its header.
#ifndef WHITTLE_TOOLS_CLI_SEPARATOR_H_
#define WHITTLE_TOOLS_CLI_SEPARATOR_H_

#include <string>
#include <string_view>

namespace whittle::cli {

class Separator {
 public:
  Separator() = default;
  // None if there is a comma in the header.
  explicit Separator(std::string_view header);

  // If `text` of a later line, or of the header, has it as well, what is wrong and what converts
  // the file; else "".
  std::string fault_in(std::string_view text) const;

 private:
  char separator_ = ',';  // a blank stands for any
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_SEPARATOR_H_
