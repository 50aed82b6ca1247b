// RecordValue: a value of a record and the path of keys to it, so that what is wrong is named:
// "runs[1].nodes[3].sensed: is 1.5, must be a number from 0 to 1, or null".
#ifndef WHITTLE_TOOLS_CLI_RECORD_VALUE_H_
#define WHITTLE_TOOLS_CLI_RECORD_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace whittle::cli {

struct NumberRange {
  double least, most;
  bool null = false;  // stands for NaN
};

inline constexpr std::uint64_t kAnyWhole = std::numeric_limits<std::uint64_t>::max();

// Each throws Error if the value is of another kind or size.
class RecordValue {
 public:
  using Json = nlohmann::ordered_json;

  // `json` must outlive it.
  explicit RecordValue(const Json& json) : RecordValue(json, "") {}

  [[noreturn]] void refuse(const std::string& wanted) const;

  RecordValue at(const char* key) const;
  std::vector<std::pair<std::string, RecordValue>> members() const;
  std::vector<RecordValue> items() const;
  // As many as there are of these, such as "node".
  std::vector<RecordValue> items(std::size_t count, const char* of) const;

  std::string text() const;
  std::string text_or_null() const;  // "" for null
  bool flag() const;
  bool is_null() const { return json_.is_null(); }
  std::uint64_t whole(std::uint64_t least, std::uint64_t most = kAnyWhole) const;
  double number(const NumberRange& range) const;

  std::size_t one_of(const std::vector<std::string>& texts) const;  // which one it is
  // None is empty, no two are equal, but for what stands for bytes that were no text (U+FFFD).
  std::vector<std::string> names() const;
  std::vector<double> numbers(std::size_t count, const char* of, const NumberRange& range) const;

 private:
  RecordValue(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}
  RecordValue item(std::size_t index) const;
  void need_list() const;
  void need_count(std::size_t count, const char* of) const;

  const Json& json_;
  std::string path_;
};

}  // namespace whittle::cli

#endif  // WHITTLE_TOOLS_CLI_RECORD_VALUE_H_
