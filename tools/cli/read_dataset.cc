// CSV records -> Dataset.
#include <algorithm>
#include <unordered_map>
#include <utility>

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
    return std::move(data_);
  }

 private:
  void take_header(const CsvRecord& record) {
    header_line_ = record.line();
    for (const CsvField& field : record.fields) data_.names.push_back(field.text);
    find_label();
    if (!data_.label_field) refuse_numbers_for_names();
    if (data_.label_field) {
      data_.names.erase(data_.names.begin() + static_cast<std::ptrdiff_t>(*data_.label_field));
    }
    if (data_.names.empty()) {
      throw Error(csv_.where(header_line_, 1) +
                  ": there is no column beside the labels; nothing "
                  "to rank");
    }
  }

  void find_label() {
    const std::string label = options_.label.value_or(std::string(kDefaultLabel));
    const auto found = std::find(data_.names.begin(), data_.names.end(), label);
    if (found == data_.names.end()) {
      if (!options_.label) return;
      std::vector<std::string> columns;
      for (const std::string& name : data_.names) columns.push_back(in_quotes(name));
      throw Error(csv_.name() + ":" + std::to_string(header_line_) + ": no column is called " +
                  in_quotes(label) + " (--label); the header has " + listed(columns, 10));
    }
    if (const auto again = std::find(found + 1, data_.names.end(), label);
        again != data_.names.end()) {
      throw Error(csv_.where(header_line_, index_of(again) + 1) + ": a second column is called " +
                  in_quotes(label) + "; the label column's name must be the only one");
    }
    data_.label_field = index_of(found);
  }

  std::size_t index_of(std::vector<std::string>::const_iterator name) const {
    return static_cast<std::size_t>(name - data_.names.cbegin());
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
    const std::size_t columns = data_.names.size() + (data_.label_field ? 1 : 0);
    if (record.fields.size() != columns) {
      const std::size_t column = std::min(record.fields.size(), columns) + 1;
      throw Error(csv_.where(record.line(), column) + ": this row has " +
                  counted(record.fields.size(), "field") + ", the header (line " +
                  std::to_string(header_line_) + ") has " + std::to_string(columns));
    }
    Dataset::Row row;
    row.line = record.line();
    for (std::size_t i = 0; i < columns; ++i) {
      if (data_.label_field == i) {
        take_label(record.fields[i], i, &row);
      } else {
        data_.values.push_back(number(record.fields[i], i));
      }
    }
    data_.rows.push_back(row);
  }

  void take_label(const CsvField& field, std::size_t column, Dataset::Row* row) {
    if (field.text.empty()) return;
    if (field.text == options_.universum) {
      row->kind = SampleKind::universum;
      return;
    }
    const auto next = static_cast<std::uint32_t>(data_.classes.size());
    const auto [entry, is_new] = class_numbers_.emplace(field.text, next);
    if (is_new) data_.classes.push_back(field.text);
    if (data_.classes.size() > kMaxClasses) {
      throw Error(csv_.where(field.line, column + 1) + ": more than " +
                  std::to_string(kMaxClasses) +
                  " different labels; is this the column of the "
                  "classes? --label names another");
    }
    row->kind = SampleKind::labelled;
    row->label = entry->second;
  }

  Real number(const CsvField& field, std::size_t column) const {
    if (field.text.empty()) return kNoScore;
    if (const std::optional<double> value = parse_number(field.text)) return to_real(*value);
    const std::size_t feature =
        data_.label_field && *data_.label_field < column ? column - 1 : column;
    throw Error(csv_.where(field.line, column + 1) + ": column " + in_quotes(data_.names[feature]) +
                ": " + in_quotes(field.text) +
                " is not a number; leave the cell empty if the value is missing" +
                (data_.label_field ? "" : ", or give --label if this column holds the classes"));
  }

  CsvReader csv_;
  const DatasetOptions& options_;
  Progress* progress_;
  Dataset data_;
  std::size_t header_line_ = 1;
  std::unordered_map<std::string, std::uint32_t> class_numbers_;
};

}  // namespace

Dataset read_dataset(std::istream& in, const std::string& name, const DatasetOptions& options,
                     Progress* progress) {
  return DatasetReader(in, name, options, progress).read();
}

Dataset read_dataset_file(const std::string& path, std::istream& in, const DatasetOptions& options,
                          Progress* progress) {
  Input input(path, in);
  return read_dataset(input.stream(), input.name(), options, progress);
}

}  // namespace whittle::cli
