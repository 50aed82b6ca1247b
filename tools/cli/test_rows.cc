#include "tools/cli/test_rows.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "tools/cli/error.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr std::size_t kNoColumn = ~std::size_t{0};

// By feature: the column with its name.
std::vector<std::size_t> columns_of(const Dataset& learned, const Dataset& data) {
  std::unordered_map<std::string, std::size_t> column_of;
  for (std::size_t i = 0; i < data.features(); ++i) column_of.emplace(data.names[i], i);
  std::vector<std::size_t> columns;
  for (const std::string& name : learned.names) {
    const auto found = column_of.find(name);
    columns.push_back(found != column_of.end() ? found->second : kNoColumn);
  }
  return columns;
}

void warn_of_idle_columns(const Dataset& data, const std::vector<std::size_t>& columns,
                          const Console& console) {
  std::vector<std::string> idle;
  for (std::size_t column = 0; column < data.features(); ++column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      idle.push_back(in_quotes(data.names[column]));
    }
  }
  if (idle.empty()) return;
  warn(console, data.file + ": ignored, since no such feature was learned: " + listed(idle, 5));
}

// `data` with the features of `learned`, in their order.
Dataset with_features_of(const Dataset& learned, Dataset data,
                         const std::vector<std::size_t>& columns) {
  std::vector<Real> values;
  for (std::size_t i = 0; i < data.samples(); ++i) {
    for (const std::size_t column : columns) {
      values.push_back(column == kNoColumn ? kNoScore : data.values_of(i)[column]);
    }
  }
  std::vector<std::size_t> fields;
  fields.reserve(columns.size());
  for (const std::size_t column : columns) {
    fields.push_back(column == kNoColumn ? kNoColumn : data.fields[column]);
  }
  decltype(data.too_large) too_large;
  for (auto& [cell, text] : data.too_large) {
    const auto found = std::find(columns.begin(), columns.end(), cell.second);
    if (found == columns.end()) continue;
    const auto feature = static_cast<std::size_t>(found - columns.begin());
    too_large.emplace(std::make_pair(cell.first, feature), std::move(text));
  }
  data.names = learned.names;
  data.fields = std::move(fields);
  data.values = std::move(values);
  data.too_large = std::move(too_large);
  return data;
}

std::vector<TestRows::Row> labels_of(const Dataset& learned, const Dataset& data,
                                     const Console& console) {
  std::vector<std::string> unknown;
  std::vector<TestRows::Row> classes;
  for (const std::string& name : data.classes) {
    const auto found = std::find(learned.classes.begin(), learned.classes.end(), name);
    const auto number = static_cast<std::uint32_t>(found - learned.classes.begin());
    const bool is_known = found != learned.classes.end();
    classes.push_back({is_known ? TestRows::Label::known : TestRows::Label::unknown, number});
    if (!is_known) unknown.push_back(in_quotes(name));
  }
  if (!unknown.empty()) {
    warn(console, data.file + ": no such class was learned, so its rows count as wrong: " +
                      listed(unknown, 5));
  }
  std::vector<TestRows::Row> rows;
  for (const Dataset::Row& row : data.rows) {
    rows.push_back(row.kind == SampleKind::labelled ? classes[row.label] : TestRows::Row{});
  }
  return rows;
}

}  // namespace

TestRows read_test_rows(const std::string& path, const Dataset& learned,
                        const DatasetOptions& options, const Console& console) {
  Dataset data = load_dataset(path, options, "rows to classify read", console);
  const std::vector<std::size_t> columns = columns_of(learned, data);
  warn_of_idle_columns(data, columns, console);
  TestRows test;
  for (const std::size_t column : columns) test.present.push_back(column != kNoColumn);
  if (std::find(test.present.begin(), test.present.end(), true) == test.present.end()) {
    throw Error(data.file + ": no column is called as a feature of " + learned.file);
  }
  test.rows = labels_of(learned, data, console);
  test.data = with_features_of(learned, std::move(data), columns);
  return test;
}

}  // namespace whittle::cli
