#include "tools/cli/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

// The number that stands for `text`, if it is a value of that kind.
std::optional<Real> parse_value(const ParamSpec& spec, const std::string& text) {
  switch (spec.kind) {
    case ParamKind::boolean:
      if (text == "true" || text == "on" || text == "1") return Real(1);
      if (text == "false" || text == "off" || text == "0") return Real(0);
      return std::nullopt;
    case ParamKind::choice: {
      const std::vector<std::string> choices = choices_of(spec);
      const auto found = std::find(choices.begin(), choices.end(), text);
      if (found == choices.end()) return std::nullopt;
      return static_cast<Real>(found - choices.begin());
    }
    case ParamKind::integer: {
      const auto whole = parse_whole(text, static_cast<std::uint64_t>(spec.most));
      if (!whole) return std::nullopt;
      return static_cast<Real>(*whole);
    }
    case ParamKind::real_or_auto:
      if (text == "auto") return kAutoParam;
      break;
    case ParamKind::real:
      break;
  }
  const std::optional<double> number = parse_number(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  const Real value = to_real(*number);
  // The number that stands for `auto` must not be taken for it.
  if (spec.kind == ParamKind::real_or_auto && value < spec.least) return std::nullopt;
  return value;
}

std::string whole_text(Real value) { return std::to_string(static_cast<std::uint64_t>(value)); }

std::string kind_text(const ParamSpec& spec) {
  const std::string limits = " from " + format_real(spec.least) + " to " + format_real(spec.most);
  switch (spec.kind) {
    case ParamKind::real:
      return "a number" + limits;
    case ParamKind::real_or_auto:
      return "auto or a number" + limits;
    case ParamKind::integer:
      return "a whole number from " + whole_text(spec.least) + " to " + whole_text(spec.most);
    case ParamKind::boolean:
      return "true or false";
    case ParamKind::choice: {
      const std::vector<std::string> choices = choices_of(spec);
      return "one of " + listed(choices, choices.size());
    }
  }
  return {};
}

void set_selector_parameter(const ParamSpec& spec, const std::string& text, RankerConfig* config) {
  const std::optional<Real> value = parse_value(spec, text);
  if (value && config->values.set(config->selector->params, spec.name, *value).ok()) return;
  throw UsageError("--param " + std::string(spec.name) + "=" + text + ": " + in_quotes(text) +
                   " is not a value of " + describe_parameter(spec));
}

void set_memory_parameter(const MemoryParameter& parameter, const std::string& text,
                          RankerConfig* config) {
  if (parameter.set(text, config)) return;
  throw UsageError("--param " + std::string(parameter.name) + "=" + text + ": " + in_quotes(text) +
                   " is not a value of " + describe_parameter(parameter));
}

void set_parameter(const std::string& name, const std::string& text, RankerConfig* config) {
  std::vector<std::string> names;
  for (const ParamSpec& spec : config->selector->params) {
    if (name == spec.name) return set_selector_parameter(spec, text, config);
    names.emplace_back(spec.name);
  }
  for (const MemoryParameter& parameter : memory_parameters()) {
    if (name == parameter.name) return set_memory_parameter(parameter, text, config);
    names.emplace_back(parameter.name);
  }
  throw UsageError("--param " + name + "=" + text + ": selector " + config->selector->id +
                   " has no parameter " + in_quotes(name) + "; there are " +
                   listed(names, names.size()));
}

}  // namespace

std::vector<std::string> choices_of(const ParamSpec& spec) {
  std::vector<std::string> choices;
  std::string_view rest = spec.choices;
  for (;;) {
    const std::size_t bar = rest.find('|');
    choices.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) return choices;
    rest.remove_prefix(bar + 1);
  }
}

std::set<std::string> set_parameters(const std::vector<std::string>& assignments,
                                     RankerConfig* config) {
  std::set<std::string> given;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      throw UsageError("--param " + assignment + ": write it as name=value");
    }
    const std::string name = assignment.substr(0, equals);
    set_parameter(name, assignment.substr(equals + 1), config);
    if (!given.insert(name).second) throw UsageError("--param " + assignment + ": given twice");
  }
  return given;
}

std::string format_parameter(const ParamSpec& spec, Real value) {
  switch (spec.kind) {
    case ParamKind::boolean:
      return value != 0 ? "true" : "false";
    case ParamKind::choice:
      return choices_of(spec).at(static_cast<std::size_t>(value));
    case ParamKind::real_or_auto:
      return value == kAutoParam ? "auto" : format_real(value);
    case ParamKind::integer:
      return std::to_string(static_cast<std::uint32_t>(value));
    case ParamKind::real:
      break;
  }
  return format_real(value);
}

std::string describe_parameter(const ParamSpec& spec) {
  return std::string(spec.name) + " (" + std::string(spec.help) + "): " + kind_text(spec) +
         ", default " + format_parameter(spec, spec.fallback);
}

std::string describe_parameter(const MemoryParameter& parameter) {
  return std::string(parameter.name) + " (" + parameter.help + "): " + parameter.wanted +
         ", default " + parameter.fallback;
}

}  // namespace whittle::cli
