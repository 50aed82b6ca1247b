#include "tools/cli/energy_rules.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools/cli/rounding.h"

namespace whittle::cli {
namespace {

using simulate::NodeRecord;
using simulate::Record;
using simulate::RunRecord;

constexpr double kMicro = 1e-6;

struct Bounds {
  double least = 0, most = 0;
};

double of_samples(const Record& record, std::size_t samples) {
  return static_cast<double>(samples) * record.energy.sample;
}

double of_line(const Record& record, const NodeRecord& node) {
  return static_cast<double>(node.up.bytes) * record.energy.byte_up +
         static_cast<double>(node.down.bytes) * record.energy.byte_down;
}

std::vector<double> energies_of_features(const Record& record) {
  std::vector<double> energies;
  for (std::size_t r = 0; r < record.features.size(); ++r) {
    energies.push_back(simulate::sensing_energy(record.costs, record.energy, r));
  }
  return energies;
}

// Of as many features a sample, in this order: each is sensed once in a sample.
double of_first(const std::vector<double>& energies, double features) {
  double sum = 0;
  for (const double energy : energies) {
    sum += energy * std::clamp(features, 0.0, 1.0);
    features -= 1;
  }
  return sum;
}

// Which features a node has sensed is known of the fleet only.
Bounds of_sensing(const Record& record, const NodeRecord& node) {
  std::vector<double> energies = energies_of_features(record);
  const double features = node.sensed * static_cast<double>(energies.size());
  const auto samples = static_cast<double>(node.samples);
  std::sort(energies.begin(), energies.end());
  const double least = samples * of_first(energies, features);
  std::reverse(energies.begin(), energies.end());
  return {least, samples * of_first(energies, features)};
}

void check(const RecordValue& json, double value, Bounds right, const char* by) {
  right.least *= kMicro;
  right.most *= kMicro;
  if (!is_below(value, right.least) && !is_below(right.most, value)) return;
  json.refuse((is_below(right.least, right.most)
                   ? "from " + shown(right.least) + " to " + shown(right.most)
                   : shown(right.most)) +
              by);
}

void check_nodes(const RecordValue& json, const Record& record, const RunRecord& run) {
  const std::vector<RecordValue> nodes = json.at("nodes").items();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeRecord& node = run.nodes[i];
    Bounds right = of_sensing(record, node);
    const double rest = of_samples(record, node.samples) + of_line(record, node);
    right.least += rest;
    right.most += rest;
    check(nodes[i].at("joules"), node.energy, right, ", by energy, samples, sensed and its bytes");
  }
}

}  // namespace

void check_energy(const RecordValue& json, const Record& record, const RunRecord& run) {
  check_nodes(json, record, run);
  const std::vector<double> energies = energies_of_features(record);
  const auto [cheaper, dearer] = std::minmax(record.energy.byte_up, record.energy.byte_down);
  double all = 0;  // but for the bytes
  std::size_t before = 0;
  for (std::size_t i = 0; i < run.energy.size(); ++i) {
    const std::size_t samples = (record.checkpoints[i] - before) * record.nodes;
    before = record.checkpoints[i];
    double energy = of_samples(record, samples);
    for (std::size_t r = 0; r < energies.size(); ++r) {
      energy += static_cast<double>(samples) * run.masks[i][r] * energies[r];
    }
    all += energy;
    check(json.at("joules").items()[i], run.energy[i],
          {energy + run.bytes[i] * cheaper, energy + run.bytes[i] * dearer},
          ", by energy, samples, masks and bytes");
  }
  for (const NodeRecord& node : run.nodes) all += of_line(record, node);
  check(json.at("total_joules"), run.total_energy, {all, all},
        ", by energy, samples, masks and the bytes of its nodes");
}

}  // namespace whittle::cli
