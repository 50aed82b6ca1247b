#include "tools/simulate/fleet_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tools/simulate/frame_bytes.h"
#include "whittle/rank/feature_ranker.h"

namespace whittle::simulate {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// A sample that was not sensed whole is labelled only when so many labels are overdue.
constexpr double kPatience = 3;

RankerConfig config_of(const Readings& readings, const Fleet& fleet, const Contender& contender) {
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

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

FleetRun::FleetRun(const Readings& readings, const Drifted& drifted, const Fleet& fleet,
                   const Contender& contender)
    : readings_(readings), drifted_(drifted), fleet_(fleet), classifier_(readings) {
  record_.selector = contender.selector->id;
  record_.policy = contender.policy.name;
  const RankerConfig config = config_of(readings, fleet, contender);
  for (std::uint64_t i = 0; i < fleet.nodes; ++i) {
    const std::uint64_t seed = fleet.seed * 1000 + i;
    Site site{std::make_unique<VirtualNode>(config, contender.policy, seed),
              LossyLink(fleet.loss, 2 * seed),
              LossyLink(fleet.loss, 2 * seed + 1),
              {},
              {},
              {},
              0,
              0,
              {}};
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
    sense(i);
    const LinkCounts up = site.up.counts(), down = site.down.counts();
    for (const std::uint64_t sample : site.up.step()) receive(site, sample);
    send_labels(site);
    for (const std::uint64_t sample : site.down.step()) {
      const bool met = site.node->label(sample + 1, readings_.truth[site.sent[sample].row]);
      ++(met ? site.record.labels : site.record.late_labels);
    }
    const std::uint64_t sent =
        site.up.counts().bytes - up.bytes + site.down.counts().ack_bytes - down.ack_bytes;
    const std::uint64_t received =
        site.down.counts().bytes - down.bytes + site.up.counts().ack_bytes - up.ack_bytes;
    spend(site, static_cast<double>(sent) * fleet_.energy.byte_up +
                    static_cast<double>(received) * fleet_.energy.byte_down);
  }
  ++period_;
}

void FleetRun::sense(std::size_t index) {
  Site& site = sites_[index];
  const std::size_t row = period_ * sites_.size() + index;
  const std::size_t features = readings_.features.size();
  std::vector<Real> values(features);
  drifted_.read(row, fleet_.drift.at > 0 && period_ >= fleet_.drift.at, values.data());
  const Span<const bool> mask = site.node->sense();
  std::size_t count = 0;
  for (std::size_t r = 0; r < features; ++r) {
    if (!mask[r]) values[r] = kNoScore;
    if (mask[r]) ++count, ++now_.sensed[r];
  }
  ++now_.samples;
  ++site.record.samples;
  site.record.sensed += static_cast<double>(count) / static_cast<double>(features);
  spend(site, fleet_.energy.sample + static_cast<double>(count) * fleet_.energy.feature);
  send_up(site, period_, mask, count);
  if (site.node->observe(period_ + 1, {values.data(), features})) {
    ++site.record.alarms;
    record_.alarms.push_back({period_, index});
  }
  site.sent.push_back({row, count == features, std::move(values)});
}

void FleetRun::send_up(Site& site, std::size_t sample, Span<const bool> sensed, std::size_t count) {
  const bool full = count == sensed.size();
  const std::uint32_t mask = full ? 0 : site.node->mask_id();
  std::size_t bytes = 0;
  if (!full && mask != site.announced) {
    bytes += mask_bytes(sample + 1, mask, sensed.size());
    site.announced = mask;
  }
  const Span<const bool> known = site.node->mask();
  const bool beside = !full && !std::equal(sensed.begin(), sensed.end(), known.begin());
  bytes += reading_bytes(sample + 1, mask, count, beside ? sensed.size() : 0);
  site.up.send(bytes, sample);
}

void FleetRun::receive(Site& site, std::size_t sample) {
  Sent& sent = site.sent[sample];
  ++site.record.received;
  const std::uint32_t truth = readings_.truth[sent.row];
  if (truth == kNoClass) return;
  const Span<const Real> values(sent.values.data(), sent.values.size());
  const std::uint32_t said = classifier_.classify(values);
  if (said != kNoClass) {
    ++now_.told;
    if (said == truth) ++now_.right;
  }
  choose_for_label(site, sample);
}

void FleetRun::choose_for_label(Site& site, std::size_t sample) {
  site.label_credit += fleet_.label_rate;
  if (site.label_credit < (site.sent[sample].whole ? 1 : kPatience)) {
    site.sent[sample].values.clear();
    return;
  }
  --site.label_credit;
  site.to_be_labelled.push_back(sample);
  site.label_due.push_back(period_ + fleet_.label_delay);
}

void FleetRun::send_labels(Site& site) {
  while (!site.label_due.empty() && site.label_due.front() <= period_) {
    const std::size_t sample = site.to_be_labelled.front();
    site.label_due.pop_front();
    site.to_be_labelled.pop_front();
    std::vector<Real>& values = site.sent[sample].values;
    const std::uint32_t truth = readings_.truth[site.sent[sample].row];
    classifier_.learn({values.data(), values.size()}, truth);
    values.clear();
    site.down.send(label_bytes(sample + 1, truth), sample);
  }
}

double FleetRun::line_bytes() const {
  std::uint64_t bytes = 0;
  for (const Site& site : sites_) {
    for (const LossyLink* link : {&site.up, &site.down}) {
      bytes += link->counts().bytes + link->counts().ack_bytes;
    }
  }
  return static_cast<double>(bytes);
}

std::vector<double> FleetRun::mean_ranks() const {
  std::vector<double> sums(readings_.features.size(), 0);
  double rankings = 0;
  for (const Site& site : sites_) {
    const Ranking& ranking = site.node->ranking();
    if (!ranking.valid()) continue;
    ++rankings;
    for (std::size_t place = 0; place < sums.size(); ++place) {
      sums[ranking.order()[place]] += static_cast<double>(place + 1);
    }
  }
  for (double& sum : sums) sum = rankings > 0 ? sum / rankings : kNone;
  return sums;
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
  const double bytes = line_bytes();
  record_.bytes.push_back(bytes - bytes_before_);
  bytes_before_ = bytes;
  told_ += now_.told;
  right_ += now_.right;
  now_ = {0, 0, 0, 0, std::vector<std::size_t>(readings_.features.size(), 0)};
}

void FleetRun::describe_masks() {
  for (std::size_t r = 0; r < readings_.features.size(); ++r) {
    double score = 0, scored = 0;
    std::size_t keeping = 0;
    for (const Site& site : sites_) {
      if (site.node->mask()[r]) ++keeping;
      const Ranking& ranking = site.node->ranking();
      if (!ranking.valid() || !std::isfinite(ranking.scores()[r])) continue;
      score += static_cast<double>(ranking.scores()[r]);
      ++scored;
    }
    record_.scores.push_back(scored > 0 ? score / scored : kNone);
    record_.kept.push_back(2 * keeping >= sites_.size());
  }
}

RunRecord FleetRun::finish() {
  describe_masks();
  double stable = 0;
  record_.stability = 0;
  for (Site& site : sites_) {
    NodeRecord& node = site.record;
    node.sensed /= static_cast<double>(std::max<std::uint64_t>(node.samples, 1));
    node.arena_bytes = site.node->arena_bytes();
    node.stability = static_cast<double>(site.node->stability());
    node.up = site.up.counts();
    node.down = site.down.counts();
    record_.mean_sensed += node.sensed / static_cast<double>(sites_.size());
    record_.total_energy += node.energy;
    if (!std::isnan(node.stability)) {
      record_.stability += node.stability;
      ++stable;
    }
    record_.nodes.push_back(node);
  }
  record_.stability = stable > 0 ? record_.stability / stable : kNone;
  record_.total_bytes = line_bytes();
  record_.mean_accuracy = ratio(right_, told_);
  return std::move(record_);
}

}  // namespace whittle::simulate
