// LocalRanker: a FeatureRanker in this process, driven as RemoteRanker drives one on a node.
#ifndef WHITTLE_TOOLS_CLI_LOCAL_RANKER_H_
#define WHITTLE_TOOLS_CLI_LOCAL_RANKER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/model.h"
#include "tools/cli/plan.h"
#include "tools/cli/refusals.h"
#include "tools/cli/result.h"
#include "tools/cli/script.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::cli {

class LocalRanker final : public Model {
 public:
  // `plan` must outlive it. Throws Error: the plan needs more memory than there is, or makes no
  // sense.
  explicit LocalRanker(const Plan& plan);

  // Takes the plan's script.
  Refusals observe_all(const Console& console);

  // Refines until nothing is left to do and ranks. `refused`: how many samples were. Throws Error.
  Result rank(std::uint32_t top, std::size_t refused, const Console& console);

  std::uint32_t predict(Span<const Real> raw) override;
  std::vector<Real> memberships(std::size_t row) override;

 private:
  Status take(const Step& step);
  void refine(const Console& console);
  Result result(std::size_t refused) const;

  const Plan& plan_;
  std::unique_ptr<unsigned char[]> buffer_;
  FeatureRanker ranker_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_LOCAL_RANKER_H_
