#include "tools/cli/simulate_command.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>
#include <optional>
#include <ostream>
#include <set>
#include <stdexcept>

#include "tools/cli/costs_file.h"
#include "tools/cli/error.h"
#include "tools/cli/files.h"
#include "tools/cli/memory_need.h"
#include "tools/cli/number.h"
#include "tools/cli/outputs.h"
#include "tools/cli/policies.h"
#include "tools/cli/record_json.h"
#include "tools/cli/selectors.h"
#include "tools/cli/text.h"
#include "tools/cli/warnings.h"
#include "tools/simulate/fleet_run.h"
#include "tools/simulate/notes.h"
#include "tools/simulate/record_csv.h"
#include "tools/simulate/report.h"

namespace whittle::cli {
namespace {

using simulate::Contender;
using simulate::DriftKind;
using simulate::EnergyModel;
using simulate::Fleet;
using simulate::Policy;
using simulate::PolicyKind;
using simulate::Readings;
using simulate::Record;

constexpr std::size_t kShown = 3;  // of the rows that are left out

// Rows that the core would refuse are left out: a sensor does not read them.
Readings readings_of(const Dataset& data, const Console& console) {
  Readings readings;
  readings.name = std::filesystem::path(data.file).filename().string();
  readings.features = data.names;
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
  warn_of_classes(data, console);
  if (data.count(SampleKind::labelled) == 0) {
    warn(console, "no row has a label: there is no accuracy to tell");
  }
  return readings;
}

simulate::Drift parse_drift(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t at = text.find('@');
  const std::string name = text.substr(0, at);
  const std::uint64_t sample =
      at == std::string::npos ? 0 : parse_whole(text.substr(at + 1), ~0U).value_or(0);
  DriftKind kind = DriftKind::none;
  if (name == "permute") kind = DriftKind::permute;
  if (name == "rescale") kind = DriftKind::rescale;
  if (name == "shift") kind = DriftKind::shift;
  if (kind == DriftKind::none || sample == 0) {
    throw UsageError("--drift " + in_quotes(text) +
                     ": give permute, rescale or shift, @ and a sample from 1 on");
  }
  return {kind, static_cast<std::size_t>(sample)};
}

void set_energy(const std::string& part, EnergyModel* model, std::set<std::string>* given) {
  const std::size_t sign = part.find('=');
  const std::string name = part.substr(0, sign);
  const auto number =
      sign == std::string::npos ? std::nullopt : parse_number(part.substr(sign + 1));
  if (!number || !(*number >= 0) || !std::isfinite(*number)) {
    throw UsageError("--energy " + in_quotes(part) + ": give NAME=MICROJOULES, 0 or more");
  }
  if (name == "sample")
    model->sample = *number;
  else if (name == "feature")
    model->feature = *number;
  else if (name == "byte")
    model->byte_up = model->byte_down = *number;
  else
    throw UsageError("--energy " + in_quotes(name) + ": there are sample, feature, byte");
  if (!given->insert(name).second) throw UsageError("--energy " + name + ": given twice");
}

EnergyModel parse_energy(const std::string& text) {
  if (const auto model = simulate::find_energy_model(text)) return *model;
  if (text.find('=') == std::string::npos) {
    std::vector<std::string> names;
    for (const EnergyModel& model : simulate::energy_models()) names.push_back(model.name);
    throw UsageError("--energy " + in_quotes(text) + ": there are " + listed(names, names.size()) +
                     " and sample=..,feature=..,byte=..");
  }
  EnergyModel model;
  model.name = "given";
  model.source = "the command line";
  std::set<std::string> given;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    set_energy(text.substr(from, comma - from), &model, &given);
    from = comma + 1;
  }
  return model;
}

std::vector<Contender> contenders_of(const SimulateOptions& options) {
  const std::vector<Policy> policies =
      parse_policies(options.policies, options.keep, options.pruning);
  std::vector<Contender> contenders;
  std::set<std::string> given;
  for (const std::string& selector : options.selectors) {
    const SelectorType& type = find_selector(selector);
    if (!given.insert(type.id).second) {
      throw UsageError("--selector " + in_quotes(selector) + ": given twice");
    }
    for (const Policy& policy : policies) {
      const bool alike = policy.kind == PolicyKind::all || policy.kind == PolicyKind::random;
      if (alike && given.size() > 1) continue;  // does not depend on the selector
      contenders.push_back({&type, policy});
    }
  }
  return contenders;
}

// What the file shows to be wrong with the command line.
void check_sizes(const SimulateOptions& options, const Fleet& fleet, const Readings& readings) {
  if (options.keep > readings.features.size()) {
    throw UsageError("--keep " + std::to_string(options.keep) + ": the file has " +
                     counted(readings.features.size(), "feature"));
  }
  if (fleet.nodes > readings.rows()) {
    throw UsageError("--nodes " + std::to_string(fleet.nodes) + ": the file has " +
                     counted(readings.rows(), "row") + " to deal to them");
  }
  const std::size_t samples = readings.rows() / fleet.nodes;
  if (fleet.drift.at >= samples && fleet.drift.at > 0) {
    throw UsageError("--drift " + in_quotes(options.drift) + ": each node has " +
                     counted(samples, "sample") + ", so the drift never comes");
  }
}

void check_budgets(const std::vector<Contender>& contenders, const simulate::FeatureCosts& costs,
                   std::size_t features) {
  const double least = simulate::cheapest_unit(costs, features);
  for (const Contender& contender : contenders) {
    const PruningConfig& pruning = contender.policy.pruning;
    if (pruning.rule != PruningRule::budget || static_cast<double>(pruning.budget) >= least) {
      continue;
    }
    throw UsageError("--policy " + in_quotes(contender.policy.name) +
                     ": the cheapest that can be sensed costs " + format_real(to_real(least)) +
                     "; give a budget of that or more");
  }
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

std::string joined(const std::vector<std::string>& texts) {
  return texts.empty() ? "as they come" : listed(texts, texts.size());
}

void describe(const SimulateOptions& options, const Fleet& fleet, Record* record) {
  const auto add = [&](const char* name, const std::string& value) {
    record->settings.emplace_back(name, value);
  };
  const auto number = [](double value) { return format_real(to_real(value)); };
  add("file", record->data);
  add("selectors", joined(options.selectors));
  add("policies", joined(options.policies));
  add("pruner", joined(options.pruning));
  add("features kept", options.keep == 0 ? "half" : std::to_string(options.keep));
  if (!options.costs.empty()) {
    add("costs", std::filesystem::path(options.costs).filename().string() + ", " +
                     counted(fleet.costs.groups.size(), "group"));
  }
  add("frames lost", number(100 * fleet.loss) + " %");
  add("labels", number(100 * fleet.label_rate) + " % of the samples, " +
                    std::to_string(fleet.label_delay) + " samples late");
  add("drift", options.drift.empty() ? "none" : options.drift);
  add("held by a node", std::to_string(fleet.labelled) + " labelled samples, a window of " +
                            std::to_string(fleet.window) + ", " +
                            counted(fleet.codebook, "prototype"));
  add("scale", fleet.learn == 0 ? "none" : "learned from " + counted(fleet.learn, "sample"));
  add("half-life", fleet.half_life > 0 ? number(fleet.half_life) + " samples" : "none");
  add("seed", std::to_string(fleet.seed));
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
  Fleet fleet = options.fleet;
  fleet.drift = parse_drift(options.drift);
  fleet.energy = parse_energy(options.energy);
  const std::vector<Contender> contenders = contenders_of(options);
  check_inputs({{"FILE.csv", options.file}, {"--costs", options.costs}});
  const Results results({{"FILE.csv", options.file}, {"--costs", options.costs}},
                        {"--report", options.report}, options.csv);
  const Readings readings =
      readings_of(load_dataset(options.file, options.dataset, "rows read", console), console);
  check_sizes(options, fleet, readings);
  if (!options.costs.empty()) {
    fleet.costs = read_costs_file(options.costs, console.in, readings.features);
  }
  check_budgets(contenders, fleet.costs, readings.features.size());
  const MemoryNeed need = memory_need(readings, fleet, contenders);
  check_memory(need);
  Record record;
  try {
    Progress progress(console, "samples of every run", readings.rows() * contenders.size());
    record = simulate::simulate(readings, fleet, contenders,
                                [&](std::size_t done, std::size_t) { progress.update(done); });
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  } catch (const std::bad_alloc&) {
    refuse_memory(need);
  }
  warn_of_troubles(record, console);
  describe(options, fleet, &record);
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
