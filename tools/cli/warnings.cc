#include "tools/cli/warnings.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/number.h"
#include "tools/cli/parameters.h"
#include "tools/cli/scale_warnings.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

// The number that info has by this name.
std::optional<Real> told(const Result& result, const char* name) {
  for (const Result::Info& info : result.info) {
    if (info.name == name) return info.number;
  }
  return std::nullopt;
}

// "--scale zscore, x or y may help", after what cannot.
std::string convergence_advice(const Plan& plan, const Result& result) {
  const SelectorType& type = *plan.config.selector;
  std::string text;
  std::vector<std::string> remedies;
  std::size_t others = type.params.size();
  for (std::size_t i = 0; i < type.params.size(); ++i) {
    const ParamSpec& spec = type.params[i];
    if (std::strcmp(spec.name, "max_iter") != 0) continue;
    --others;
    const Real most = plan.config.values[i];
    const std::string now = format_parameter(spec, most);
    // Where the solver ended by itself; what senfs counts are rounds, of as many iterations each.
    const bool counts = std::strcmp(type.id, "senfs") != 0;
    if (const auto taken = told(result, "iterations"); counts && taken && *taken < most) {
      text = "; no more than " + format_parameter(spec, *taken) + " iterations change anything";
    } else if (most >= spec.most) {
      text = "; max_iter=" + now + " is the most it may be";
    } else {
      remedies.push_back("a larger --param max_iter=N (now " + now + ")");
    }
  }
  if (plan.config.memory.scaling != Scaling::zscore) remedies.emplace_back("--scale zscore");
  if (others > 0) {
    remedies.push_back("other parameters (whittle selectors " + std::string(type.id) +
                       " lists them)");
  }
  if (remedies.empty()) return text;
  const std::string last = remedies.back();
  remedies.pop_back();
  const std::string before = listed(remedies, remedies.size());
  return text + "; " + before + (before.empty() ? "" : " or ") + last + " may help";
}

bool is_fraction(const std::string& text) {
  const std::optional<double> value = parse_number(text);
  return value && *value != std::trunc(*value);
}

// How many classes have one row, if that says that the label is a measured number or a name; else
// 0. A few classes of one row may be what is meant, and of few labels each may be the only one.
std::size_t single_classes(const Dataset& data) {
  std::vector<std::size_t> rows(data.classes.size());
  for (const Dataset::Row& row : data.rows) {
    if (row.kind == SampleKind::labelled) ++rows[row.label];
  }
  const auto single = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), 1U));
  const bool measured = std::any_of(data.classes.begin(), data.classes.end(), is_fraction);
  const bool most = (rows.size() >= 10 && 2 * single > rows.size()) ||
                    (rows.size() >= 3 && single == rows.size() && measured);
  return most && 4 * rows.size() >= data.samples() ? single : 0;
}

}  // namespace

void warn_of_result(const Plan& plan, const Result& result, const Console& console) {
  warn_of_scale(plan, result, console);
  if (told(result, "converged") == Real(0)) {
    warn(console, "not converged: the scores are those of the best state so far" +
                      convergence_advice(plan, result));
  }
  if (told(result, "collapsed") == Real(1)) {
    warn(console, "clusters have collapsed into one point: the scores say little");
  }
}

void warn_of_labels(const Dataset& data, const DatasetOptions& options, const Console& console) {
  const std::string& universum = options.universum;
  if (universum != DatasetOptions().universum && !universum.empty() &&
      data.count(SampleKind::universum) == 0) {
    warn(console,
         "--universum " + in_quotes(universum) + ": no row of " + data.file + " has this label");
  }
  const std::size_t single = single_classes(data);
  if (single == 0) return;
  warn(console, data.file + ": " + std::to_string(single) + " of " +
                    std::to_string(data.classes.size()) +
                    " classes have one row only: is the label a name, or a measured number? Every "
                    "text is a class of its own; write ranges in its place, or name another column "
                    "with --label");
}

}  // namespace whittle::cli
