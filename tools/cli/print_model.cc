// What a model says, after or in place of the ranking.
#include <ostream>

#include "tools/cli/number.h"
#include "tools/cli/result.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

std::string class_text(const Plan& plan, const std::optional<std::uint32_t>& predicted) {
  return predicted ? plan.data.classes[*predicted] : std::string();
}

}  // namespace

void print_model_csv(const Plan& plan, const Result& result, std::ostream& out) {
  if (result.predictions) {
    out << "row,class\n";
    std::size_t row = 0;
    for (const auto& predicted : result.predictions->classes) {
      out << ++row << ',' << csv_text(class_text(plan, predicted)) << '\n';
    }
    return;
  }
  out << "row";
  for (const std::string& name : plan.data.classes) out << ',' << csv_text(name);
  out << '\n';
  for (std::size_t i = 0; i < result.memberships->size(); ++i) {
    const std::vector<Real>& degrees = (*result.memberships)[i];
    if (degrees.empty()) continue;
    out << i + 1;
    for (const Real degree : degrees) out << ',' << format_real(degree);
    out << '\n';
  }
}

void print_model_table(const Plan& plan, const Result& result, std::ostream& out) {
  if (result.predictions) {
    out << "\nrow  class\n";
    std::size_t row = 0;
    for (const auto& predicted : result.predictions->classes) {
      const std::string text = predicted ? class_text(plan, predicted) : "-";
      out << ++row << "  " << printable(text) << '\n';
    }
  }
  if (!result.memberships) return;
  out << "\nrow ";
  for (const std::string& name : plan.data.classes) out << ' ' << printable(name);
  out << '\n';
  for (std::size_t i = 0; i < result.memberships->size(); ++i) {
    const std::vector<Real>& degrees = (*result.memberships)[i];
    if (degrees.empty()) continue;
    out << i + 1 << ' ';
    for (const Real degree : degrees) out << ' ' << format_real(degree);
    out << '\n';
  }
}

void report_accuracy(const Plan& plan, const Result& result, const Console& console) {
  if (!result.predictions || !result.predictions->accuracy()) return;
  const Result::Predictions& predictions = *result.predictions;
  console.err << "whittle: " << plan.test->data.file << ": accuracy "
              << format_real(static_cast<Real>(*predictions.accuracy())) << ", "
              << predictions.right << " of " << counted(predictions.labelled, "labelled row")
              << " classified right\n";
}

}  // namespace whittle::cli
