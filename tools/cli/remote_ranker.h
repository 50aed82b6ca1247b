// RemoteRanker: a FeatureRanker at the other end of a line. Configures a node as a plan says, sends
// it the samples, asks for the ranking.
//
// What it sends, in this order: reset, configure, the scale, the plan's script, queries. So from
// the seq of configure and that of the last message, both told by the node, it is known which step
// the node has come to.
#ifndef WHITTLE_TOOLS_CLI_REMOTE_RANKER_H_
#define WHITTLE_TOOLS_CLI_REMOTE_RANKER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/model.h"
#include "tools/cli/plan.h"
#include "tools/cli/refusals.h"
#include "tools/cli/result.h"
#include "tools/cli/script.h"
#include "tools/cli/snapshot_warnings.h"
#include "tools/client/node_client.h"

namespace whittle::cli {

class RemoteRanker final : public Model {
 public:
  // Both must outlive it.
  // `snapshot_every`: samples between two snapshots of the node; 0: it takes none of itself.
  RemoteRanker(NodeClient& client, const Plan& plan, std::uint32_t snapshot_every = 0)
      : client_(client), plan_(plan), snapshot_every_(snapshot_every), script_(script_of(plan)) {}

  // Resets the node and configures it, scale included. Throws Error: the node lacks the selector,
  // has too little memory, takes fewer features, refuses the config.
  void configure(const whittle_v1_Info& node);

  // Whether the node holds a part of this very stream.
  bool holds_part(const whittle_v1_Info& node) const;

  // Goes on where the node is, if it holds a part of this very stream, and returns whether it does.
  // Throws Error: it does, but has been told something else since; StateLost: it has started again
  // since it said so, with less.
  bool resume(whittle_v1_Info node);

  // Sends what the node does not have yet of the plan's script, and waits until it has it all.
  // Throws Error if the node refuses a sample for another reason than its values.
  Refusals observe_all(const Console& console);

  // How far the node's snapshots have come, by what it says of itself, when it has taken in so many
  // samples. After observe_all().
  SnapshotsOfStream snapshots(const whittle_v1_Info& node, std::uint64_t samples) const;

  // How much of the script the node had when it was configured or resumed.
  std::size_t steps_held() const { return next_step_; }
  std::size_t steps() const { return script_.size(); }

  // What a node has lost, for people.
  std::string describe(const StateLost& lost) const;

  // Refines until the node says it has converged, then fetches all pages. Throws Error.
  Result rank(std::uint32_t top, const Console& console);

  std::uint32_t predict(Span<const Real> raw) override;
  std::vector<Real> memberships(std::size_t row) override;

 private:
  void check(const whittle_v1_Info& node) const;
  void go_on_after(const whittle_v1_Info& node);
  std::uint64_t rows_held() const;
  ToNode config_message() const;
  std::size_t scale_messages() const;
  void send_scale(std::size_t first_message);
  void fail_on_error();
  std::uint64_t send(const Step& step);
  std::uint64_t send_sample(std::size_t i);
  void sort_errors(Refusals* refusals);
  whittle_v1_Ranking refined_page(std::uint32_t top, const Console& console);

  NodeClient& client_;
  const Plan& plan_;
  std::uint32_t snapshot_every_;
  std::vector<Step> script_;
  std::size_t next_step_ = 0;        // to be sent
  std::vector<std::uint64_t> seqs_;  // by row: the sample's
  std::uint64_t first_seq_ = 0;      // of the script's first step; one more for each of the others
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_REMOTE_RANKER_H_
