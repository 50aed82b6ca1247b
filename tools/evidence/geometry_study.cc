// How close the rankings of a memory of fixed size come to those of the whole stream:
//   geometry_study FILE.csv...
//
// Per file, share of the stream that the memory holds, geometry and selector: overlap of the better
// half of the features, mean and smallest over the orders, and mean of Kendall's tau. All scores
// with default parameters. 5 % of the samples are labelled; the labelled buffer gets a tenth of the
// memory, or half of it. `random` stands for samples picked from the whole stream at random: it
// shows how much of a ranking is chance.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/cli/dataset.h"
#include "tools/evidence/agreement.h"
#include "tools/evidence/held_set.h"
#include "tools/evidence/stream.h"
#include "whittle/rank/feature_ranker.h"
#include "whittle/select/cls.h"
#include "whittle/select/csfs.h"
#include "whittle/select/ls.h"

namespace whittle::evidence {
namespace {

constexpr double kLabelledShare = 0.05;
constexpr int kOrders = 5;
constexpr const SelectorType* kSelectors[] = {&kLs, &kCls, &kCsfs};

struct Plan {
  const char* name;
  double labelled;  // part of the memory for labelled samples
  double window;    // its part of what they leave; the rest is the codebook's
};
constexpr Plan kPlans[] = {{"window", 0.1, 1},       {"codebook", 0.1, 0}, {"hybrid 1:1", 0.1, 0.5},
                           {"hybrid 1:4", 0.1, 0.2}, {"window", 0.5, 1},   {"codebook", 0.5, 0}};

Ranks rank(const SelectorType& type, const std::vector<HeldPoint>& points, const Stream& stream) {
  RankerConfig config(type);
  config.memory.features = static_cast<std::uint32_t>(stream.features());
  config.memory.classes = stream.classes();
  config.memory.labelled = stream.classes();
  for (const HeldPoint& point : points) {
    ++(point.kind == SampleKind::labelled ? config.memory.labelled : config.memory.window);
  }
  config.memory.keep_distances = false;
  std::vector<unsigned char> bytes(FeatureRanker::required_bytes(config) + kArenaAlignment);
  Arena arena(bytes.data(), bytes.size());
  FeatureRanker ranker;
  const auto check = [](const Status& status) {
    if (!status.ok()) throw std::runtime_error(status.reason());
  };
  check(ranker.create(arena, config));
  for (const HeldPoint& point : points) {
    check(ranker.observe(
        {Span<const Real>(point.x.data(), point.x.size()), point.kind, point.label}));
  }
  check(ranker.rank(0));
  const Span<const std::uint32_t> order = ranker.ranking().order();
  return Ranks(order.begin(), order.end());
}

class Agreement {
 public:
  void add(const Ranks& whole, const Ranks& held) {
    const double overlap = half_overlap(whole, held);
    least_ = std::min(least_, overlap);
    overlap_ += overlap;
    tau_ += kendall_tau(whole, held);
    ++count_;
  }
  void print() const {
    std::printf(" %5.3f (%5.3f) %5.3f |", overlap_ / count_, least_, tau_ / count_);
  }

 private:
  double overlap_ = 0, least_ = 1, tau_ = 0;
  int count_ = 0;
};

using Table = std::map<std::string, std::map<std::string, Agreement>>;  // by row, by selector

std::string row_name(double share, const char* geometry, const std::string& parts) {
  char name[80];
  std::snprintf(name, sizeof name, "%3.0f %% | %-10s | %-14s", 100 * share, geometry,
                parts.c_str());
  return name;
}

MemoryShape shape_of(const Plan& plan, std::uint32_t points) {
  MemoryShape shape;
  shape.labelled = static_cast<std::uint32_t>(plan.labelled * points);
  const std::uint32_t rest = points - shape.labelled;
  shape.window = static_cast<std::uint32_t>(plan.window * rest + 0.5);
  shape.units = rest - shape.window;
  return shape;
}

void study_order(const cli::Dataset& data, Order order, std::uint64_t seed, Table& table) {
  const Stream stream(data, order, kLabelledShare, seed);
  const auto size = static_cast<std::uint32_t>(stream.size());
  std::map<std::string, Ranks> whole;
  const std::vector<HeldPoint> everything = held_after(stream, {size, size, 0});
  for (const SelectorType* type : kSelectors) whole[type->id] = rank(*type, everything, stream);
  const auto compare = [&](const std::string& row, const std::vector<HeldPoint>& held) {
    for (const SelectorType* type : kSelectors) {
      table[row][type->id].add(whole[type->id], rank(*type, held, stream));
    }
  };
  for (const double share : {0.50, 0.10, 0.03}) {
    const auto points = static_cast<std::uint32_t>(share * static_cast<double>(stream.size()));
    compare(row_name(share, "random", std::to_string(points)),
            picked_at_random(stream, points, seed));
    if (share > 0.10) continue;  // only to compare with
    for (const Plan& plan : kPlans) {
      const MemoryShape shape = shape_of(plan, points);
      const std::string parts = std::to_string(shape.labelled) + " + " +
                                std::to_string(shape.window) + " + " + std::to_string(shape.units);
      compare(row_name(share, plan.name, parts), held_after(stream, shape));
    }
  }
}

void study(const std::string& path, Order order) {
  const cli::Dataset data = cli::read_dataset_file(path, std::cin, {});
  Table table;
  for (int i = 0; i < kOrders; ++i) {
    study_order(data, order, static_cast<std::uint64_t>(i) + 1, table);
  }
  std::printf("\n%s: %zu samples, %zu features, %s, %d orders\n\n", path.c_str(), data.samples(),
              data.features(), order == Order::sorted ? "sorted by class" : "shuffled", kOrders);
  std::printf("| memory | geometry | labelled + window + units |");
  for (const SelectorType* type : kSelectors) std::printf(" %s: overlap (least) tau |", type->id);
  std::printf("\n");
  for (const auto& [row, agreements] : table) {
    std::printf("| %s |", row.c_str());
    for (const SelectorType* type : kSelectors) agreements.at(type->id).print();
    std::printf("\n");
  }
}

}  // namespace
}  // namespace whittle::evidence

int main(int count, char** arguments) {
  try {
    for (int i = 1; i < count; ++i) {
      whittle::evidence::study(arguments[i], whittle::evidence::Order::shuffled);
      whittle::evidence::study(arguments[i], whittle::evidence::Order::sorted);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "geometry_study: %s\n", error.what());
    return 1;
  }
  return count > 1 ? 0 : 2;
}
