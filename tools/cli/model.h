// What the model of a selector says beside the ranking: the classes of another file's rows
// (--predict), and how far the rows of the file itself belong to each class (--memberships). The
// model may be in this process or on a node: what is made of its answers is the same.
#ifndef WHITTLE_TOOLS_CLI_MODEL_H_
#define WHITTLE_TOOLS_CLI_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "tools/cli/result.h"
#include "whittle/base/status.h"

namespace whittle::cli {

class ModelRefusal : public std::runtime_error {
 public:
  ModelRefusal(StatusCode code, const std::string& description)
      : std::runtime_error(description), code_(code) {}
  StatusCode code() const { return code_; }

 private:
  StatusCode code_;
};

class Model {
 public:
  // Both throw ModelRefusal.
  virtual std::uint32_t predict(Span<const Real> raw) = 0;
  // Of a row of the file that was learned from.
  virtual std::vector<Real> memberships(std::size_t row) = 0;

 protected:
  ~Model() = default;
};

// Asks what the plan wants to know and puts it into `result`, whose ranking is there already. A row
// that is refused for its values, or that is not held, has no answer; the first are warned of.
// Throws Error: the model refuses for another reason; a selected feature has no column.
void ask_model(const Plan& plan, Model& model, const Console& console, Result* result);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_MODEL_H_
