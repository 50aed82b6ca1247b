// Uses the installed headers and libraries from code with exceptions.
#include <cstring>
#include <stdexcept>

#include "whittle/base/status.h"
#include "whittle/node/node.h"

int main() try {
  if (std::strcmp(whittle::status_code_name(whittle::StatusCode::ok), "ok") != 0) {
    throw std::runtime_error("not the library's answer");
  }
  return 0;
} catch (const std::exception&) {
  return 1;
}
