#include "tools/simulate/recovery.h"

#include <limits>

#include "tools/simulate/series.h"

namespace whittle::simulate {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Recovered: as good as with all features less this, on average over so many checkpoints.
constexpr double kAllowance = 0.02;
constexpr std::size_t kSteady = 4;

}  // namespace

double recovery_of(const Record& record, const RunRecord& run) {
  const RunRecord& all = record.runs.empty() ? run : record.runs.front();
  if (record.drift_at == 0) return kNone;
  for (std::size_t i = 0; i + kSteady <= record.checkpoints.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : record.checkpoints[i - 1];
    if (begin < record.drift_at) continue;
    const auto lacking = [&](std::size_t last) {
      return mean_of(all.accuracy, i, last) - mean_of(run.accuracy, i, last);
    };
    if (lacking(i + kSteady) <= kAllowance && lacking(record.checkpoints.size()) <= kAllowance) {
      return static_cast<double>(begin - record.drift_at);
    }
  }
  return kNone;
}

}  // namespace whittle::simulate
