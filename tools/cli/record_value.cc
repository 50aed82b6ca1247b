#include "tools/cli/record_value.h"

#include <algorithm>
#include <cmath>

#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using Json = RecordValue::Json;

constexpr double kRounding = 1e-6;  // by which means leave their range

std::string shown(const Json& json) {
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  if (json.is_array()) return json.empty() ? "an empty list" : "a list";
  if (json.is_object()) return json.empty() ? "an empty object" : "an object";
  return json.dump();
}

std::string described(const NumberRange& range) {
  std::string text = "a number";
  const auto number = [](double value) { return format_real(to_real(value)); };
  if (std::isfinite(range.least) && std::isfinite(range.most)) {
    text += " from " + number(range.least) + " to " + number(range.most);
  } else if (std::isfinite(range.least)) {
    text += " of " + number(range.least) + " or more";
  }
  return range.null ? text + ", or null" : text;
}

bool is_in(const Json& json, const NumberRange& range) {
  if (json.is_null()) return range.null;
  if (!json.is_number()) return false;
  const double value = json.get<double>();
  return value >= range.least - kRounding && value <= range.most + kRounding;
}

double number_in(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

}  // namespace

void RecordValue::refuse(const std::string& wanted) const {
  throw Error((path_.empty() ? "" : path_ + ": ") + "is " + shown(json_) + ", must be " + wanted);
}

RecordValue RecordValue::at(const char* key) const {
  if (!json_.is_object()) refuse("an object");
  const std::string path = path_.empty() ? key : path_ + "." + key;
  const auto found = json_.find(key);
  if (found == json_.end()) throw Error(path + ": is missing");
  return {*found, path};
}

std::vector<std::pair<std::string, RecordValue>> RecordValue::members() const {
  if (!json_.is_object()) refuse("an object");
  std::vector<std::pair<std::string, RecordValue>> members;
  for (const auto& [key, value] : json_.items()) {
    members.emplace_back(key, RecordValue(value, path_ + "." + key));
  }
  return members;
}

RecordValue RecordValue::item(std::size_t index) const {
  return {json_[index], path_ + "[" + std::to_string(index) + "]"};
}

void RecordValue::need_list() const {
  if (!json_.is_array()) refuse("a list");
}

void RecordValue::need_count(std::size_t count, const char* of) const {
  need_list();
  if (json_.size() == count) return;
  throw Error(path_ + ": has " + counted(json_.size(), "value") + ", must have " +
              std::to_string(count) + ": one for each " + of);
}

std::vector<RecordValue> RecordValue::items() const {
  need_list();
  std::vector<RecordValue> items;
  for (std::size_t i = 0; i < json_.size(); ++i) items.push_back(item(i));
  return items;
}

std::vector<RecordValue> RecordValue::items(std::size_t count, const char* of) const {
  need_count(count, of);
  return items();
}

std::string RecordValue::text() const {
  if (!json_.is_string()) refuse("a text");
  return json_.get<std::string>();
}

std::string RecordValue::text_or_null() const {
  if (json_.is_null()) return "";
  if (!json_.is_string()) refuse("a text, or null");
  return json_.get<std::string>();
}

bool RecordValue::flag() const {
  if (!json_.is_boolean()) refuse("true or false");
  return json_.get<bool>();
}

std::uint64_t RecordValue::whole(std::uint64_t least, std::uint64_t most) const {
  if (json_.is_number_unsigned()) {
    const auto value = json_.get<std::uint64_t>();
    if (value >= least && value <= most) return value;
  }
  const std::string from = std::to_string(least);
  if (least == most) refuse(from);
  refuse("a whole number " + (most == kAnyWhole ? "of " + from + " or more"
                                                : "from " + from + " to " + std::to_string(most)));
}

double RecordValue::number(const NumberRange& range) const {
  if (!is_in(json_, range)) refuse(described(range));
  return number_in(json_);
}

std::size_t RecordValue::one_of(const std::vector<std::string>& texts) const {
  const auto found =
      json_.is_string() ? std::find(texts.begin(), texts.end(), text()) : texts.end();
  if (found == texts.end()) refuse("one of " + listed(texts, texts.size()));
  return static_cast<std::size_t>(found - texts.begin());
}

std::vector<std::string> RecordValue::names() const {
  std::vector<std::string> names;
  for (const RecordValue& item : items()) {
    const std::string name = item.text();
    if (name.empty()) item.refuse("a name, not empty");
    const auto same = std::find(names.begin(), names.end(), name);
    if (same != names.end() && name.find("\xef\xbf\xbd") == std::string::npos) {
      item.refuse("another name than " + path_ + "[" + std::to_string(same - names.begin()) + "]");
    }
    names.push_back(name);
  }
  return names;
}

// Series are long: a path is made only for what is wrong.
std::vector<double> RecordValue::numbers(std::size_t count, const char* of,
                                         const NumberRange& range) const {
  need_count(count, of);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_in(json_[i], range)) item(i).refuse(described(range));
    values.push_back(number_in(json_[i]));
  }
  return values;
}

}  // namespace whittle::cli
