// The numbers of a record as CSV files (RFC 4180): what the page shows, and what it has no room
// for.
#ifndef WHITTLE_TOOLS_SIMULATE_RECORD_CSV_H_
#define WHITTLE_TOOLS_SIMULATE_RECORD_CSV_H_

#include <string>
#include <vector>

#include "tools/simulate/record.h"

namespace whittle::simulate {

struct CsvFile {
  std::string name;     // "summary.csv"
  std::string content;  // what it says
  std::string text;
};

// summary: one row per run; series: per run and checkpoint; ranks and masks: likewise, one column
// per feature; features: per run and feature; nodes: per run and node; alarms: per alarm.
std::vector<CsvFile> csv_files(const Record& record);
// Their names, before there is a record.
std::vector<std::string> csv_names();
// The first of them.
std::string summary_csv(const Record& record);

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_RECORD_CSV_H_
