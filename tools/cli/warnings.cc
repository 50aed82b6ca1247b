#include "tools/cli/warnings.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/number.h"
#include "tools/cli/parameters.h"
#include "tools/cli/scaling.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

void warn_of_scale(const Plan& plan, const Result& result, const Console& console) {
  const std::uint32_t learn = plan.config.memory.learn;
  if (learn == 0) return;
  const std::uint64_t ordinary = result.samples.labelled + result.samples.unlabelled;
  const std::string parameter = "--param learn=" + std::to_string(learn) + ": ";
  if (ordinary < learn) {
    warn(console, parameter + "there were only " + counted(ordinary, "sample") +
                      " that are not universum; nothing is scaled");
    return;
  }
  std::vector<std::string> names;
  for (const std::size_t r : features_that_vary_too_late(plan.data, learn, plan.rescale_every)) {
    names.push_back(in_quotes(plan.data.names[r]));
  }
  if (names.empty()) return;
  warn(console, parameter + counted(names.size(), "column") +
                    " with one value only where the scale is learned, though not later: " +
                    listed(names, 5) + "; all are taken for constant, so learn from more samples");
}

// What may come of squares that are infinite or 0.
bool is_of_no_use(Real score) { return !std::isfinite(score) || score == 0; }

// Moments are those of the values as they come, whatever the scale.
bool reads_moments(const Plan& plan) {
  return plan.config.selector->exactness == Exactness::whole_stream;
}

// Whether the squares are of values of the size of 1. The deviation that zscore learns is of
// squares itself.
bool is_scaled_safely(const Plan& plan) {
  const Scaling scaling = plan.config.memory.scaling;
  const bool learned = plan.config.memory.learn > 0;
  return scaling != Scaling::none && !(learned && scaling == Scaling::zscore);
}

std::string units_advice(const Plan& plan) {
  if (reads_moments(plan)) {
    return "write them in other units, since " + std::string(plan.config.selector->id) +
           " reads them as they are before any --scale";
  }
  const bool learned = plan.config.memory.learn > 0;
  return std::string("give --scale ") +
         (learned ? "minmax, or no --param learn=N" : "zscore or minmax") +
         ", or write them in other units";
}

// Those whose differences have squares that matter to the selector and do not fit.
std::vector<std::size_t> features_without_squares(const Plan& plan) {
  if (!reads_moments(plan) && is_scaled_safely(plan)) return {};
  return features_whose_squares_do_not_fit(plan.data);
}

// `fault`: what is wrong with these features.
void warn_of_squares(const Plan& plan, const std::vector<std::size_t>& features, const char* fault,
                     const Console& console) {
  if (features.empty()) return;
  std::vector<std::string> names;
  names.reserve(features.size());
  for (const std::size_t r : features) names.push_back(in_quotes(plan.data.names[r]));
  warn(console, counted(names.size(), "column") + " " + fault + ": " + listed(names, 5) +
                    ": the differences of the values are such that their squares do not fit " +
                    precision_name() + " precision; " + units_advice(plan));
}

void warn_of_squares(const Plan& plan, const Result& result, const Console& console) {
  if (std::none_of(result.scores.begin(), result.scores.end(), is_of_no_use)) return;
  std::vector<std::size_t> features = features_without_squares(plan);
  const auto has_score = [&](std::size_t r) { return !is_of_no_use(result.scores[r]); };
  features.erase(std::remove_if(features.begin(), features.end(), has_score), features.end());
  warn_of_squares(plan, features, "without a score of use", console);
}

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
  warn_of_squares(plan, result, console);
  if (told(result, "converged") == Real(0)) {
    warn(console, "not converged: the scores are those of the best state so far" +
                      convergence_advice(plan, result));
  }
  if (told(result, "collapsed") == Real(1)) {
    warn(console, "clusters have collapsed into one point: the scores say little");
  }
}

void warn_of_failure(const Plan& plan, const Console& console) {
  if (reads_moments(plan)) return;  // each feature has a score of its own, or none
  warn_of_squares(plan, features_without_squares(plan), "to be scaled", console);
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
