#include "tools/cli/stream_command.h"

#include <fstream>
#include <memory>
#include <ostream>
#include <sstream>

#include "tools/cli/address.h"
#include "tools/cli/error.h"
#include "tools/cli/node_report.h"
#include "tools/cli/remote_ranker.h"
#include "tools/cli/warnings.h"
#include "tools/client/node_client.h"

namespace whittle::cli {
namespace {

void report_stats(const StreamOptions& options, NodeClient& client, std::ostream& err) {
  if (!options.stats && options.stats_file.empty()) return;
  std::ostringstream text;
  print_stats(client.stats(), text);
  print_costs(client.costs(), text);
  if (options.stats) err << text.str();
  if (options.stats_file.empty()) return;
  std::ofstream file(options.stats_file);
  file << text.str() << std::flush;
  if (!file) throw Error(options.stats_file + ": cannot be written");
}

}  // namespace

void stream_command(const StreamOptions& options, const Console& console) {
  const Plan plan = make_plan(options.rank, console);
  const std::unique_ptr<posix::ByteStream> line =
      open_address(options.address, options.firmware, console.err);
  ClientOptions client_options;
  client_options.patience = std::chrono::seconds(options.patience);
  NodeClient client(*line, client_options);
  RemoteRanker ranker(client, plan);
  ranker.configure(client.connect());
  const Refusals refusals = ranker.observe_all(console);
  Result result;
  try {
    result = ranker.rank(options.rank.top, console);
  } catch (...) {  // what was refused may be why
    refusals.report(console);
    throw;
  }
  refusals.report(console, static_cast<std::size_t>(result.samples.refused));
  warn_of_result(plan, result, console);
  ask_model(plan, ranker, console, &result);
  print(options.rank.format, plan, result, console);
  console.out << std::flush;
  report_stats(options, client, console.err);
}

}  // namespace whittle::cli
