#include "tools/cli/model.h"

#include "tools/cli/error.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

constexpr std::size_t kShown = 3;

bool is_about_values(StatusCode code) {
  return code == StatusCode::invalid_argument || code == StatusCode::out_of_range;
}

void check_columns(const TestRows& test, const Result& result) {
  for (std::size_t r = 0; r < test.present.size(); ++r) {
    if (test.present[r] || !result.selected[r]) continue;
    throw Error(test.data.file + ": no column is called " + in_quotes(test.data.names[r]) +
                ", which is a selected feature");
  }
}

void count(const TestRows::Row& row, const std::optional<std::uint32_t>& predicted,
           Result::Predictions* predictions) {
  if (row.label == TestRows::Label::none || !predicted) return;
  ++predictions->labelled;
  if (row.label == TestRows::Label::known && row.known == *predicted) ++predictions->right;
}

Result::Predictions predict_all(const Plan& plan, Model& model, const Console& console) {
  const TestRows& test = *plan.test;
  Result::Predictions predictions;
  std::size_t refused = 0;
  Progress progress(console, "rows classified", test.size());
  for (std::size_t i = 0; i < test.size(); ++i) {
    std::optional<std::uint32_t> predicted;
    try {
      predicted = model.predict(test.values_of(i));
      if (*predicted >= plan.data.classes.size()) throw Error("the model names an unknown class");
    } catch (const ModelRefusal& refusal) {
      if (!is_about_values(refusal.code())) throw Error(refusal.what());
      if (refused++ < kShown) {
        warn(console, test.data.not_taken(i, "row not classified", refusal.what()));
      }
    }
    predictions.classes.push_back(predicted);
    count(test.rows[i], predicted, &predictions);
    progress.update(i + 1);
  }
  if (refused > kShown) warn(console, counted(refused, "row") + " not classified in all");
  return predictions;
}

Result::Memberships all_memberships(const Plan& plan, Model& model, const Console& console) {
  Result::Memberships memberships;
  Progress progress(console, "memberships", plan.data.samples());
  for (std::size_t i = 0; i < plan.data.samples(); ++i) {
    std::vector<Real> degrees;
    try {
      degrees = model.memberships(i);
    } catch (const ModelRefusal& refusal) {
      if (refusal.code() != StatusCode::not_found) throw Error(refusal.what());
    }
    memberships.push_back(std::move(degrees));
    progress.update(i + 1);
  }
  return memberships;
}

}  // namespace

void ask_model(const Plan& plan, Model& model, const Console& console, Result* result) {
  if (plan.test) {
    check_columns(*plan.test, *result);
    result->predictions = predict_all(plan, model, console);
  }
  if (plan.memberships) result->memberships = all_memberships(plan, model, console);
}

}  // namespace whittle::cli
