// TestRows: the rows of another CSV file, to be classified (--predict), as the features of the file
// that was learned from. Columns are found by their names; one that is no feature is ignored, one
// that is not there is missing throughout, which only matters if its feature is selected.
#ifndef WHITTLE_TOOLS_CLI_TEST_ROWS_H_
#define WHITTLE_TOOLS_CLI_TEST_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/dataset.h"

namespace whittle::cli {

struct TestRows {
  // The label in a row's file: none, or a class, one that was not learned included.
  enum class Label : std::uint8_t { none, known, unknown };
  struct Row {
    Label label = Label::none;
    std::uint32_t known = 0;  // class of the data learned from
  };

  std::size_t size() const { return rows.size(); }
  Span<const Real> values_of(std::size_t i) const { return data.values_of(i); }

  Dataset data;               // its names are those of the data learned from
  std::vector<Row> rows;      // as data.rows
  std::vector<bool> present;  // by feature: whether the file has its column
};

// Throws Error, also where no column is a feature. Warns of columns that are none and of classes
// that were not learned.
TestRows read_test_rows(const std::string& path, const Dataset& learned,
                        const DatasetOptions& options, const Console& console);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_TEST_ROWS_H_
