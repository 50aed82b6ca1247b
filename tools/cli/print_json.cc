// The program's stable output: one JSON object on one line, keys always in this order.
//
// Written piece by piece: a JSON library would print its own choice of decimals, and the same score
// must look the same in every format. Strings are the library's work.
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "tools/cli/number.h"
#include "tools/cli/parameters.h"
#include "tools/cli/result.h"

namespace whittle::cli {
namespace {

std::string json_string(const std::string& text) {
  // Names come from files in any encoding: what is not UTF-8 is replaced, never an error.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_bool(bool value) { return value ? "true" : "false"; }

// JSON has no infinity and no NaN.
std::string json_number(Real value) {
  if (!has_score(value)) return "null";
  if (value == kInfinity) return "\"inf\"";
  if (value == -kInfinity) return "\"-inf\"";
  return format_real(value);
}

// "name": value, ... between the braces or brackets given.
class Group {
 public:
  Group(std::ostream& out, char open, char close) : out_(out), close_(close) { out_ << open; }
  ~Group() { out_ << close_; }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  std::ostream& item() {
    if (!first_) out_ << ',';
    first_ = false;
    return out_;
  }
  std::ostream& key(const std::string& name) { return item() << json_string(name) << ':'; }

 private:
  std::ostream& out_;
  char close_;
  bool first_ = true;
};

void print_samples(const Result::Samples& samples, std::ostream& out) {
  Group object(out, '{', '}');
  object.key("labelled") << samples.labelled;
  object.key("unlabelled") << samples.unlabelled;
  object.key("universum") << samples.universum;
  object.key("held") << samples.held;
  object.key("refused") << samples.refused;
}

std::string json_parameter(const ParamSpec& spec, Real value) {
  const bool is_text = spec.kind == ParamKind::choice ||
                       (spec.kind == ParamKind::real_or_auto && value == kAutoParam);
  const std::string text = format_parameter(spec, value);
  return is_text ? json_string(text) : text;
}

void print_params(const RankerConfig& config, std::ostream& out) {
  Group object(out, '{', '}');
  for (std::size_t i = 0; i < config.selector->params.size(); ++i) {
    const ParamSpec& spec = config.selector->params[i];
    object.key(spec.name) << json_parameter(spec, config.values[i]);
  }
  const MemoryConfig memory = config.configured_memory();
  for (const MemoryParameter& parameter : memory_parameters()) {
    if (!parameter.in_use(config, memory)) continue;
    const std::string text = parameter.text(config);
    object.key(parameter.name) << (parameter.is_number ? text : json_string(text));
  }
}

// By feature: its place in the order, from 1.
std::vector<std::size_t> ranks_of(const Result& result) {
  std::vector<std::size_t> ranks(result.order.size());
  for (std::size_t place = 0; place < result.order.size(); ++place) {
    ranks[result.order[place]] = place + 1;
  }
  return ranks;
}

void print_features(const Plan& plan, const Result& result, std::ostream& out) {
  const std::vector<std::size_t> ranks = ranks_of(result);
  Group array(out, '[', ']');
  for (std::size_t r = 0; r < result.scores.size(); ++r) {
    array.item();
    Group object(out, '{', '}');
    object.key("index") << r;
    object.key("name") << json_string(plan.data.names[r]);
    object.key("score") << json_number(result.scores[r]);
    object.key("rank") << ranks[r];
    object.key("selected") << json_bool(result.selected[r]);
  }
}

void print_order(const Result& result, bool selected_only, std::ostream& out) {
  Group array(out, '[', ']');
  for (const std::uint32_t feature : result.order) {
    if (!selected_only || result.selected[feature]) array.item() << feature;
  }
}

std::string json_list(const std::vector<Real>& numbers) {
  std::string text;
  for (const Real number : numbers) text += (text.empty() ? "" : ",") + json_number(number);
  return "[" + text + "]";
}

std::string json_info(const Result::Info& info) {
  switch (info.kind) {
    case InfoKind::list:
      return json_list(info.numbers);
    case InfoKind::integer:
      return std::to_string(std::llround(info.number));
    case InfoKind::boolean:
      return json_bool(info.number != 0);
    case InfoKind::text:
      return json_string(info.text);
    case InfoKind::real:
      break;
  }
  return json_number(info.number);
}

void print_info(const Result& result, std::ostream& out) {
  Group object(out, '{', '}');
  for (const Result::Info& info : result.info) object.key(info.name) << json_info(info);
}

// The class of each row, null if it was refused, and how many labels were met.
void print_predictions(const Plan& plan, const Result::Predictions& predictions,
                       std::ostream& out) {
  Group object(out, '{', '}');
  object.key("file") << json_string(plan.test->data.file);
  object.key("labelled") << predictions.labelled;
  const std::optional<double> accuracy = predictions.accuracy();
  object.key("accuracy") << json_number(accuracy ? static_cast<Real>(*accuracy) : kNoScore);
  Group array(object.key("classes"), '[', ']');
  for (const std::optional<std::uint32_t>& predicted : predictions.classes) {
    array.item() << (predicted ? json_string(plan.data.classes[*predicted]) : "null");
  }
}

// By row, null if it is not held.
void print_memberships(const Plan& plan, const Result::Memberships& memberships,
                       std::ostream& out) {
  Group object(out, '{', '}');
  {
    Group names(object.key("classes"), '[', ']');
    for (const std::string& name : plan.data.classes) names.item() << json_string(name);
  }
  Group rows(object.key("rows"), '[', ']');
  for (const std::vector<Real>& degrees : memberships) {
    rows.item() << (degrees.empty() ? "null" : json_list(degrees));
  }
}

}  // namespace

void print_json(const Plan& plan, const Result& result, std::ostream& out) {
  const SelectorType& selector = *plan.config.selector;
  {
    Group object(out, '{', '}');
    object.key("selector") << json_string(selector.id);
    object.key("direction") << (selector.direction == Direction::ascending ? "\"asc\""
                                                                           : "\"desc\"");
    print_samples(result.samples, object.key("samples"));
    print_params(plan.config, object.key("params"));
    print_features(plan, result, object.key("features"));
    print_order(result, false, object.key("order"));
    print_order(result, true, object.key("selected"));
    print_info(result, object.key("info"));
    if (result.predictions) {
      print_predictions(plan, *result.predictions, object.key("predictions"));
    }
    if (result.memberships) {
      print_memberships(plan, *result.memberships, object.key("memberships"));
    }
  }
  out << '\n';
}

}  // namespace whittle::cli
