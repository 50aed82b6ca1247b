#include "tools/cli/rank_command.h"

#include "tools/cli/error.h"
#include "tools/cli/local_ranker.h"
#include "tools/cli/scale_warnings.h"
#include "tools/cli/warnings.h"

namespace whittle::cli {

void rank_command(const RankOptions& options, const Console& console) {
  if (options.plot && options.format != Format::table) {
    throw UsageError("--plot draws in the table: it does not go with another --format");
  }
  const Plan plan = make_plan(options, console);
  LocalRanker ranker(plan);
  const Refusals refusals = ranker.observe_all(console);
  refusals.report(console);
  Result result;
  try {
    result = ranker.rank(options.top, refusals.samples(), console);
  } catch (const Error&) {
    warn_of_failure(plan, console);
    throw;
  }
  warn_of_result(plan, result, console);
  ask_model(plan, ranker, console, &result);
  print(options.format, plan, result, console, options.plot);
}

}  // namespace whittle::cli
