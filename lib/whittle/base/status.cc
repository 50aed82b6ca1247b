#include "whittle/base/status.h"

namespace whittle {

const char* status_code_name(StatusCode code) {
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::invalid_argument:
      return "invalid_argument";
    case StatusCode::not_found:
      return "not_found";
    case StatusCode::already_exists:
      return "already_exists";
    case StatusCode::resource_exhausted:
      return "resource_exhausted";
    case StatusCode::failed_precondition:
      return "failed_precondition";
    case StatusCode::out_of_range:
      return "out_of_range";
    case StatusCode::unimplemented:
      return "unimplemented";
    case StatusCode::internal:
      return "internal";
    case StatusCode::data_loss:
      return "data_loss";
  }
  return "unknown";
}

}  // namespace whittle
