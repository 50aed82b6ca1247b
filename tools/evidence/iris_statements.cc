// What the thesis says of Iris (3.6.2), and what the scores say:
//   iris_statements IRIS.csv
//
// Four features, 150 samples in the usual order, 50 of each class.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <numeric>
#include <string>

#include "tools/evidence/rank_rows.h"
#include "whittle/base/random.h"
#include "whittle/select/cls.h"
#include "whittle/select/ls.h"
#include "whittle/select/variance.h"

namespace whittle::evidence {
namespace {

std::string text(const Ranks& order) {
  std::string text;
  for (const std::uint32_t feature : order) text += " F" + std::to_string(feature + 1);
  return text;
}

constexpr std::uint32_t kMostNeighbours = 20;
constexpr int kLabelSets = 60;

void iris_without_labels(const cli::Dataset& data, const Rows& all) {
  std::printf("variance:%s (thesis: F3 F1 F4 F2)\n",
              text(rank_rows(config_with(kVariance), data, all, {})).c_str());
  std::string before;
  for (std::uint32_t k = 1; k <= kMostNeighbours; ++k) {
    const std::string order = text(rank_rows(config_with(kLs, "k", Real(k)), data, all, {}));
    if (order != before)
      std::printf("ls from k = %2u:%s\n", static_cast<unsigned>(k), order.c_str());
    before = order;
  }
  std::printf("(thesis: F4 F3 F1 F2 from k = 3, F3 F4 F1 F2 from 15)\n");
}

// Ten labelled samples: the thesis names four of them (73, 150, 78, 111, counted from 1).
void iris_with_labels(const cli::Dataset& data, const Rows& all) {
  Random random(1);
  std::map<std::string, int> orders;
  for (int set = 0; set < kLabelSets; ++set) {
    Rows labelled = {72, 149, 77, 110};
    while (labelled.size() < 10) {
      const std::size_t row = random.below(static_cast<std::uint32_t>(all.size()));
      if (std::find(labelled.begin(), labelled.end(), row) == labelled.end()) {
        labelled.push_back(row);
      }
    }
    for (std::uint32_t k = 1; k <= kMostNeighbours; ++k) {
      ++orders[text(rank_rows(config_with(kCls, "k", Real(k)), data, all, labelled))];
    }
  }
  for (const auto& [order, count] : orders) {
    std::printf("cls:%s for %d of %d label sets and k\n", order.c_str(), count,
                kLabelSets * static_cast<int>(kMostNeighbours));
  }
  std::printf("(thesis: F3 F4 F1 F2 for any k from 1 to 20)\n");
}

void iris(const std::string& path) {
  const cli::Dataset data = cli::read_dataset_file(path, std::cin, {});
  Rows all(data.samples());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::printf("Iris, %zu samples\n", data.samples());
  iris_without_labels(data, all);
  iris_with_labels(data, all);
}

}  // namespace
}  // namespace whittle::evidence

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "iris_statements FILE.csv\n");
    return 2;
  }
  try {
    whittle::evidence::iris(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iris_statements: %s\n", error.what());
    return 1;
  }
  return 0;
}
