// Result: a ranking and what it was made from, ready to print. `rank` fills it from the core,
// `stream` from a node's answers; the printers do not know which.
#ifndef WHITTLE_TOOLS_CLI_RESULT_H_
#define WHITTLE_TOOLS_CLI_RESULT_H_

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/console.h"
#include "tools/cli/plan.h"
#include "whittle/base/real.h"
#include "whittle/select/info.h"

namespace whittle::cli {

struct Result {
  struct Samples {
    std::uint64_t labelled = 0;
    std::uint64_t unlabelled = 0;
    std::uint64_t universum = 0;
    std::uint64_t held = 0;
    std::uint64_t refused = 0;
  };
  struct Info {
    std::string name;
    InfoKind kind = InfoKind::real;
    Real number = 0;
    std::string text;
    std::vector<Real> numbers{};  // for list
  };
  struct Predictions {
    std::vector<std::optional<std::uint32_t>> classes;  // by row; nothing: refused
    std::size_t labelled = 0;                           // rows with a label and a class
    std::size_t right = 0;                              // of them: the class is the label
    std::optional<double> accuracy() const {
      if (labelled == 0) return std::nullopt;
      return static_cast<double>(right) / static_cast<double>(labelled);
    }
  };
  using Memberships = std::vector<std::vector<Real>>;  // by row, by class; empty: not held

  Samples samples;
  std::vector<Real> scores;          // by feature; NaN: no score
  std::vector<std::uint32_t> order;  // features, best first
  std::vector<bool> selected;        // by feature
  std::vector<Info> info;
  std::optional<Predictions> predictions;  // of plan.test
  std::optional<Memberships> memberships;
};

// For people: one aligned row per feature, best first.
void print_table(const Plan& plan, const Result& result, std::ostream& out);
// One line, the program's stable output.
void print_json(const Plan& plan, const Result& result, std::ostream& out);
// rank,index,name,score,selected; best first.
void print_csv(const Plan& plan, const Result& result, std::ostream& out);
// What the model says: after the table; in place of the CSV: row,class, or row and a column per
// class.
void print_model_table(const Plan& plan, const Result& result, std::ostream& out);
void print_model_csv(const Plan& plan, const Result& result, std::ostream& out);
// On standard error, for formats that have no place for it.
void report_accuracy(const Plan& plan, const Result& result, const Console& console);

// `plot`: bars in place of the table's rows, if the output is a terminal.
void print(Format format, const Plan& plan, const Result& result, const Console& console,
           bool plot = false);

// A text as a cell of a CSV file, and as a table can show it: in one line.
std::string csv_text(const std::string& text);
std::string printable(const std::string& text);
// Columns of a terminal that UTF-8 text takes: its code points. Filled up to `width` of them.
std::size_t width_of(const std::string& text);
std::string padded(const std::string& text, std::size_t width);

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_RESULT_H_
