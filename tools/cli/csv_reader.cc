#include "tools/cli/csv_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "tools/cli/error.h"

namespace whittle::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct WideMark {
  std::string_view mark;
  const char* encoding;
};
// The first starts as another one does.
constexpr WideMark kWideMarks[] = {{"\xFF\xFE\0\0"sv, "UTF-32"},
                                   {"\0\0\xFE\xFF"sv, "UTF-32"},
                                   {"\xFF\xFE", "UTF-16"},
                                   {"\xFE\xFF", "UTF-16"}};

// "" if the first line of a file says nothing of it. Without a mark, it is told by ASCII: in UTF-16
// every other byte of that is NUL, in UTF-32 three of four.
std::string wide_encoding_of(std::string_view line) {
  for (const auto& [mark, encoding] : kWideMarks) {
    if (line.starts_with(mark)) return encoding;
  }
  const auto nulls = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\0'));
  if (nulls == 0 || 3 * nulls < line.size() || 8 * nulls > 7 * line.size()) return "";
  const bool wider = line.find("\0\0"sv) != std::string_view::npos;
  return std::string(wider ? "UTF-32" : "UTF-16") + (line[0] == '\0' ? "BE" : "LE");
}

}  // namespace

CsvReader::CsvReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
  // Every line end is reported, so that line numbers can be followed through blank lines.
  if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0) throw std::bad_alloc();
}

CsvReader::~CsvReader() { csv_free(&parser_); }

bool CsvReader::next(CsvRecord& record) {
  while (ready_.empty() && !ended_) read_line();
  if (ready_.empty()) return false;
  record = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

std::string CsvReader::where(std::size_t line, std::size_t column) const {
  return name_ + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void CsvReader::on_field(void* text, std::size_t size, void* self) {
  auto& reader = *static_cast<CsvReader*>(self);
  reader.open_.fields.push_back(
      {std::string(static_cast<const char*>(text), size), reader.field_line_});
  reader.field_line_ = reader.line_number_;
}

void CsvReader::on_record(int, void* self) {
  auto& reader = *static_cast<CsvReader*>(self);
  if (!reader.open_.fields.empty()) reader.ready_.push_back(std::exchange(reader.open_, {}));
  reader.field_line_ = reader.line_number_ + 1;
}

// Hands libcsv one physical line at a time: it does not count them itself.
void CsvReader::read_line() {
  errno = 0;
  if (!std::getline(in_, line_)) {
    if (in_.bad()) throw Error(name_ + ": cannot be read: " + std::strerror(errno));
    finish();
    return;
  }
  if (!in_.eof()) line_ += '\n';
  if (!begun_ && line_.find_first_not_of(" \t\r\n") != std::string::npos) {
    begun_ = true;
    separator_ = Separator(line_);
  }
  std::string_view rest = line_;
  if (line_number_ == 0) {
    refuse_wide_characters();
    if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  }
  while (!rest.empty()) {
    std::size_t end = rest.find('\r');  // a \n is the last character, if there is one
    if (end == std::string_view::npos) end = rest.size() - 1;
    if (rest.substr(end).starts_with("\r\n")) ++end;
    ++line_number_;
    parse(rest.substr(0, end + 1));
    rest.remove_prefix(end + 1);
  }
}

void CsvReader::refuse_wide_characters() const {
  const std::string encoding = wide_encoding_of(line_);
  if (encoding.empty()) return;
  throw Error(name_ + ":1:1: this is " + encoding + "; convert it to UTF-8 before: iconv -f " +
              encoding + " -t UTF-8");
}

void CsvReader::parse(std::string_view piece) {
  if (csv_parse(&parser_, piece.data(), piece.size(), on_field, on_record, this) == piece.size()) {
    return;
  }
  if (csv_error(&parser_) == CSV_ENOMEM) throw std::bad_alloc();
  fail_quote();
}

void CsvReader::finish() {
  ended_ = true;
  if (csv_fini(&parser_, on_field, on_record, this) != 0) fail_quote();
}

void CsvReader::fail_quote() const {
  const std::string place = where(field_line_, open_.fields.size() + 1) + ": ";
  if (const std::string fault = separator_.fault_in(line_); !fault.empty()) {
    throw Error(place + fault);
  }
  throw Error(place +
              (ended_ ? "a quoted field that starts here is not closed by a quote"
                      : "a quote in the middle of a field; put the whole field in quotes and write "
                        "a quote inside it twice"));
}

}  // namespace whittle::cli
