#include <algorithm>
#include <string>
#include <vector>

#include "tools/simulate/markup.h"
#include "tools/simulate/report.h"

namespace whittle::simulate {

std::string summary_table(const Record& record) {
  std::vector<std::vector<std::string>> rows = {{"run", "accuracy", "last third", "sensed",
                                                 "bytes saved", "energy saved", "alarms",
                                                 "recovered after"}};
  if (record.costs.given()) rows.front().emplace_back("cost");
  const RunRecord& all = record.runs.front();
  for (const RunRecord& run : record.runs) {
    rows.push_back({run_name(run), percent(run.mean_accuracy), percent(run.late_accuracy),
                    percent(run.mean_sensed), percent(1 - run.total_bytes / all.total_bytes),
                    percent(1 - run.total_energy / all.total_energy),
                    std::to_string(run.alarms.size()), decimal(run.recovery, 0)});
    if (record.costs.given()) rows.back().push_back(decimal(run.mean_cost, 2));
  }
  std::string out;
  for (auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == "–") row[i] = "-";
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, other[i].size());
      const std::string room(width - std::min(width, row[i].size()), ' ');
      out += i == 0 ? row[i] + room : "  " + room + row[i];
    }
    out += '\n';
  }
  return out;
}

}  // namespace whittle::simulate
