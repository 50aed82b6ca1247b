#include "tools/cli/pairs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/cli/csv_reader.h"
#include "tools/cli/error.h"
#include "tools/cli/files.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"
#include "whittle/memory/memory_config.h"

namespace whittle::cli {
namespace {

constexpr const char* kColumns[] = {"first", "second", "link"};
constexpr std::size_t kFields = std::size(kColumns);

class PairsReader {
 public:
  PairsReader(std::istream& in, const std::string& name, const Dataset& data)
      : csv_(in, name), data_(data) {
    pairs_.file = name;
  }

  Pairs read() {
    CsvRecord record;
    if (!csv_.next(record)) fail(1, 1, "the file is empty; its header must be first,second,link");
    check_header(record);
    while (csv_.next(record)) take(record);
    std::stable_sort(pairs_.list.begin(), pairs_.list.end(),
                     [](const Pair& a, const Pair& b) { return a.later < b.later; });
    return std::move(pairs_);
  }

 private:
  [[noreturn]] void fail(std::size_t line, std::size_t column, const std::string& text) const {
    throw Error(csv_.where(line, column) + ": " + text);
  }

  void check_size(const CsvRecord& record) const {
    if (record.fields.size() == kFields) return;
    fail(record.line(), std::min(record.fields.size(), kFields) + 1,
         "this row has " + counted(record.fields.size(), "field") +
             "; there must be three: first,second,link");
  }

  void check_header(const CsvRecord& record) const {
    for (std::size_t i = 0; i < std::min(record.fields.size(), kFields); ++i) {
      if (record.fields[i].text == kColumns[i]) continue;
      fail(record.line(), i + 1,
           in_quotes(record.fields[i].text) + ": the header must be first,second,link");
    }
    check_size(record);
  }

  std::size_t row(const CsvRecord& record, std::size_t field) const {
    const CsvField& text = record.fields[field];
    const auto number = parse_whole(text.text, data_.samples());
    if (!number || *number == 0) {
      fail(text.line, field + 1,
           in_quotes(text.text) + " is no row of " + data_.file + ": its data rows are 1 to " +
               std::to_string(data_.samples()));
    }
    const auto i = static_cast<std::size_t>(*number - 1);
    if (data_.rows[i].kind == SampleKind::universum) {
      fail(text.line, field + 1,
           "row " + text.text + " is universum; only labelled and unlabelled rows can be paired");
    }
    return i;
  }

  void take(const CsvRecord& record) {
    check_size(record);
    const std::size_t first = row(record, 0);
    const std::size_t second = row(record, 1);
    if (first == second) {
      fail(record.fields[1].line, 2, "a pair needs two different rows");
    }
    const CsvField& link = record.fields[2];
    const bool must_link = link.text == "must";
    if (!must_link && link.text != "cannot") {
      fail(link.line, 3, in_quotes(link.text) + ": write must or cannot");
    }
    if (pairs_.list.size() == kMaxHeld) {
      fail(record.line(), 1, "more than " + std::to_string(kMaxHeld) + " pairs");
    }
    pairs_.list.push_back(
        {std::min(first, second), std::max(first, second), must_link, record.line()});
  }

  CsvReader csv_;
  const Dataset& data_;
  Pairs pairs_;
};

}  // namespace

Pairs read_pairs(std::istream& in, const std::string& name, const Dataset& data) {
  return PairsReader(in, name, data).read();
}

Pairs read_pairs_file(const std::string& path, std::istream& in, const Dataset& data) {
  Input input(path, in);
  return read_pairs(input.stream(), input.name(), data);
}

}  // namespace whittle::cli
