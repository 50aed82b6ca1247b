#include "tools/cli/scale_warnings.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/number.h"
#include "tools/cli/scale_replay.h"
#include "tools/cli/scaling.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using Features = std::vector<std::size_t>;

// What came of learning the scale; nothing if it is not learned.
std::optional<ScaleReplay> replay_of(const Plan& plan) {
  std::optional<ScaleReplay> replay;
  if (plan.config.memory.learn > 0) replay.emplace(plan);
  return replay;
}

// "2 columns FAULT: 'a', 'b'"
std::string columns_that(const Plan& plan, const Features& features, const std::string& fault) {
  std::vector<std::string> names;
  names.reserve(features.size());
  for (const std::size_t r : features) names.push_back(in_quotes(plan.data.names[r]));
  return counted(names.size(), "column") + " " + fault + ": " + listed(names, 5);
}

Features late_columns(const Plan& plan) {
  return features_that_vary_too_late(plan.data, plan.config.memory.learn, plan.rescale_every);
}

std::string learn_parameter(const Plan& plan) {
  return "--param learn=" + std::to_string(plan.config.memory.learn) + ": ";
}

void warn_of_late_columns(const Plan& plan, const Console& console) {
  const Features late = late_columns(plan);
  if (late.empty()) return;
  warn(console, learn_parameter(plan) +
                    columns_that(plan, late,
                                 "with one value only where the scale is learned, though not "
                                 "later") +
                    "; all are taken for constant, so learn from more samples");
}

// Rescaling gives a column a gain, but not back what was held without one.
void warn_of_lost_values(const Plan& plan, const ScaleReplay& replay, const Console& console) {
  const Features rows = replay.remembered();
  const bool held = plan.config.configured_memory().units() == 0;
  const std::string of = " of " + counted(rows.size(), "row") + (held ? " held)" : ")");
  std::vector<std::string> columns;
  for (std::size_t r = 0; r < plan.data.features(); ++r) {
    const std::size_t lost = replay.lost(r, rows);
    if (lost == 0) continue;
    columns.push_back(in_quotes(plan.data.names[r]) + " (" + std::to_string(lost) + of);
  }
  if (columns.empty()) return;
  warn(console, learn_parameter(plan) + counted(columns.size(), "column") +
                    " taken for constant until the scale was learned again: " + listed(columns, 5) +
                    "; what came meanwhile has lost its value there, and learning again does not "
                    "bring it back, so learn from more samples");
}

void warn_of_columns_without_gain(const Plan& plan, const ScaleReplay& replay,
                                  const Console& console) {
  warn_of_late_columns(plan, console);
  warn_of_lost_values(plan, replay, console);
}

void warn_of_learning(const Plan& plan, const Result& result, const ScaleReplay& replay,
                      const Console& console) {
  const std::uint64_t ordinary = result.samples.labelled + result.samples.unlabelled;
  if (ordinary < plan.config.memory.learn) {
    warn(console, learn_parameter(plan) + "there were only " + counted(ordinary, "sample") +
                      " that are not universum; nothing is scaled");
    return;
  }
  warn_of_columns_without_gain(plan, replay, console);
}

// What may come of squares that are infinite or 0.
bool is_of_no_use(Real score) { return !std::isfinite(score) || score == 0; }

// Moments are those of the values as they come, whatever the scale.
bool reads_moments(const Plan& plan) {
  return plan.config.selector->exactness == Exactness::whole_stream;
}

// Whether digits that squares of differences lack are missing in scores. These selectors scale by
// themselves, compute in double, or have products of values with weights in place of differences.
bool scores_are_of_squares(const Plan& plan) {
  constexpr const char* kOthers[] = {"relieff", "jsfs",  "fsmanifold", "drsvm",
                                     "l1svm",   "l0svm", "senfs"};
  return std::none_of(std::begin(kOthers), std::end(kOthers), [&](const char* id) {
    return std::strcmp(plan.config.selector->id, id) == 0;
  });
}

// Whether the squares are of values of the size of 1. The deviation that zscore learns is of
// squares itself.
bool is_scaled_safely(const Plan& plan) {
  const Scaling scaling = plan.config.memory.scaling;
  const bool learned = plan.config.memory.learn > 0;
  return scaling != Scaling::none && !(learned && scaling == Scaling::zscore);
}

bool reads_unscaled_squares(const Plan& plan) {
  return reads_moments(plan) || !is_scaled_safely(plan);
}

std::string units_advice(const Plan& plan) {
  if (reads_moments(plan)) {
    return "write them in other units, since " + std::string(plan.config.selector->id) +
           " reads them as they are before any --scale";
  }
  const bool learned = plan.config.memory.learn > 0;
  if (learned && is_scaled_safely(plan)) return "write them in other units";
  return std::string("give --scale ") +
         (learned ? "minmax, or no --param learn=N" : "zscore or minmax") +
         ", or write them in other units";
}

// For columns that are not later as they were where their scale was learned.
std::string learning_advice(const Plan& plan) {
  const bool zscore = plan.config.memory.scaling == Scaling::zscore;
  return std::string("give ") + (zscore ? "--scale minmax with " : "") +
         (plan.rescale_every > 0 ? "a smaller " : "") + "--rescale-every N or " +
         (zscore ? "with " : "") + "a larger --param learn=N, or no --param learn=N";
}

// Features whose differences have squares that matter to the selector and do not fit.
struct Misfits {
  Features raw;
  Features scaled;  // by what was learned last: they may fit before
};

void keep_only(Features* features, const std::function<bool(std::size_t)>& is_kept) {
  const auto is_not = [&](std::size_t r) { return !is_kept(r); };
  features->erase(std::remove_if(features->begin(), features->end(), is_not), features->end());
}

bool contains(const Features& features, std::size_t r) {
  return std::find(features.begin(), features.end(), r) != features.end();
}

// A learned scale helps a column that it can scale.
Misfits misfits_of(const Plan& plan, const std::optional<ScaleReplay>& replay) {
  Misfits misfits;
  const bool unscaled = reads_unscaled_squares(plan);
  if (!unscaled && !replay) return misfits;
  misfits.raw = features_whose_squares_do_not_fit(plan.data);
  if (reads_moments(plan) || !replay) return misfits;
  std::vector<Real> gain;
  for (std::size_t r = 0; r < plan.data.features(); ++r) gain.push_back(replay->gain(r));
  misfits.scaled = features_whose_squares_do_not_fit(plan.data, gain);
  const Features late = late_columns(plan);
  keep_only(&misfits.raw, [&](std::size_t r) {
    return !contains(misfits.scaled, r) && !contains(late, r) && (unscaled || gain[r] == 0);
  });
  return misfits;
}

// `fault`: what is wrong with these features.
void warn_of_squares(const Plan& plan, const Misfits& misfits, const char* fault,
                     const Console& console) {
  const std::string do_not_fit =
      " are such that their squares do not fit " + std::string(precision_name()) + " precision; ";
  if (!misfits.raw.empty()) {
    warn(console, columns_that(plan, misfits.raw, fault) + ": the differences of the values" +
                      do_not_fit + units_advice(plan));
  }
  if (!misfits.scaled.empty()) {
    warn(console, columns_that(plan, misfits.scaled, fault) +
                      ": the differences of the values, scaled by what was learned," + do_not_fit +
                      learning_advice(plan));
  }
}

// Of those that have a score.
void warn_of_coarse_squares(const Plan& plan, const Result& result, const Console& console) {
  if (!reads_unscaled_squares(plan) || !scores_are_of_squares(plan)) return;
  Features coarse = features_whose_squares_are_coarse(plan.data);
  keep_only(&coarse, [&](std::size_t r) { return !is_of_no_use(result.scores[r]); });
  if (coarse.empty()) return;
  warn(console, columns_that(plan, coarse, "whose scores lose precision") +
                    ": the differences of the values are so small that their squares have few "
                    "digits in " +
                    precision_name() + " precision; " + units_advice(plan));
}

void warn_of_squares(const Plan& plan, const Result& result,
                     const std::optional<ScaleReplay>& replay, const Console& console) {
  if (std::any_of(result.scores.begin(), result.scores.end(), is_of_no_use)) {
    const auto has_none = [&](std::size_t r) { return is_of_no_use(result.scores[r]); };
    Misfits misfits = misfits_of(plan, replay);
    keep_only(&misfits.raw, has_none);
    keep_only(&misfits.scaled, has_none);
    warn_of_squares(plan, misfits, "without a score of use", console);
  }
  warn_of_coarse_squares(plan, result, console);
}

}  // namespace

void warn_of_scale(const Plan& plan, const Result& result, const Console& console) {
  const std::optional<ScaleReplay> replay = replay_of(plan);
  if (replay) warn_of_learning(plan, result, *replay, console);
  warn_of_squares(plan, result, replay, console);
}

void warn_of_failure(const Plan& plan, const Console& console) {
  if (reads_moments(plan)) return;  // each feature has a score of its own, or none
  const std::optional<ScaleReplay> replay = replay_of(plan);
  if (replay) warn_of_columns_without_gain(plan, *replay, console);
  warn_of_squares(plan, misfits_of(plan, replay), "to be scaled", console);
}

}  // namespace whittle::cli
