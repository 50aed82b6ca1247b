#include "tools/cli/error.h"

namespace whittle::cli {

std::string describe(const Status& status) {
  std::string text = status_code_name(status.code());
  text += ": ";
  text += status.reason();
  if (status.has_value()) text += ": " + std::to_string(status.value());
  return text;
}

}  // namespace whittle::cli
