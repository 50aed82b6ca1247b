#include "tools/cli/csv_reader.h"

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
  for (const auto& [mark, encoding] : kWideMarks) {
    if (!std::string_view(line_).starts_with(mark)) continue;
    throw Error(name_ + ":1:1: this is " + encoding + "; convert it to UTF-8 before: iconv -f " +
                encoding + " -t UTF-8");
  }
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
  const std::size_t column = open_.fields.size() + 1;
  throw Error(where(field_line_, column) + ": " +
              (ended_ ? "a quoted field that starts here is not closed by a quote"
                      : "a quote in the middle of a field; put the whole field in quotes and write "
                        "a quote inside it twice"));
}

}  // namespace whittle::cli
