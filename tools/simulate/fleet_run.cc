#include "tools/simulate/fleet_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tools/simulate/means.h"

namespace whittle::simulate {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// A sample that was not sensed whole is labelled only when so many labels are owed: chance bunches
// them, and most of a bunch shall still meet whole samples.
constexpr std::uint32_t kPatience = 8;

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

RankerConfig node_config(const Readings& readings, const Fleet& fleet, const Contender& contender) {
  RankerConfig config(*contender.selector, kAllParts);
  MemoryConfig& memory = config.memory;
  memory.features = static_cast<std::uint32_t>(readings.features.size());
  memory.classes = static_cast<std::uint32_t>(readings.classes.size());
  memory.labelled = std::max(fleet.labelled, memory.classes);
  memory.window = fleet.window;
  memory.codebook = fleet.codebook;
  if (fleet.codebook > 0) memory.geometry = Geometry::hybrid;
  memory.scaling = fleet.learn > 0 ? Scaling::zscore : Scaling::none;
  memory.learn = fleet.learn;
  memory.half_life = static_cast<Real>(fleet.half_life);
  return config;
}

FleetRun::FleetRun(const Readings& readings, const Drifted& drifted, const Fleet& fleet,
                   const Contender& contender)
    : readings_(readings), drifted_(drifted), fleet_(fleet), classifier_(readings) {
  record_.selector = contender.selector->id;
  record_.policy = contender.policy.name;
  const RankerConfig config = node_config(readings, fleet, contender);
  for (std::uint64_t i = 0; i < fleet.nodes; ++i) {
    const std::uint64_t seed = fleet.seed * 1000 + i;
    Site site{std::make_unique<VirtualNode>(config, contender.policy, fleet.costs, seed),
              nullptr,
              LossyLink(fleet.loss, 2 * seed),
              LossyLink(fleet.loss, 2 * seed + 1),
              LabelDraw(fleet.label_rate, seed),
              {},
              0,
              {}};
    site.host = std::make_unique<HostEnd>(site.node->sensors().size(), site.node->setup_seq());
    sites_.push_back(std::move(site));
  }
  now_.sensed.assign(readings.features.size(), 0);
}

void FleetRun::spend(Site& site, double microjoules) {
  site.record.energy += microjoules * 1e-6;
  now_.energy += microjoules * 1e-6;
}

void FleetRun::period() {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    Site& site = sites_[i];
    const std::uint64_t up = site.up.counts().bytes, down = site.down.counts().bytes;
    sense(i);
    send_labels(i);
    exchange(i);
    spend(site, static_cast<double>(site.up.counts().bytes - up) * fleet_.energy.byte_up +
                    static_cast<double>(site.down.counts().bytes - down) * fleet_.energy.byte_down);
  }
  ++period_;
}

void FleetRun::sense(std::size_t index) {
  Site& site = sites_[index];
  std::vector<Real> row(readings_.features.size());
  drifted_.read(period_ * sites_.size() + index, fleet_.drift.at > 0 && period_ >= fleet_.drift.at,
                row.data());
  site.node->sample({row.data(), row.size()});
  const std::vector<bool>& sensed = site.node->sensed();
  double count = 0, energy = fleet_.energy.sample;
  for (std::size_t r = 0; r < sensed.size(); ++r) {
    if (!sensed[r]) continue;
    ++count;
    ++now_.sensed[r];
    energy += sensing_energy(fleet_.costs, fleet_.energy, r);
  }
  ++now_.samples;
  ++site.record.samples;
  site.record.sensed += count / static_cast<double>(sensed.size());
  now_.cost += cost_of(fleet_.costs, sensed);
  spend(site, energy);
  if (site.node->pruner().statistics().alarms == site.record.alarms) return;
  ++site.record.alarms;
  record_.alarms.push_back({period_, index});
}

// Both ends talk until neither has anything to say, which takes them no time.
void FleetRun::exchange(std::size_t index) {
  Site& site = sites_[index];
  std::vector<std::uint8_t> bytes = site.node->take_output();
  do {
    site.up.write({bytes.data(), bytes.size()});
    bytes = site.up.take();
    for (SensedSample& sample : site.host->receive({bytes.data(), bytes.size()})) {
      receive(index, std::move(sample));
    }
    bytes = site.host->take_output(period_);
    site.down.write({bytes.data(), bytes.size()});
    bytes = site.down.take();
    site.node->receive({bytes.data(), bytes.size()});
    bytes = site.node->take_output();
  } while (!bytes.empty());
}

std::uint32_t FleetRun::truth_of(std::size_t index, const SensedSample& sample) const {
  return readings_.truth[(sample.number - 1) * sites_.size() + index];
}

void FleetRun::receive(std::size_t index, SensedSample sample) {
  Site& site = sites_[index];
  ++site.record.received;
  const bool drawn = site.draw.falls_on(sample.number);
  const std::uint32_t truth = truth_of(index, sample);
  if (truth == kNoClass) return;
  // A node of fewer sensors numbers its features otherwise.
  std::vector<float> values(readings_.features.size(), std::numeric_limits<float>::quiet_NaN());
  const std::vector<std::uint32_t>& sensors = site.node->sensors();
  for (std::size_t i = 0; i < sensors.size(); ++i) values[sensors[i]] = sample.values[i];
  sample.values = std::move(values);
  const std::uint32_t said = classifier_.classify(sample.values);
  if (said != kNoClass) {
    ++now_.told;
    if (said == truth) ++now_.right;
  }
  if (drawn) ++site.owed;
  if (site.owed < (sample.mask == 0 ? 1 : kPatience)) return;
  --site.owed;
  site.chosen.push_back({std::move(sample), period_ + fleet_.label_delay});
}

void FleetRun::send_labels(std::size_t index) {
  Site& site = sites_[index];
  while (!site.chosen.empty() && site.chosen.front().due <= period_) {
    const SensedSample& sample = site.chosen.front().sample;
    const std::uint32_t truth = truth_of(index, sample);
    classifier_.learn(sample.values, truth);
    site.host->label(sample.number, truth);
    site.chosen.pop_front();
  }
}

double FleetRun::line_bytes() const {
  std::uint64_t bytes = 0;
  for (const Site& site : sites_) {
    for (const LossyLink* link : {&site.up, &site.down}) {
      bytes += link->counts().bytes;
    }
  }
  return static_cast<double>(bytes);
}

// Of the masks in force, mean over the nodes.
double FleetRun::mask_cost() const {
  double sum = 0;
  for (const Site& site : sites_) sum += cost_of(fleet_.costs, site.node->mask());
  return sum / static_cast<double>(sites_.size());
}

std::vector<double> FleetRun::mean_ranks() const {
  Means means(readings_.features.size());
  for (const Site& site : sites_) means.add(site.node->ranks());
  return means.values();
}

void FleetRun::checkpoint() {
  std::vector<double> mask;
  double sensed = 0;
  for (const std::size_t count : now_.sensed) {
    mask.push_back(ratio(count, now_.samples));
    sensed += mask.back();
  }
  record_.sensed.push_back(sensed / static_cast<double>(mask.size()));
  record_.masks.push_back(std::move(mask));
  record_.ranks.push_back(mean_ranks());
  record_.accuracy.push_back(ratio(now_.right, now_.told));
  record_.energy.push_back(now_.energy);
  record_.cost.push_back(now_.cost / static_cast<double>(now_.samples));
  total_cost_ += now_.cost;
  record_.mask_cost.push_back(mask_cost());
  const double bytes = line_bytes();
  record_.bytes.push_back(bytes - bytes_before_);
  bytes_before_ = bytes;
  told_ += now_.told;
  right_ += now_.right;
  now_ = {0, 0, 0, 0, 0, std::vector<std::size_t>(readings_.features.size(), 0)};
}

void FleetRun::describe_masks() {
  Means scores(readings_.features.size());
  std::vector<std::size_t> keeping(readings_.features.size(), 0);
  for (const Site& site : sites_) {
    scores.add(site.node->scores());
    const std::vector<bool> mask = site.node->mask();
    for (std::size_t r = 0; r < mask.size(); ++r) keeping[r] += mask[r] ? 1 : 0;
  }
  record_.scores = scores.values();
  for (const std::size_t count : keeping) record_.kept.push_back(2 * count >= sites_.size());
}

void FleetRun::describe_node(Site& site) {
  NodeRecord& node = site.record;
  node.sensed /= static_cast<double>(std::max<std::uint64_t>(node.samples, 1));
  node.arena_bytes = site.node->arena_bytes();
  node.stability = static_cast<double>(site.node->pruner().stability());
  node.labels = site.node->labelled();
  node.late_labels = site.node->applied() - node.labels;
  const whittle_v1_Sensing sensing = site.node->sensing_statistics();
  node.dropped = sensing.dropped;
  const LinkCounts &up = site.up.counts(), &down = site.down.counts();
  node.up = {up.frames, up.lost, sensing.resent, site.host->duplicates(), up.bytes};
  node.down = {down.frames, down.lost, site.host->resent(), site.node->node_statistics().duplicates,
               down.bytes};
  node.unscaled = site.node->unscaled();
  node.flat = site.node->flat();
  node.unranked = site.node->why_unranked();  // last: it asks
}

RunRecord FleetRun::finish() {
  describe_masks();
  Means stability(1);
  double samples = 0;
  for (Site& site : sites_) {
    describe_node(site);
    samples += static_cast<double>(site.record.samples);
    record_.mean_sensed += site.record.sensed / static_cast<double>(sites_.size());
    record_.total_energy += site.record.energy;
    stability.add({site.record.stability});
    record_.nodes.push_back(site.record);
  }
  record_.stability = stability.values().front();
  record_.mean_cost = total_cost_ / samples;
  record_.total_bytes = line_bytes();
  record_.mean_accuracy = ratio(right_, told_);
  return std::move(record_);
}

}  // namespace whittle::simulate
