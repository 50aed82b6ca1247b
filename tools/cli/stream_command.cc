#include "tools/cli/stream_command.h"

#include <memory>
#include <ostream>
#include <sstream>
#include <string>

#include "ports/posix/reopening_stream.h"
#include "tools/cli/address.h"
#include "tools/cli/error.h"
#include "tools/cli/node_report.h"
#include "tools/cli/outputs.h"
#include "tools/cli/remote_ranker.h"
#include "tools/cli/scale_warnings.h"
#include "tools/cli/snapshot_warnings.h"
#include "tools/cli/text.h"
#include "tools/cli/warnings.h"
#include "tools/client/node_client.h"

namespace whittle::cli {
namespace {

bool wants_stats(const StreamOptions& options) {
  return options.stats || !options.stats_file.empty();
}

std::string stats_text(const whittle_v1_Info& after, NodeClient& client) {
  std::ostringstream text;
  print_stats(after, client.stats(), text);
  print_costs(client.costs(), text);
  return text.str();
}

void report_stats(const StreamOptions& options, const std::string& text, std::ostream& err) {
  if (options.stats) err << text;
  if (!options.stats_file.empty()) OutputFile(options.stats_file).write(text);
}

// `before` and `after`: the node at the start and at the end.
void check_snapshots(const StreamOptions& options, const whittle_v1_Info& before,
                     const whittle_v1_Info& after, const Result& result, const NodeClient& client,
                     const RemoteRanker& ranker, const Console& console) {
  const auto& taken = result.samples;
  SnapshotsOfStream snapshots =
      ranker.snapshots(after, taken.labelled + taken.unlabelled + taken.universum);
  snapshots.failed = failed_between(before, after, client.costs().restarts > 0);
  warn_of_snapshots(snapshots, options.address, console);
}

std::unique_ptr<posix::ByteStream> open_line(const StreamOptions& options, const Console& console) {
  const auto open = [&options, &console] {
    return open_address(options.address, options.firmware, console.err);
  };
  if (!options.resume) return open();
  return std::make_unique<posix::ReopeningStream>(open, std::chrono::seconds(options.patience));
}

// Configures the node, unless the stream can be resumed. What it said of itself before that.
// Throws Error before anything is changed if it cannot take the snapshots that it is to take.
whittle_v1_Info begin(const StreamOptions& options, NodeClient& client, RemoteRanker& ranker,
                      const Console& console) {
  const whittle_v1_Info node = client.connect();
  if (options.snapshot_every > 0 && !node.snapshots) {
    throw Error("the node (" + std::string(node.board) +
                ") keeps no snapshots: start it with --state, or leave --snapshot-every out");
  }
  if (!options.resume) {
    ranker.configure(node);
    return node;
  }
  const bool resumed = ranker.resume(node);
  if (!resumed) ranker.configure(node);
  console.err << "whittle: the node holds "
              << (resumed ? std::to_string(ranker.steps_held()) + " of the " +
                                counted(ranker.steps(), "message") + " of this stream"
                          : "nothing of this stream")
              << std::endl;
  return node;
}

void stream(const StreamOptions& options, const Plan& plan, NodeClient& client,
            RemoteRanker& ranker, const Console& console) {
  const whittle_v1_Info before = begin(options, client, ranker, console);
  const Refusals refusals = ranker.observe_all(console);
  Result result;
  try {
    result = ranker.rank(options.rank.top, console);
  } catch (const Error&) {  // what was refused may be why, or the units
    refusals.report(console);
    warn_of_failure(plan, console);
    throw;
  } catch (...) {
    refusals.report(console);
    throw;
  }
  refusals.report(console, static_cast<std::size_t>(result.samples.refused));
  warn_of_result(plan, result, console);
  ask_model(plan, ranker, console, &result);
  std::string stats;
  if (options.snapshot_every > 0 || wants_stats(options)) {
    const whittle_v1_Info after = client.hello();
    if (options.snapshot_every > 0) {
      check_snapshots(options, before, after, result, client, ranker, console);
    }
    if (wants_stats(options)) stats = stats_text(after, client);
  }
  print(options.rank.format, plan, result, console);  // once: the node is not asked any more
  console.out << std::flush;
  report_stats(options, stats, console.err);
}

}  // namespace

void stream_command(const StreamOptions& options, const Console& console) {
  check_address(options.address, options.firmware);
  check_different_files({{"FILE.csv", options.rank.file},
                         {"--pairs", options.rank.pairs},
                         {"--predict", options.rank.predict},
                         {"--firmware", options.firmware}},
                        {{"--stats-file", options.stats_file}});
  if (!options.stats_file.empty()) OutputFile{options.stats_file};  // refused before the stream
  const Plan plan = make_plan(options.rank, console);
  const std::unique_ptr<posix::ByteStream> line = open_line(options, console);
  ClientOptions client_options;
  client_options.patience = std::chrono::seconds(options.patience);
  NodeClient client(*line, client_options);
  RemoteRanker ranker(client, plan, options.snapshot_every);
  for (;;) {
    try {
      return stream(options, plan, client, ranker, console);
    } catch (const StateLost& lost) {
      // What the node has lost was sent by the sender before this one, perhaps; the file has it.
      if (!options.resume || !ranker.holds_part(client.info())) {
        throw Error(ranker.describe(lost), kExitLost);
      }
    }
  }
}

}  // namespace whittle::cli
