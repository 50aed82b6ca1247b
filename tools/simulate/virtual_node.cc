#include "tools/simulate/virtual_node.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "tools/client/configure_message.h"
#include "tools/client/message_frame.h"
#include "whittle/base/random.h"
#include "whittle/wire/frame.h"

namespace whittle::simulate {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kIterations = 200;  // of an iterative selector before it ranks
constexpr std::uint32_t kAlways = std::numeric_limits<std::uint32_t>::max();

// Units in an order of chance, each as long as its features fit.
std::vector<std::uint32_t> chosen_by_chance(std::uint32_t features, std::uint32_t wanted,
                                            const FeatureCosts& costs, std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> units;
  std::vector<std::size_t> unit_of(costs.groups.size(), features);
  for (std::uint32_t r = 0; r < features; ++r) {
    const std::uint32_t group = costs.group_of(r);
    if (group != kOwnUnit && unit_of[group] < features) {
      units[unit_of[group]].push_back(r);
      continue;
    }
    if (group != kOwnUnit) unit_of[group] = units.size();
    units.push_back({r});
  }
  Random random(seed);
  for (std::size_t i = units.size(); i > 1; --i) {
    std::swap(units[i - 1], units[random.below(static_cast<std::uint32_t>(i))]);
  }
  std::vector<std::uint32_t> chosen;
  for (const auto& unit : units) {
    if (chosen.size() + unit.size() > wanted) continue;
    chosen.insert(chosen.end(), unit.begin(), unit.end());
  }
  if (chosen.empty()) chosen = units.front();
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Every feature that the node has, always.
void keep_all(PruningConfig* pruning) {
  pruning->rule = PruningRule::top;
  pruning->top = pruning->features;
  pruning->warm_up = kAlways;  // a mask would leave out what has no score
  pruning->stability_masks = 0;
}

// No probes, no alarms, and what the first mask has switched stays so.
void never_change(PruningConfig* pruning) {
  pruning->probe_every = pruning->drift_block = 0;
  pruning->dwell = pruning->rank_margin = kAlways;
}

// The message in the one frame that a node has written.
template <typename Message>
Message answer_in(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint8_t> buffer(kMaxPayload + kCrcBytes);
  Deframer deframer(Span<std::uint8_t>(buffer.data(), buffer.size()));
  for (const std::uint8_t byte : bytes) {
    Message message;
    if (deframer.push(byte) && decode(deframer.payload(), message)) return message;
  }
  throw std::runtime_error("a node does not answer");
}

}  // namespace

VirtualNode::VirtualNode(const RankerConfig& config, const Policy& policy,
                         const FeatureCosts& costs, std::uint64_t seed)
    : selector_{config.selector},
      prunes_(policy.kind == PolicyKind::prune || policy.kind == PolicyKind::once),
      sensed_(config.memory.features) {
  const NodeSetup setup = choose(config, policy, costs, seed);
  const std::size_t ranker_bytes = FeatureRanker::required_bytes(setup.ranker);
  sensing_bytes_ = ByteCount{}
                       .bytes(FeaturePruner::required_bytes(setup.pruning))
                       .bytes(ReadingRing::required_bytes(sensors_.size(), setup.kept_readings))
                       .array<Real>(sensors_.size())
                       .total();
  ranker_buffer_.reset(new unsigned char[ranker_bytes + kArenaAlignment]);
  sensing_buffer_.reset(new unsigned char[sensing_bytes_ + kArenaAlignment]);
  sensing_ = std::make_unique<Sensing>(static_cast<SensorDriver&>(*this), sensing_buffer_.get(),
                                       sensing_bytes_ + kArenaAlignment);
  node_ = std::make_unique<Node>(static_cast<Port&>(*this), Catalog(selector_, kAllParts),
                                 ranker_buffer_.get(), ranker_bytes + kArenaAlignment, nullptr,
                                 sensing_.get());
  first_.assign(sensors_.size(), std::numeric_limits<Real>::quiet_NaN());
  varied_.resize(sensors_.size());
  set_up(setup, prunes_ ? costs : FeatureCosts{});
}

NodeSetup VirtualNode::choose(const RankerConfig& config, const Policy& policy,
                              const FeatureCosts& costs, std::uint64_t seed) {
  NodeSetup setup{config, policy.pruning, kIterations, kKeptReadings};
  PruningConfig& pruning = setup.pruning;
  pruning.features = config.memory.features;
  pruning.seed = seed;
  sensors_.resize(pruning.features);
  std::iota(sensors_.begin(), sensors_.end(), 0U);
  if (policy.kind == PolicyKind::random) {
    sensors_ = chosen_by_chance(pruning.features, kept_features(pruning), costs, seed);
    pruning.features = static_cast<std::uint32_t>(sensors_.size());
    setup.ranker.memory.features = pruning.features;
  }
  if (policy.kind == PolicyKind::all || policy.kind == PolicyKind::random) {
    keep_all(&pruning);
  } else {
    pruning.groups = static_cast<std::uint32_t>(costs.groups.size());
  }
  if (policy.kind != PolicyKind::prune) never_change(&pruning);
  if (pruning.features > kMaxSensedFeatures) {
    throw std::runtime_error("a reading has room for " + std::to_string(kMaxSensedFeatures) +
                             " features, here are " + std::to_string(pruning.features) +
                             "; build with -DWHITTLE_MAX_PAYLOAD=" +
                             std::to_string(64 + 4 * (pruning.features + 8)) + " or more");
  }
  return setup;
}

template <typename Message>
void VirtualNode::give(const Message& message) {
  const std::vector<std::uint8_t> frame = frame_of(message);
  node_->receive(Span<const std::uint8_t>(frame.data(), frame.size()));
}

// The answer is taken off the line, and whatever waits there.
template <typename Answer, typename Message>
Answer VirtualNode::ask(const Message& message) {
  output_.clear();
  give(message);
  return answer_in<Answer>(take_output());
}

template <typename Message>
void VirtualNode::tell(Message message) {
  message.seq = ++setup_seq_;
  const auto answer = ask<FromNode>(message);
  if (answer.which_body != whittle_v1_FromNode_ack_tag) {
    throw std::runtime_error(std::string("a node refuses its config: ") + answer.body.error.text);
  }
}

void VirtualNode::set_up(const NodeSetup& setup, const FeatureCosts& costs) {
  tell(configure_message(setup.ranker));
  tell(policy_message(setup));
  for (const ToSensor& message : costs_messages(costs)) tell(message);
  whittle_v1_Readings start = whittle_v1_Readings_init_zero;
  start.start = true;
  give(start);
}

void VirtualNode::sample(Span<const Real> row) {
  ++seconds_;
  row_ = row;
  sensing_->sample(*node_);
  sensing_->transmit(*node_);
}

void VirtualNode::receive(Span<const std::uint8_t> bytes) {
  node_->receive(bytes);
  sensing_->transmit(*node_);
}

std::vector<std::uint8_t> VirtualNode::take_output() { return std::exchange(output_, {}); }

void VirtualNode::write(Span<const std::uint8_t> bytes) {
  output_.insert(output_.end(), bytes.begin(), bytes.end());
}

void VirtualNode::read(Span<const bool> mask, Span<Real> values) {
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    sensed_[sensors_[i]] = mask[i];
    if (!mask[i]) continue;
    values[i] = row_[sensors_[i]];
    if (is_missing(first_[i])) first_[i] = values[i];
    if (!is_missing(values[i]) && values[i] != first_[i]) varied_[i] = true;
  }
}

std::vector<bool> VirtualNode::mask() const {
  std::vector<bool> mask(sensed_.size());
  for (std::size_t i = 0; i < sensors_.size(); ++i) mask[sensors_[i]] = pruner().mask()[i];
  return mask;
}

std::vector<double> VirtualNode::ranks() const {
  std::vector<double> ranks(sensed_.size(), kNone);
  const Ranking& ranking = node_->service().ranker().ranking();
  if (!ranking.valid()) return ranks;
  for (std::size_t place = 0; place < sensors_.size(); ++place) {
    ranks[sensors_[ranking.order()[place]]] = static_cast<double>(place + 1);
  }
  return ranks;
}

std::vector<double> VirtualNode::scores() const {
  std::vector<double> scores(sensed_.size(), kNone);
  const Ranking& ranking = node_->service().ranker().ranking();
  if (!ranking.valid()) return scores;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const auto score = static_cast<double>(ranking.scores()[i]);
    if (std::isfinite(score)) scores[sensors_[i]] = score;
  }
  return scores;
}

std::size_t VirtualNode::arena_bytes() const {
  return node_->service().arena().used() + sensing_bytes_;
}

std::uint64_t VirtualNode::labelled() const { return memory().counts().labelled; }

Unranked VirtualNode::why_unranked() {
  if (!prunes_ || pruner().statistics().updates > 0) return {};
  if (Unranked reason = not_asked(pruner()); reason.lack != Lack::nothing) return reason;
  ToNode query = whittle_v1_ToNode_init_zero;
  query.which_body = whittle_v1_ToNode_query_tag;
  query.seq = node_->session().last_seq() + 1;
  const auto answer = ask<FromNode>(query);
  const bool refuses = answer.which_body == whittle_v1_FromNode_error_tag;
  const std::vector<double> now = scores();
  const bool any = std::any_of(now.begin(), now.end(), [](double score) { return score == score; });
  if (!refuses && any) {
    return {"it can rank now, but could not when its mask was last due", Lack::time};
  }
  return refused(refuses ? answer.body.error.text : "", memory(), varied_);
}

bool VirtualNode::unscaled() const {
  return prunes_ && memory().config().learn > 0 && memory().scales_learned() == 0;
}

std::size_t VirtualNode::flat() const {
  return prunes_ ? taken_for_constant(memory(), varied_) : 0;
}

whittle_v1_Sensing VirtualNode::sensing_statistics() {
  whittle_v1_Readings readings = whittle_v1_Readings_init_zero;
  readings.status = true;
  return ask<FromSensor>(readings).body.sensing;
}

whittle_v1_Stats VirtualNode::node_statistics() {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_stats_tag;
  return ask<FromNode>(message).body.stats;
}

}  // namespace whittle::simulate
