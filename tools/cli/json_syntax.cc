#include "tools/cli/json_syntax.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/cli/error.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using Json = nlohmann::ordered_json;

// Takes everything, and notes where the parser gives up.
class Syntax final : public nlohmann::json_sax<Json> {
 public:
  std::size_t read = 0;    // bytes, up to what is wrong
  bool too_large = false;  // a number

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const Json::exception& error) override {
    constexpr int kNumberOverflow = 406;  // as the parser's documentation numbers them
    read = position;
    too_large = error.id == kNumberOverflow;
    return false;
  }
};

// Of no use alone where it is a piece of a character.
std::string shown(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x80 ? in_quotes(std::string(1, byte)) : "byte " + std::to_string(value);
}

}  // namespace

void check_json(const std::string& text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error(name + ": is empty");
  Syntax syntax;
  if (Json::sax_parse(text, &syntax)) return;
  const bool ended = syntax.read > text.size();
  const std::size_t at = ended ? text.size() : std::max<std::size_t>(syntax.read, 1) - 1;
  const auto here = text.begin() + static_cast<std::ptrdiff_t>(at);
  const std::size_t line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::string why = ended              ? "it ends too early"
                          : syntax.too_large ? "the number is too large"
                                             : shown(text[at]) + " does not belong there";
  throw Error(name + ":" + std::to_string(1 + std::count(text.begin(), here, '\n')) + ":" +
              std::to_string(at - line_start + 1) + ": is no JSON: " + why);
}

}  // namespace whittle::cli
