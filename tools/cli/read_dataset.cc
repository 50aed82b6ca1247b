// CSV records -> Dataset.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/cli/column_precision.h"
#include "tools/cli/csv_reader.h"
#include "tools/cli/dataset.h"
#include "tools/cli/error.h"
#include "tools/cli/files.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"
#include "whittle/memory/memory_config.h"

namespace whittle::cli {
namespace {

constexpr std::string_view kDefaultLabel = "label";
constexpr std::size_t kShown = 3;  // of the labels that are one number with another

// What stands for nothing in a cell, of a feature or of the label.
bool is_missing_text(const std::string& text) {
  if (text.empty()) return true;
  const std::optional<double> value = parse_number(text);
  return value && std::isnan(*value);
}

// What others write where nothing is known: no number, but perhaps a class.
bool may_mean_missing(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  constexpr std::string_view kWords[] = {"?", "na", "n/a", "#n/a", "<na>", "null"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

class DatasetReader {
 public:
  DatasetReader(std::istream& in, const std::string& name, const DatasetOptions& options,
                Progress* progress)
      : csv_(in, name), options_(options), progress_(progress) {
    data_.file = name;
  }

  Dataset read() {
    CsvRecord record;
    if (!csv_.next(record)) {
      throw Error(csv_.name() +
                  ":1:1: the file is empty; it needs a header row with the columns' "
                  "names, then a row for each sample");
    }
    take_header(record);
    while (csv_.next(record)) {
      take_row(record);
      if (progress_ != nullptr) progress_->update(data_.rows.size());
    }
    if (data_.rows.empty()) {
      throw Error(csv_.where(header_line_ + 1, 1) +
                  ": there is only a header; rows of samples "
                  "must follow it");
    }
    count_equal_numbers();
    warn_of_coarse_columns();
    warn_of_vanished_values();
    return std::move(data_);
  }

 private:
  void take_header(const CsvRecord& record) {
    header_line_ = record.line();
    for (const CsvField& field : record.fields) data_.names.push_back(field.text);
    find_label();
    if (!label_field_) refuse_numbers_for_names();
    refuse_equal_names(record);
    data_.fields.resize(data_.names.size());
    std::iota(data_.fields.begin(), data_.fields.end(), std::size_t{0});
    if (label_field_) {
      const auto label = static_cast<std::ptrdiff_t>(*label_field_);
      data_.names.erase(data_.names.begin() + label);
      data_.fields.erase(data_.fields.begin() + label);
    }
    if (data_.names.empty()) {
      throw Error(csv_.where(header_line_, 1) +
                  ": there is no column beside the labels; nothing "
                  "to rank");
    }
    numbers_.resize(data_.names.size());
  }

  void warn_of_coarse_columns() {
    for (std::size_t i = 0; i < data_.features(); ++i) {
      const std::optional<ColumnPrecision::Coarse> coarse = precision_.coarse(i);
      if (!coarse || precision_.vanished(i)) continue;
      std::string apart;
      for (const double value : coarse->apart) {
        apart += (apart.empty() ? "" : " or ") + format_real(to_real(value));
      }
      data_.warnings.push_back(
          csv_.name() + ": column " + in_quotes(data_.names[i]) +
          ": values so large beside their differences are rounded to multiples of " +
          format_real(to_real(coarse->step)) + "; subtract the column's least value before" +
          (apart.empty() ? "" : ", and leave cells empty if their " + apart + " means missing"));
    }
  }

  void warn_of_vanished_values() {
    for (std::size_t i = 0; i < data_.features(); ++i) {
      const std::optional<ColumnPrecision::Vanished> vanished = precision_.vanished(i);
      if (!vanished) continue;
      data_.warnings.push_back(
          csv_.name() + ":" + std::to_string(vanished->line) + ":" +
          std::to_string(data_.fields[i] + 1) + ": column " + in_quotes(data_.names[i]) + ": " +
          counted(vanished->cells, "value") + " too small for " + precision_name() +
          " precision, so 0; write the column in other units");
    }
  }

  void find_label() {
    const std::string label = options_.label.value_or(std::string(kDefaultLabel));
    const auto found = std::find(data_.names.begin(), data_.names.end(), label);
    if (found == data_.names.end()) {
      if (!options_.label) return;
      std::vector<std::string> columns;
      for (const std::string& name : data_.names) columns.push_back(in_quotes(name));
      const std::string fault = csv_.separator().fault_in(data_.names[0]);
      throw UsageError(csv_.name() + ":" + std::to_string(header_line_) + ": no column is called " +
                       in_quotes(label) + " (--label); the header has " + listed(columns, 10) +
                       (fault.empty() ? "" : "; " + fault));
    }
    label_field_ = static_cast<std::size_t>(found - data_.names.begin());
  }

  // The label, costs and rows to be classified are found by the columns' names.
  void refuse_equal_names(const CsvRecord& header) const {
    std::unordered_map<std::string_view, std::size_t> columns;
    for (std::size_t i = 0; i < header.fields.size(); ++i) {
      const auto [entry, is_new] = columns.emplace(header.fields[i].text, i);
      if (is_new) continue;
      throw Error(csv_.where(header.fields[i].line, i + 1) + ": columns " +
                  std::to_string(entry->second + 1) + " and " + std::to_string(i + 1) +
                  " are both called " + in_quotes(header.fields[i].text) +
                  "; rename one, since columns are told by their names");
    }
  }

  // A row of numbers where names belong is the first sample of a file without a header, unless it
  // counts the columns.
  void refuse_numbers_for_names() const {
    bool counts = true;
    for (std::size_t i = 0; i < data_.names.size(); ++i) {
      const std::optional<double> number = parse_number(data_.names[i]);
      if (!number) return;
      const auto from_0 = static_cast<double>(i);
      counts = counts && (*number == from_0 || *number == from_0 + 1);
    }
    if (!counts) {
      throw Error(csv_.where(header_line_, 1) +
                  ": the first row has only numbers; a header row "
                  "with the columns' names must come first");
    }
  }

  void take_row(const CsvRecord& record) {
    const std::size_t columns = data_.names.size() + (label_field_ ? 1 : 0);
    if (record.fields.size() != columns) {
      for (const CsvField& field : record.fields) refuse_separator(field);
      const std::size_t column = std::min(record.fields.size(), columns) + 1;
      throw Error(csv_.where(record.line(), column) + ": this row has " +
                  counted(record.fields.size(), "field") + ", the header (line " +
                  std::to_string(header_line_) + ") has " + std::to_string(columns));
    }
    Dataset::Row row;
    row.line = record.line();
    if (label_field_) take_label(record.fields[*label_field_], *label_field_, &row);
    for (std::size_t feature = 0; feature < data_.features(); ++feature) {
      numbers_[feature] = number(record.fields[data_.fields[feature]], feature);
      data_.values.push_back(to_real(numbers_[feature]));
    }
    precision_.add(numbers_);
    data_.rows.push_back(row);
  }

  void take_label(const CsvField& field, std::size_t column, Dataset::Row* row) {
    if (field.text == options_.universum && !field.text.empty()) {
      row->kind = SampleKind::universum;
      return;
    }
    if (is_missing_text(field.text)) return;
    const auto next = static_cast<std::uint32_t>(data_.classes.size());
    const auto [entry, is_new] = class_numbers_.emplace(field.text, next);
    if (is_new) add_class(field, column);
    if (data_.classes.size() > kMaxClasses) {
      throw Error(csv_.where(field.line, column + 1) + ": more than " +
                  std::to_string(kMaxClasses) +
                  " different labels; is this the column of the "
                  "classes? --label names another");
    }
    row->kind = SampleKind::labelled;
    row->label = entry->second;
  }

  void add_class(const CsvField& field, std::size_t column) {
    data_.classes.push_back(field.text);
    warn_of_equal_number(field, column);
    if (!may_mean_missing(field.text)) return;
    data_.warnings.push_back(csv_.where(field.line, column + 1) + ": label " +
                             in_quotes(field.text) +
                             " is taken for a class; leave the cell empty if the label is missing");
  }

  void warn_of_equal_number(const CsvField& field, std::size_t column) {
    const std::optional<double> value = parse_number(field.text);
    if (!value) return;
    const auto [first, is_new] = numeric_classes_.emplace(*value, field);
    if (is_new || equal_numbers_++ >= kShown) return;
    data_.warnings.push_back(csv_.where(field.line, column + 1) + ": label " +
                             in_quotes(field.text) + " is another class than " +
                             in_quotes(first->second.text) + " (line " +
                             std::to_string(first->second.line) +
                             "), though they are one number; write them alike if they are one "
                             "class");
  }

  void count_equal_numbers() {
    if (equal_numbers_ <= kShown) return;
    data_.warnings.push_back(csv_.name() + ": " + counted(equal_numbers_, "label") +
                             " in all that are one number with another");
  }

  void refuse_separator(const CsvField& field) const {
    const std::string fault = csv_.separator().fault_in(field.text);
    if (!fault.empty()) throw Error(csv_.where(field.line, 1) + ": " + fault);
  }

  double number(const CsvField& field, std::size_t feature) {
    if (is_missing_text(field.text)) return std::numeric_limits<double>::quiet_NaN();
    const std::optional<double> value = parse_number(field.text);
    if (!value) {
      refuse_separator(field);
      throw Error(csv_.where(field.line, data_.fields[feature] + 1) + ": column " +
                  in_quotes(data_.names[feature]) + ": " + in_quotes(field.text) +
                  " is not a number; leave the cell empty if the value is missing" +
                  (label_field_ ? "" : ", or give --label if this column holds the classes"));
    }
    if (std::isinf(to_real(*value)) && !is_written_infinite(field.text)) {
      data_.too_large.emplace(std::make_pair(data_.samples(), feature), field.text);
    }
    if (to_real(*value) == 0 && !is_written_zero(field.text)) {
      precision_.vanishes(feature, field.line);
    }
    return *value;
  }

  CsvReader csv_;
  const DatasetOptions& options_;
  Progress* progress_;
  Dataset data_;
  std::vector<double> numbers_;  // of the features in the row being read
  ColumnPrecision precision_;
  std::size_t header_line_ = 1;
  std::optional<std::size_t> label_field_;  // position of the label column
  std::unordered_map<std::string, std::uint32_t> class_numbers_;
  std::unordered_map<double, CsvField> numeric_classes_;  // where each was first written
  std::size_t equal_numbers_ = 0;                         // classes that were there otherwise
};

}  // namespace

Dataset read_dataset(std::istream& in, const std::string& name, const DatasetOptions& options,
                     Progress* progress) {
  return DatasetReader(in, name, options, progress).read();
}

Dataset load_dataset(const std::string& path, const DatasetOptions& options, const char* what,
                     const Console& console) {
  Dataset data;
  {
    Progress progress(console, what);
    data = read_dataset_file(path, console.in, options, &progress);
  }
  for (const std::string& text : data.warnings) warn(console, text);
  return data;
}

Dataset read_dataset_file(const std::string& path, std::istream& in, const DatasetOptions& options,
                          Progress* progress) {
  Input input(path, in);
  return read_dataset(input.stream(), input.name(), options, progress);
}

}  // namespace whittle::cli
