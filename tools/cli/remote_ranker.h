// RemoteRanker: a FeatureRanker at the other end of a line. Configures a node as a plan says, sends
// it the samples, asks for the ranking.
#ifndef WHITTLE_TOOLS_CLI_REMOTE_RANKER_H_
#define WHITTLE_TOOLS_CLI_REMOTE_RANKER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/model.h"
#include "tools/cli/plan.h"
#include "tools/cli/refusals.h"
#include "tools/cli/result.h"
#include "tools/cli/script.h"
#include "tools/client/node_client.h"

namespace whittle::cli {

class RemoteRanker final : public Model {
 public:
  // Both must outlive it.
  RemoteRanker(NodeClient& client, const Plan& plan) : client_(client), plan_(plan) {}

  // Resets the node and configures it, scale included. Throws Error: the node lacks the selector,
  // has too little memory, takes fewer features, refuses the config.
  void configure(const whittle_v1_Info& node);

  // Sends the plan's script and waits until the node has it all. Throws Error if the node refuses a
  // sample for another reason than its values.
  Refusals observe_all(const Console& console);

  // Refines until the node says it has converged, then fetches all pages. Throws Error.
  Result rank(std::uint32_t top, const Console& console);

  std::uint32_t predict(Span<const Real> raw) override;
  std::vector<Real> memberships(std::size_t row) override;

 private:
  void check(const whittle_v1_Info& node) const;
  void send_config();
  void send_scale();
  void fail_on_error();
  std::uint64_t send(const Step& step);
  std::uint64_t send_sample(std::size_t i);
  void sort_errors(const std::vector<Step>& script, Refusals* refusals);
  whittle_v1_Ranking refined_page(std::uint32_t top, const Console& console);

  NodeClient& client_;
  const Plan& plan_;
  std::vector<std::uint64_t> seqs_;  // by row: the sample's
  std::uint64_t first_seq_ = 0;      // of the script's first step; one more for each of the others
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_REMOTE_RANKER_H_
