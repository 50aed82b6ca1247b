// CsvReader: the records of a CSV file (RFC 4180, by libcsv) and where in the file each stands.
//
// LF, CRLF and CR end a record; a byte order mark and blank lines are skipped; blanks around an
// unquoted field are not part of it; the last line needs no end.
#ifndef WHITTLE_TOOLS_CLI_CSV_READER_H_
#define WHITTLE_TOOLS_CLI_CSV_READER_H_

#include <csv.h>

#include <cstddef>
#include <deque>
#include <istream>
#include <string>
#include <vector>

#include "tools/cli/separator.h"

namespace whittle::cli {

struct CsvField {
  std::string text;
  std::size_t line = 0;  // physical line on which it starts, from 1
};

struct CsvRecord {
  std::vector<CsvField> fields;
  std::size_t line() const { return fields.empty() ? 0 : fields.front().line; }
};

class CsvReader {
 public:
  // `name` stands for the file in messages.
  CsvReader(std::istream& in, std::string name);
  ~CsvReader();
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  // The next record; false at the end. Throws Error: a quote out of place or not closed, a file
  // in UTF-16 or UTF-32, told by its mark or by the NULs of its first line, or that cannot be read.
  bool next(CsvRecord& record);

  const std::string& name() const { return name_; }
  // "file:line:column", column being the field's number from 1.
  std::string where(std::size_t line, std::size_t column) const;
  // By the first line that is not blank. After next().
  const Separator& separator() const { return separator_; }

 private:
  static void on_field(void* text, std::size_t size, void* self);
  static void on_record(int terminator, void* self);
  void read_line();
  void refuse_wide_characters() const;
  void parse(std::string_view piece);
  void finish();
  [[noreturn]] void fail_quote() const;

  std::istream& in_;
  std::string name_;
  csv_parser parser_;
  std::string line_;
  std::size_t line_number_ = 0;  // of the piece being parsed
  std::size_t field_line_ = 1;   // where the field being parsed started
  Separator separator_;
  bool begun_ = false;  // with the first line that is not blank
  CsvRecord open_;      // fields of the record being parsed
  std::deque<CsvRecord> ready_;
  bool ended_ = false;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_CSV_READER_H_
