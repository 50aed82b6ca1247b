#include "tools/cli/error.h"

namespace whittle::cli {

std::string describe(const Status& status) {
  std::string reason = status.reason();
  if (status.has_value()) reason += ": " + std::to_string(status.value());
  return describe(status.code(), reason);
}

std::string describe(StatusCode code, const std::string& reason) {
  return std::string(status_code_name(code)) + ": " + reason;
}

}  // namespace whittle::cli
