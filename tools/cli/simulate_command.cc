#include "tools/cli/simulate_command.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "tools/cli/costs_file.h"
#include "tools/cli/error.h"
#include "tools/cli/files.h"
#include "tools/cli/memory_need.h"
#include "tools/cli/outputs.h"
#include "tools/cli/record_json.h"
#include "tools/cli/simulate_plan.h"
#include "tools/cli/text.h"
#include "tools/cli/warnings.h"
#include "tools/simulate/fleet_run.h"
#include "tools/simulate/notes.h"
#include "tools/simulate/record_csv.h"
#include "tools/simulate/report.h"

namespace whittle::cli {
namespace {

using simulate::Contender;
using simulate::Fleet;
using simulate::Readings;
using simulate::Record;

constexpr std::size_t kShown = 3;  // of the rows that are left out

// One column at most has no name, such as the row numbers that some programs write.
void name_unnamed(std::vector<std::string>* names) {
  const auto unnamed = std::find(names->begin(), names->end(), "");
  if (unnamed == names->end()) return;
  std::string name = "unnamed";
  while (std::find(names->begin(), names->end(), name) != names->end()) name += '_';
  *unnamed = name;
}

// Rows that the core would refuse are left out: a sensor does not read them.
Readings readings_of(const Dataset& data, const DatasetOptions& options, const Console& console) {
  Readings readings;
  readings.name = std::filesystem::path(data.file).filename().string();
  readings.features = data.names;
  name_unnamed(&readings.features);
  readings.classes = data.classes;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < data.samples(); ++i) {
    if (!data.is_usable(i)) {
      if (left_out++ < kShown) warn(console, data.not_taken(i, "row left out", "no value"));
      continue;
    }
    const Span<const Real> values = data.values_of(i);
    readings.values.insert(readings.values.end(), values.begin(), values.end());
    const Dataset::Row& row = data.rows[i];
    readings.truth.push_back(row.kind == SampleKind::labelled ? row.label : simulate::kNoClass);
  }
  if (left_out > kShown) warn(console, counted(left_out, "row") + " left out in all");
  warn_of_labels(data, options, console);
  if (data.count(SampleKind::labelled) == 0) {
    warn(console, "no row has a label: there is no accuracy to tell");
  }
  return readings;
}

// Of the contender whose nodes need the most; the fleets run one after the other.
MemoryNeed memory_need(const Readings& readings, const Fleet& fleet,
                       const std::vector<Contender>& contenders) {
  MemoryNeed need;
  for (const Contender& contender : contenders) {
    const RankerConfig config = simulate::node_config(readings, fleet, contender);
    const std::size_t bytes = FeatureRanker::required_bytes(config);
    const std::size_t all = ByteCount{}.elements(fleet.nodes, bytes).total();
    if (all <= need.bytes) continue;
    need.who = "a simulation of " + counted(fleet.nodes, "node") + " of " + std::to_string(bytes) +
               " bytes each";
    need.bytes = all;
    need.advice = memory_advice(config, "--", " N");
  }
  need.file_bytes = readings.values.size() * sizeof(Real);
  if (fleet.nodes > 1) need.advice += "; fewer --nodes need less";
  return need;
}

void warn_of_unused(const SimulatePlan& plan, const Console& console) {
  for (const std::string& selector : plan.unused) {
    warn(console, "--selector " + in_quotes(selector) +
                      ": no run is its, since policies all and random need no selector; add one "
                      "that does, such as --policy top");
  }
}

void warn_of_troubles(const Record& record, const Console& console) {
  for (const simulate::Trouble& trouble : troubles(record)) {
    for (const std::string& note : trouble.notes) warn(console, note);
    warn(console, trouble.advice);
  }
}

// The page and the folder of numbers that both commands write.
class Results {
 public:
  // Throws before the work begins if they cannot be written, or are files that are read.
  Results(const std::vector<NamedFile>& inputs, const NamedFile& page, const std::string& folder) {
    std::vector<NamedFile> outputs = {page, {"--csv", folder}};
    const std::vector<std::string> names = simulate::csv_names();
    for (const std::string& name : names) {
      if (folder.empty()) break;
      outputs.push_back({"--csv", path_in(folder, name)});
    }
    check_different_files(inputs, outputs);
    if (!page.path.empty() && page.path != "-") page_.emplace(page.path);
    if (folder.empty()) return;
    folder_.emplace(folder, names);
  }

  void write(const Record& record) const {
    if (page_) page_->write(report_page(record));
    if (!folder_) return;
    folder_->make();
    for (const simulate::CsvFile& file : csv_files(record)) {
      folder_->write(file.name, file.text);
    }
  }

 private:
  std::optional<OutputFile> page_;
  std::optional<OutputFolder> folder_;
};

void print_result(Format format, const Record& record, std::ostream& out) {
  switch (format) {
    case Format::table:
      out << summary_table(record);
      break;
    case Format::json:
      print_record(record, out);
      break;
    case Format::csv:
      out << summary_csv(record);
      break;
  }
}

}  // namespace

void simulate_command(const SimulateOptions& options, const Console& console) {
  SimulatePlan plan = plan_simulation(options);
  check_inputs({{"FILE.csv", options.file}, {"--costs", options.costs}});
  const Results results({{"FILE.csv", options.file}, {"--costs", options.costs}},
                        {"--report", options.report}, options.csv);
  const Readings readings = readings_of(
      load_dataset(options.file, options.dataset, "rows read", console), options.dataset, console);
  check_sizes(options, plan.fleet, readings);
  if (!options.costs.empty()) {
    plan.fleet.costs = read_costs_file(options.costs, console.in, readings.features);
  }
  check_budgets(plan, readings.features.size());
  const MemoryNeed need = memory_need(readings, plan.fleet, plan.contenders);
  check_memory(need);
  Record record;
  try {
    Progress progress(console, "samples of every run", readings.rows() * plan.contenders.size());
    record = simulate::simulate(readings, plan.fleet, plan.contenders,
                                [&](std::size_t done, std::size_t) { progress.update(done); });
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  } catch (const std::bad_alloc&) {
    refuse_memory(need);
  }
  warn_of_troubles(record, console);
  warn_of_unused(plan, console);
  describe_settings(options, plan.fleet, &record);
  print_result(options.format, record, console.out);
  results.write(record);
}

void report_command(const ReportOptions& options, const Console& console) {
  const Results results({{"RUN.json", options.file}}, {"--output", options.out}, options.csv);
  Input input(options.file, console.in);
  const Record record = read_record(input.stream(), input.name());
  if (options.out == "-") console.out << report_page(record);
  results.write(record);
}

}  // namespace whittle::cli
