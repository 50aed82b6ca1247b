#include "tools/cli/result.h"

#include "tools/cli/text.h"

namespace whittle::cli {

void warn_of_scale(const Plan& plan, const Result& result, const Console& console) {
  const std::uint64_t ordinary = result.samples.labelled + result.samples.unlabelled;
  const std::uint32_t learn = plan.config.memory.learn;
  if (ordinary >= learn) return;
  warn(console, "--param learn=" + std::to_string(learn) + ": there were only " +
                    counted(ordinary, "sample") + " that are not universum; nothing is scaled");
}

}  // namespace whittle::cli
