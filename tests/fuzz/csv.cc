// CSV: any bytes are records or an Error that names a place in the file; records written with
// quotes are read back; a data set has a value for each cell.
#include <sstream>
#include <string>

#include "tests/fuzz/input.h"
#include "tools/cli/csv_reader.h"
#include "tools/cli/dataset.h"
#include "tools/cli/error.h"

namespace whittle::fuzz {
namespace {

using Table = std::vector<std::vector<std::string>>;

const std::string kName = "f.csv";

// Every message begins with the file and a line from 1 to `lines`.
void require_place(const std::string& message, std::size_t lines) {
  require(message.rfind(kName + ":", 0) == 0, "an error names its file");
  const unsigned long line = std::strtoul(message.c_str() + kName.size() + 1, nullptr, 10);
  require(line >= 1 && line <= lines, "an error names a line of the file");
}

// False if the text is refused.
bool read(const std::string& text, Table& table) {
  const auto lines = static_cast<std::size_t>(std::count_if(
                         text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; })) +
                     1;
  std::istringstream in(text);
  try {
    cli::CsvReader reader(in, kName);
    cli::CsvRecord record;
    std::size_t line = 0;
    while (reader.next(record)) {
      require(!record.fields.empty(), "a record has a field");
      table.emplace_back();
      for (const cli::CsvField& field : record.fields) {
        require(field.line >= line && field.line <= lines, "lines go up, to the end of the file");
        line = field.line;
        table.back().push_back(field.text);
      }
    }
  } catch (const cli::Error& error) {
    require_place(error.what(), lines);
    return false;
  }
  return true;
}

std::string quoted(const Table& table) {
  std::string text;
  for (const std::vector<std::string>& record : table) {
    for (std::size_t i = 0; i < record.size(); ++i) {
      text += i == 0 ? "\"" : ",\"";
      for (const char c : record[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

void read_as_dataset(const std::string& text) {
  std::istringstream in(text);
  cli::Dataset data;
  try {
    data = cli::read_dataset(in, kName, {});
  } catch (const cli::Error& error) {
    require(std::string(error.what()).rfind(kName + ":", 0) == 0, "an error names its file");
    return;
  }
  require(data.features() > 0 && data.samples() > 0, "a data set is not empty");
  require(data.values.size() == data.features() * data.samples(), "a value for each cell");
  for (std::size_t i = 0; i < data.samples(); ++i) {
    const Sample sample = data.sample(i);
    require(sample.kind != SampleKind::labelled || sample.label < data.classes.size(),
            "labels have names");
    require(data.is_usable(i) || !data.where(i, data.first_infinite(i) % data.features()).empty(),
            "a row that the core refuses has a place");
  }
}

void run(const std::string& text) {
  Table table;
  if (read(text, table)) {
    Table again;
    // With quotes, what has NULs may look like UTF-16.
    require((read(quoted(table), again) && again == table) || text.find('\0') != std::string::npos,
            "records written are read back");
  }
  read_as_dataset(text);
}

}  // namespace
}  // namespace whittle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  whittle::fuzz::run(std::string(data, data + size));
  return 0;
}
