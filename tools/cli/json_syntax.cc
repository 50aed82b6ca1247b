#include "tools/cli/json_syntax.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using Json = nlohmann::ordered_json;

// Takes everything, and notes where the parser gives up, and which key is there twice.
class Syntax final : public nlohmann::json_sax<Json> {
 public:
  std::size_t read = 0;    // bytes, up to what is wrong
  bool too_large = false;  // a number
  std::string twice;       // the path to a key

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    within_.back().key = name;
    if (within_.back().keys.insert(name).second) return true;
    twice = path();
    return false;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const Json::exception& error) override {
    constexpr int kNumberOverflow = 406;  // as the parser's documentation numbers them
    read = position;
    too_large = error.id == kNumberOverflow;
    return false;
  }

 private:
  struct Level {  // an object, or a list: no keys
    std::string key;
    std::set<std::string> keys;
    std::size_t values = 0;  // that came to their end
  };

  bool value() {
    if (!within_.empty()) ++within_.back().values;
    return true;
  }
  bool open() {
    within_.emplace_back();
    return true;
  }
  bool close() {
    within_.pop_back();
    return value();
  }
  // As RecordValue writes it.
  std::string path() const {
    std::string path;
    for (const Level& level : within_) {
      if (level.keys.empty()) {
        path += "[" + std::to_string(level.values) + "]";
      } else {
        path += (path.empty() ? "" : ".") + level.key;
      }
    }
    return path;
  }

  std::vector<Level> within_;
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
  if (!syntax.twice.empty())
    throw Error(name + ": " + syntax.twice + ": is there twice, must be once");
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
