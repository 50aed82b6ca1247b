// Record: what a simulation found, as numbers: what tables, CSV files and the page show.
//
// Series have one value per checkpoint, over the samples since the checkpoint before, of the whole
// fleet. NaN: there is none.
#ifndef WHITTLE_TOOLS_SIMULATE_RECORD_H_
#define WHITTLE_TOOLS_SIMULATE_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/simulate/costs.h"
#include "tools/simulate/energy.h"
#include "tools/simulate/lack.h"

namespace whittle::simulate {

struct Alarm {
  std::size_t sample = 0;  // of the node
  std::size_t node = 0;
};

// One direction of a node's line.
struct LineRecord {
  std::uint64_t frames = 0;      // written, again or not
  std::uint64_t lost = 0;        // of them
  std::uint64_t resent = 0;      // readings, masks or labels written again
  std::uint64_t duplicates = 0;  // of them that had come already
  std::uint64_t bytes = 0;       // of all frames, acknowledgements too
};

struct NodeRecord {
  std::uint64_t samples = 0;
  std::uint64_t received = 0;     // by the host
  std::uint64_t dropped = 0;      // readings for which there was no more room in the node
  std::uint64_t labels = 0;       // that met their sample
  std::uint64_t late_labels = 0;  // that did not: it was held no more, or never
  std::uint64_t alarms = 0;
  std::uint64_t arena_bytes = 0;
  double sensed = 0;     // mean share of the features
  double energy = 0;     // joules
  double stability = 0;  // of the last masks
  LineRecord up, down;
  bool unscaled = false;   // it learned from fewer samples than its scale takes
  std::uint64_t flat = 0;  // features that varied, but not where its scale was learned
  Unranked unranked;       // why no ranking ever made a mask; nothing if one did, or none was to
};

struct RunRecord {
  std::string selector, policy;
  std::vector<double> accuracy;            // share of samples that the host told the class of
  std::vector<double> sensed;              // mean share of the features
  std::vector<double> bytes;               // on the line, both ways
  std::vector<double> energy;              // joules
  std::vector<double> cost;                // of a sample, mean, probes and whole samples too
  std::vector<double> mask_cost;           // of the mask in force there, mean over the nodes
  std::vector<std::vector<double>> ranks;  // checkpoint, feature: mean over the nodes, from 1
  std::vector<std::vector<double>> masks;  // checkpoint, feature: share of samples that have it
  std::vector<double> scores;              // by feature, in the end, mean over the nodes
  std::vector<bool> kept;                  // by feature, in the end, by half of the nodes or more
  std::vector<Alarm> alarms;
  std::vector<NodeRecord> nodes;

  // Totals.
  double mean_accuracy = 0;
  double mean_sensed = 0;
  double mean_cost = 0;  // of a sample
  double total_bytes = 0;
  double total_energy = 0;
  double stability = 0;
  double late_accuracy = 0;  // over the last third of the checkpoints
  double late_sensed = 0;
  double recovery = 0;  // samples of a node from the drift on; NaN: not within the run, or no drift
};

struct Record {
  std::string data;
  std::vector<std::string> features, classes;
  std::size_t rows = 0;
  std::size_t samples = 0;  // of each node
  std::size_t nodes = 0;
  std::size_t drift_at = 0;  // sample of each node; 0: no drift
  std::size_t learn = 0;     // samples from which a node learns its scale; 0: none
  EnergyModel energy;
  FeatureCosts costs;
  std::vector<std::pair<std::string, std::string>> settings;  // for people
  std::vector<std::size_t> checkpoints;                       // samples of each node
  std::vector<RunRecord> runs;                                // the first is that of policy all
};

}  // namespace whittle::simulate

#endif  // WHITTLE_TOOLS_SIMULATE_RECORD_H_
