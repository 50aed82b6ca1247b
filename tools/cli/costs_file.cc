#include "tools/cli/costs_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "tools/cli/csv_reader.h"
#include "tools/cli/error.h"
#include "tools/cli/files.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using simulate::FeatureCosts;

enum Column : std::size_t { kFeature, kCost, kGroup, kGroupCost, kEnergy, kColumns };
constexpr const char* kNames[kColumns] = {"feature", "cost", "group", "group_cost", "energy"};
constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class CostsReader {
 public:
  CostsReader(std::istream& in, const std::string& name, const std::vector<std::string>& features)
      : csv_(in, name), features_(features), line_of_(features.size(), 0) {
    costs_.cost.assign(features.size(), 1);
    costs_.group.assign(features.size(), kOwnUnit);
    costs_.energy.assign(features.size(), kNone);
  }

  FeatureCosts read() {
    CsvRecord record;
    if (!csv_.next(record)) {
      throw Error(csv_.where(1, 1) +
                  ": the file is empty; it needs a header row, feature,cost for one, then a row "
                  "for each feature");
    }
    take_header(record);
    while (csv_.next(record)) take_row(record);
    for (const auto& [cost, line] : group_costs_) costs_.group_cost.push_back(cost);
    return std::move(costs_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, std::size_t field, const std::string& text) const {
    throw Error(csv_.where(line, field + 1) + ": " + text);
  }

  void take_header(const CsvRecord& record) {
    fields_ = record.fields.size();
    std::fill(std::begin(at_), std::end(at_), kAbsent);
    for (std::size_t i = 0; i < fields_; ++i) {
      const std::string& name = record.fields[i].text;
      const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
      if (found == std::end(kNames)) {
        fail(record.line(), i,
             "column " + in_quotes(name) + ": there are " +
                 listed({std::begin(kNames), std::end(kNames)}, kColumns));
      }
      std::size_t& at = at_[found - std::begin(kNames)];
      if (at != kAbsent) fail(record.line(), i, "a second column is called " + in_quotes(name));
      at = i;
    }
    if (at_[kFeature] == kAbsent) {
      fail(record.line(), 0, "no column is called 'feature'; it says which one a row is about");
    }
    if (at_[kGroupCost] != kAbsent && at_[kGroup] == kAbsent) {
      fail(record.line(), at_[kGroupCost],
           "a 'group_cost' needs a column 'group' that says whose it is");
    }
  }

  void take_row(const CsvRecord& record) {
    if (record.fields.size() != fields_) {
      fail(record.line(), std::min(record.fields.size(), fields_),
           "this row has " + counted(record.fields.size(), "field") + ", the header has " +
               std::to_string(fields_));
    }
    const std::size_t feature = take_feature(record);
    if (const auto cost = number(record, kCost)) costs_.cost[feature] = *cost;
    if (const auto energy = number(record, kEnergy)) costs_.energy[feature] = *energy;
    take_group(record, feature);
  }

  std::size_t take_feature(const CsvRecord& record) {
    const CsvField& field = record.fields[at_[kFeature]];
    const auto found = std::find(features_.begin(), features_.end(), field.text);
    if (found == features_.end()) {
      fail(
          field.line, at_[kFeature],
          "no feature is called " + in_quotes(field.text) + "; there are " + listed(features_, 10));
    }
    const auto feature = static_cast<std::size_t>(found - features_.begin());
    if (line_of_[feature] > 0) {
      fail(field.line, at_[kFeature],
           "feature " + in_quotes(field.text) + " has a row already, on line " +
               std::to_string(line_of_[feature]) + "; leave one");
    }
    line_of_[feature] = field.line;
    return feature;
  }

  // Nothing: no such column, or an empty cell.
  std::optional<double> number(const CsvRecord& record, Column column) const {
    if (at_[column] == kAbsent || record.fields[at_[column]].text.empty()) return std::nullopt;
    const CsvField& field = record.fields[at_[column]];
    double value = 0;
    const std::string wrong = read_number<float>(  // it is sent as a float
        field.text, 0,
        in_quotes(field.text) + " is not a number from 0 on; leave the cell empty for the default",
        &value);
    if (!wrong.empty()) fail(field.line, at_[column], std::string(kNames[column]) + " " + wrong);
    return value;
  }

  void take_group(const CsvRecord& record, std::size_t feature) {
    const std::optional<double> cost = number(record, kGroupCost);
    if (at_[kGroup] == kAbsent || record.fields[at_[kGroup]].text.empty()) {
      if (!cost) return;
      fail(record.fields[at_[kGroupCost]].line, at_[kGroupCost],
           "a group_cost, and the cell 'group' is empty; say whose it is");
    }
    const std::string& name = record.fields[at_[kGroup]].text;
    auto& groups = costs_.groups;
    const auto found = std::find(groups.begin(), groups.end(), name);
    const auto group = static_cast<std::size_t>(found - groups.begin());
    if (found == groups.end()) {
      groups.push_back(name);
      group_costs_.emplace_back(0, 0);
    }
    costs_.group[feature] = static_cast<std::uint32_t>(group);
    if (cost) set_group_cost(record.fields[at_[kGroupCost]], group, *cost);
  }

  void set_group_cost(const CsvField& field, std::size_t group, double cost) {
    auto& [known, line] = group_costs_[group];
    if (line > 0 && known != cost) {
      fail(field.line, at_[kGroupCost],
           "group " + in_quotes(costs_.groups[group]) + " has another group_cost on line " +
               std::to_string(line) + "; it is paid once, so say it once or the same each time");
    }
    if (line == 0) line = field.line;
    known = cost;
  }

  CsvReader csv_;
  const std::vector<std::string>& features_;
  std::size_t fields_ = 0;
  std::size_t at_[kColumns];                                 // fields, by column
  std::vector<std::size_t> line_of_;                         // by feature; 0: none yet
  std::vector<std::pair<double, std::size_t>> group_costs_;  // and the line that says it, or 0
  FeatureCosts costs_;
};

}  // namespace

FeatureCosts read_costs(std::istream& in, const std::string& name,
                        const std::vector<std::string>& features) {
  return CostsReader(in, name, features).read();
}

FeatureCosts read_costs_file(const std::string& path, std::istream& in,
                             const std::vector<std::string>& features) {
  Input input(path, in);
  return read_costs(input.stream(), input.name(), features);
}

}  // namespace whittle::cli
