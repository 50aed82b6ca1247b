// Dataset: the samples of a CSV file, as the core takes them.
//
// A header row names the columns, each differently. The label column holds a sample's class,
// nothing (unlabelled) or the universum value; classes are numbered in order of first appearance.
// All other columns are features. Nothing is an empty cell or `nan` in any case, for labels as for
// values (NaN), unless it is the universum value.
#ifndef WHITTLE_TOOLS_CLI_DATASET_H_
#define WHITTLE_TOOLS_CLI_DATASET_H_

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/console.h"
#include "whittle/base/real.h"
#include "whittle/memory/sample.h"

namespace whittle::cli {

struct DatasetOptions {
  std::optional<std::string> label;  // its column; none: `label` if there is one
  std::string universum = "universum";
};

class Dataset {
 public:
  struct Row {
    SampleKind kind = SampleKind::unlabelled;
    std::uint32_t label = 0;
    std::size_t line = 0;  // of the file
  };

  std::size_t features() const { return names.size(); }
  std::size_t samples() const { return rows.size(); }
  std::size_t count(SampleKind kind) const;

  // The sample in row `i`; it points into this data set.
  Sample sample(std::size_t i) const;
  Span<const Real> values_of(std::size_t i) const;
  // The first feature of row `i` that is infinite; features() if none is.
  std::size_t first_infinite(std::size_t i) const;
  // Whether the core takes row `i`: no value is infinite, and one at least is not missing.
  bool is_usable(std::size_t i) const;
  // "file:line:column: column 'name'" of one cell, or "file:line" of a row.
  std::string where(std::size_t i, std::size_t feature) const;
  std::string where(std::size_t i) const;
  // Says of a row that is not usable what became of it ("sample refused"), where, and why: the
  // value that is infinite, or else `reason`.
  std::string not_taken(std::size_t i, const std::string& what, const std::string& reason) const;

  std::string file;
  std::vector<std::string> names;    // of the features
  std::vector<std::string> classes;  // names of class 0, 1, ...
  std::vector<Row> rows;
  std::vector<std::size_t> fields;  // by feature: the position of its column
  std::vector<Real> values;         // samples() x features(), row by row
  // By row and feature: the text of the numbers that are infinite only because they are too large.
  std::map<std::pair<std::size_t, std::size_t>, std::string> too_large;
  std::vector<std::string> warnings;  // what a reader of results should know of the file
};

// Reads all of `in`; `name` stands for it in messages. Throws Error, naming file, line and column
// and what to do. Tells `progress`, if given, of the rows read.
Dataset read_dataset(std::istream& in, const std::string& name, const DatasetOptions& options,
                     Progress* progress = nullptr);

// The same for a file, or standard input (`in`) if the path is "-".
Dataset read_dataset_file(const std::string& path, std::istream& in, const DatasetOptions& options,
                          Progress* progress = nullptr);

// The same, for a command: shows progress (`what`: "rows read") and gives the file's warnings.
Dataset load_dataset(const std::string& path, const DatasetOptions& options, const char* what,
                     const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_DATASET_H_
