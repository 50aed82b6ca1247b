// How often the choice under a budget is the best there is, and how far from it at worst: the table
// of docs/pruning.md. 200 random problems a row, with the default number of steps.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "whittle/base/random.h"
#include "whittle/rank/pruning_budget.h"
#include "whittle/rank/pruning_config.h"

namespace {

using whittle::Random;
using whittle::Real;

// `alike`: values are costs, less or more by at most a tenth; else both are drawn by themselves.
double optimality(Random& random, std::uint32_t units, bool alike) {
  std::vector<Real> values;
  std::vector<Real> costs;
  std::vector<std::uint32_t> items;
  Real sum = 0;
  for (std::uint32_t u = 0; u < units; ++u) {
    const Real cost = static_cast<Real>(1 + random.below(100));
    const Real drawn = random.uniform();
    costs.push_back(cost);
    values.push_back(alike ? cost * (Real(0.9) + Real(0.2) * drawn) : drawn + Real(0.001));
    items.push_back(u);
    sum += cost;
  }
  std::vector<unsigned char> bytes(whittle::BudgetSearch::required_bytes(units) +
                                   whittle::kArenaAlignment);
  whittle::Arena arena(bytes.data(), bytes.size());
  whittle::BudgetSearch search;
  search.place(arena, units);
  const Real budget = sum * (Real(0.2) + Real(0.6) * random.uniform());
  search.choose({items.data(), units}, {values.data(), units}, {costs.data(), units}, budget,
                whittle::PruningConfig().search_steps);
  return static_cast<double>(search.optimality());
}

}  // namespace

int main() {
  constexpr int kProblems = 200;
  std::printf("| units | values | known to be the best | at worst |\n|---|---|---|---|\n");
  for (const bool alike : {false, true}) {
    for (const std::uint32_t units : {20U, 50U, 100U, 200U}) {
      Random random(units);
      int exact = 0;
      double worst = 1;
      for (int i = 0; i < kProblems; ++i) {
        const double found = optimality(random, units, alike);
        exact += found == 1 ? 1 : 0;
        worst = std::min(worst, found);
      }
      std::printf("| %u | %s | %d of %d | %.4f |\n", units,
                  alike ? "follow costs" : "independent of costs", exact, kProblems, worst);
    }
  }
}
