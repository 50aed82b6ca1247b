// How well jsfs classifies the unlabelled samples that it learned with:
//   semi_supervised_accuracy FILE.csv SPLITS.csv [NOISE]
//
// Each line of SPLITS.csv lists the samples (rows, from 0) that keep their label; all others are
// held without. NOISE features of standard normal noise are added. Per split: accuracy on the
// unlabelled samples of the pseudo labels by plain F and by F with its columns divided by their
// sums, of jsfs, and of a linear SVM (C = 1) on all features, z-scored, of the labelled samples
// alone; features and samples that jsfs keeps, its passes, and whether it converged. Then the
// means. Two classes.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/cli/dataset.h"
#include "tools/evidence/rank_rows.h"
#include "whittle/base/random.h"
#include "whittle/select/drsvm.h"
#include "whittle/select/jsfs.h"

namespace whittle::evidence {
namespace {

void check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.reason());
}

// Standard normal, by Box and Muller.
Real normal(Random& random) {
  constexpr double kTurn = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log(1 - static_cast<double>(random.uniform())));
  return static_cast<Real>(radius * std::cos(kTurn * static_cast<double>(random.uniform())));
}

cli::Dataset with_noise(const cli::Dataset& data, std::size_t count) {
  cli::Dataset noisy = data;
  noisy.values.clear();
  Random random(1);
  for (std::size_t i = 0; i < data.samples(); ++i) {
    const Span<const Real> x = data.values_of(i);
    noisy.values.insert(noisy.values.end(), x.begin(), x.end());
    for (std::size_t r = 0; r < count; ++r) noisy.values.push_back(normal(random));
  }
  for (std::size_t r = 0; r < count; ++r) noisy.names.push_back("noise" + std::to_string(r));
  return noisy;
}

// Column by column.
void standardise(cli::Dataset& data) {
  const std::size_t m = data.features();
  const auto n = static_cast<double>(data.samples());
  for (std::size_t r = 0; r < m; ++r) {
    double sum = 0, squares = 0;
    for (std::size_t at = r; at < data.values.size(); at += m) {
      sum += static_cast<double>(data.values[at]);
    }
    for (std::size_t at = r; at < data.values.size(); at += m) {
      const double d = static_cast<double>(data.values[at]) - sum / n;
      squares += d * d;
    }
    const double scale = squares > 0 ? 1 / std::sqrt(squares / n) : 0;
    for (std::size_t at = r; at < data.values.size(); at += m) {
      data.values[at] = static_cast<Real>((static_cast<double>(data.values[at]) - sum / n) * scale);
    }
  }
}

std::vector<std::vector<bool>> read_splits(const std::string& path, std::size_t samples) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::vector<bool>> splits;
  for (std::string line; std::getline(file, line);) {
    std::vector<bool> labelled(samples, false);
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) labelled.at(std::stoul(cell)) = true;
    splits.push_back(labelled);
  }
  return splits;
}

// A memory that holds the whole data set, and a selector that has converged on it.
class Learner {
 public:
  Learner(RankerConfig config, const cli::Dataset& data, const std::vector<bool>& labelled)
      : data_(data), labelled_(labelled), scores_(data.features()) {
    const auto known = std::count(labelled.begin(), labelled.end(), true);
    config.memory.features = static_cast<std::uint32_t>(data.features());
    config.memory.classes = static_cast<std::uint32_t>(data.classes.size());
    config.memory.labelled = static_cast<std::uint32_t>(known);
    config.memory.window = static_cast<std::uint32_t>(data.samples());
    const MemoryConfig memory = config.configured_memory();
    const SelectorType& type = *config.selector;
    bytes_.resize(StreamMemory::required_bytes(memory) +
                  type.required_bytes(memory, config.values) + kArenaAlignment);
    Arena arena(bytes_.data(), bytes_.size());
    check(memory_.create(arena, memory));
    check(type.create(arena, memory_, config.values, &selector_));
    Observation seen;
    for (std::size_t i = 0; i < data.samples(); ++i) {
      Sample sample = data.sample(i);
      if (!labelled[i]) sample.kind = SampleKind::unlabelled;
      check(memory_.observe(sample, &seen));
      selector_->observe(seen);
    }
    while (!selector_->refine(1000).converged) {
    }
    check(selector_->score({scores_.data(), scores_.size()}, &info_));
  }

  double accuracy() const {
    std::size_t right = 0, asked = 0;
    for (std::size_t i = 0; i < data_.samples(); ++i) {
      if (labelled_[i]) continue;
      std::uint32_t label = 0;
      check(selector_->predict(data_.values_of(i).data(), &label));
      right += label == data_.rows[i].label ? 1 : 0;
      ++asked;
    }
    return static_cast<double>(right) / static_cast<double>(asked);
  }
  std::size_t positive_scores() const {
    return static_cast<std::size_t>(
        std::count_if(scores_.begin(), scores_.end(), [](Real s) { return s > 0; }));
  }
  double told(const char* name) const {
    for (std::size_t i = 0; i < info_.size(); ++i) {
      if (std::string(info_[i].name) == name) return static_cast<double>(info_[i].number);
    }
    throw std::runtime_error(name);
  }
  const StreamMemory& memory() const { return memory_; }

 private:
  const cli::Dataset& data_;
  const std::vector<bool>& labelled_;
  std::vector<Real> scores_;
  std::vector<unsigned char> bytes_;
  StreamMemory memory_;
  Selector* selector_ = nullptr;
  InfoList info_;
};

// Shares of the unlabelled points that get their class, from F as it is and with its columns
// divided by their sums.
struct PseudoLabels {
  double plain;
  double normalised;
};

PseudoLabels judge_pseudo_labels(const StreamMemory& memory, const cli::Dataset& data) {
  const std::size_t k = 20, n = data.samples();
  std::vector<unsigned char> bytes(StandardPoints::required_bytes(memory.config()) +
                                   NearestRows::required_bytes(memory.config().capacity(), k) +
                                   LabelPropagation::required_bytes(memory.config().capacity()) +
                                   kArenaAlignment);
  Arena arena(bytes.data(), bytes.size());
  StandardPoints points;
  NearestRows graph;
  LabelPropagation labels;
  points.place(arena, memory.config());
  graph.place(arena, memory.config().capacity(), k);
  labels.place(arena, memory.config().capacity());
  points.update(memory.points());
  for (std::size_t i = 0; i < n; ++i) graph.find(points, i);
  graph.weigh(n);
  labels.start(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (points.label(i) != kUnlabelled) labels.label(i, points.label(i) == 1 ? 1 : -1);
  }
  while (!labels.sweep(graph)) {
  }
  labels.decide();
  double plain = 0, normalised = 0, asked = 0;
  for (std::size_t i = 0; i < n; ++i) {  // all are held, in the order of the file
    if (points.label(i) != kUnlabelled) continue;
    const bool positive = data.rows[i].label == 1;
    plain += (labels.value(i, 1) > labels.value(i, 0)) == positive ? 1 : 0;
    normalised += labels.positive(i) == positive ? 1 : 0;
    ++asked;
  }
  return {plain / asked, normalised / asked};
}

RankerConfig linear_svm() {
  RankerConfig config = config_with(kDrsvm);
  check(config.values.set(kDrsvmParams, "lambda1", 0));
  check(config.values.set(kDrsvmParams, "lambda2", 1));
  return config;
}

void study(const std::string& path, const std::string& splits_path, std::size_t noise) {
  cli::Dataset data = with_noise(cli::read_dataset_file(path, std::cin, {}), noise);
  if (data.classes.size() != 2) throw std::runtime_error("two classes are needed");
  standardise(data);
  std::printf("%zu samples, %zu features and %zu of noise\n\n", data.samples(),
              data.features() - noise, noise);
  std::printf(
      "split  labelled  plain F  normalised F   jsfs  linear SVM  features  samples  passes\n");
  double sums[4] = {}, count = 0;
  for (const std::vector<bool>& labelled : read_splits(splits_path, data.samples())) {
    const Learner jsfs(config_with(kJsfs), data, labelled);
    const Learner svm(linear_svm(), data, labelled);
    const PseudoLabels pseudo = judge_pseudo_labels(jsfs.memory(), data);
    const double shares[] = {pseudo.plain, pseudo.normalised, jsfs.accuracy(), svm.accuracy()};
    for (std::size_t i = 0; i < 4; ++i) sums[i] += shares[i];
    ++count;
    std::printf("%5.0f  %8ld  %7.3f  %12.3f  %5.3f  %10.3f  %8zu  %7.0f  %6.0f%s\n", count,
                static_cast<long>(std::count(labelled.begin(), labelled.end(), true)), shares[0],
                shares[1], shares[2], shares[3], jsfs.positive_scores(), jsfs.told("kept_samples"),
                jsfs.told("iterations"), jsfs.told("converged") > 0 ? "" : ", not converged");
  }
  std::printf("mean             %7.3f  %12.3f  %5.3f  %10.3f\n", sums[0] / count, sums[1] / count,
              sums[2] / count, sums[3] / count);
}

}  // namespace
}  // namespace whittle::evidence

int main(int count, char** arguments) {
  if (count < 3 || count > 4) {
    std::fprintf(stderr, "usage: semi_supervised_accuracy FILE.csv SPLITS.csv [NOISE]\n");
    return 2;
  }
  try {
    whittle::evidence::study(arguments[1], arguments[2], count == 4 ? std::stoul(arguments[3]) : 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "semi_supervised_accuracy: %s\n", error.what());
    return 1;
  }
  return 0;
}
