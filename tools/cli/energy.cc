#include "tools/cli/energy.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "tools/cli/error.h"
#include "tools/cli/number.h"
#include "tools/cli/text.h"

namespace whittle::cli {
namespace {

using simulate::EnergyModel;

struct Amount {
  const char* name;
  std::vector<double EnergyModel::*> fields;
};

const Amount kAmounts[] = {{"sample", {&EnergyModel::sample}},
                           {"feature", {&EnergyModel::feature}},
                           {"byte", {&EnergyModel::byte_up, &EnergyModel::byte_down}}};

double parse_amount(const std::string& part, std::size_t sign) {
  const std::string digits = sign == std::string::npos ? "" : part.substr(sign + 1);
  double number = 0;
  const std::string wrong =
      read_number<double>(digits, 0, "give NAME=MICROJOULES, 0 or more", &number);
  if (!wrong.empty()) throw UsageError("--energy " + in_quotes(part) + ": " + wrong);
  return number;
}

void set_amount(const std::string& part, EnergyModel* model, std::set<std::string>* given) {
  const std::size_t sign = part.find('=');
  const std::string name = part.substr(0, sign);
  const double number = parse_amount(part, sign);
  const auto* const amount = std::find_if(std::begin(kAmounts), std::end(kAmounts),
                                          [&](const Amount& one) { return name == one.name; });
  if (amount == std::end(kAmounts)) {
    throw UsageError("--energy " + in_quotes(name) + ": there are sample, feature, byte");
  }
  if (!given->insert(name).second) throw UsageError("--energy " + name + ": given twice");
  for (const auto field : amount->fields) model->*field = number;
}

// "given; feature and byte as 802.15.4"
void name_model(const std::set<std::string>& given, EnergyModel* model) {
  std::string others;
  for (const Amount& amount : kAmounts) {
    if (given.count(amount.name) > 0) continue;
    others += (others.empty() ? "" : " and ") + std::string(amount.name);
  }
  const std::string source = "the command line";
  model->source = others.empty() ? source : source + "; " + others + ": " + model->source;
  model->name = others.empty() ? "given" : "given; " + others + " as " + model->name;
}

}  // namespace

EnergyModel parse_energy(const std::string& text) {
  if (const auto model = simulate::find_energy_model(text)) return *model;
  if (text.find('=') == std::string::npos) {
    std::vector<std::string> names;
    for (const EnergyModel& model : simulate::energy_models()) names.push_back(model.name);
    throw UsageError("--energy " + in_quotes(text) + ": there are " + listed(names, names.size()) +
                     " and sample=..,feature=..,byte=..");
  }
  EnergyModel model = simulate::energy_models().front();
  std::set<std::string> given;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    set_amount(text.substr(from, comma - from), &model, &given);
    from = comma + 1;
  }
  name_model(given, &model);
  return model;
}

}  // namespace whittle::cli
