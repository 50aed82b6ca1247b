#include "whittle/node/sensing.h"

namespace whittle {
namespace {

constexpr std::uint32_t kFirstCredits = 8;
constexpr std::uint32_t kKeptReadings = 32;
constexpr std::uint32_t kMostKept = 1U << 16;
constexpr std::uint32_t kLongestPatience = 64;  // seconds

}  // namespace

bool Sensing::take(Node& node, Span<const std::uint8_t> payload) {
  if (!decode(payload, in_) || in_.which_body != whittle_v1_ToSensor_readings_tag) return false;
  apply_readings(node, in_.body.readings);
  return true;
}

Status Sensing::apply(Node& node, Span<const std::uint8_t> payload) {
  if (!decode(payload, in_)) return {StatusCode::invalid_argument, "message cannot be decoded"};
  static_cast<void>(ready(node));
  if (in_.which_body == whittle_v1_ToSensor_policy_tag) {
    return apply_policy(in_.body.policy, node);
  }
  if (in_.which_body == whittle_v1_ToSensor_costs_tag) return service_.costs(in_.body.costs);
  return {StatusCode::unimplemented, "this node does not know the message"};
}

Status Sensing::apply_policy(const whittle_v1_Policy& policy, const Node& node) {
  const FeatureRanker& ranker = node.service().ranker();
  const std::uint32_t kept = policy.has_kept_readings ? policy.kept_readings : kKeptReadings;
  if (kept < 2 || kept > kMostKept) {
    return {StatusCode::out_of_range, "kept_readings must be 2..", kMostKept};
  }
  const std::size_t features = driver_.features();
  if (ranker.created() && ranker.memory().config().features != features) {
    return {StatusCode::invalid_argument, "configure must be for as many features as are sensed",
            features};
  }
  if (features > kMaxSensedFeatures) {
    return {StatusCode::out_of_range, "a reading has room for fewer features: at most",
            kMaxSensedFeatures};
  }
  if (const Status status = service_.policy(policy, ranker); !status.ok()) return status;
  if (const Status status = place(kept); !status.ok()) {
    service_.reset();
    return status;
  }
  const std::uint64_t samples = state_.samples;
  state_ = State();
  state_.samples = samples;
  state_.configured_seq = node.session().configured_seq();
  state_.refine_iterations = policy.has_refine_iterations ? policy.refine_iterations : 0;
  state_.credits = kFirstCredits;
  sent_ = 0;
  patience_ = 1;
  return {};
}

// The ring and the values, after the pruner.
Status Sensing::place(std::uint32_t kept) {
  Arena& arena = service_.arena();
  const std::size_t features = driver_.features();
  const std::size_t rest =
      ByteCount{}.bytes(ReadingRing::required_bytes(features, kept)).array<Real>(features).total();
  if (rest > arena.left()) {
    return {StatusCode::resource_exhausted, "buffer for sensing too small: bytes needed",
            arena.used() + rest};
  }
  ring_ = ReadingRing();
  ring_.place(arena, features, kept);
  values_ = arena.array<Real>(features);
  return {};
}

bool Sensing::ready(const Node& node) {
  if (!service_.pruner().created()) return false;
  if (node.session().configured_seq() == state_.configured_seq) return true;
  withdraw();
  return false;
}

void Sensing::withdraw() {
  state_.running = resumed_ = false;
  ring_ = ReadingRing();
  service_.reset();
}

void Sensing::sample(Node& node, std::uint32_t missed) {
  if (!ready(node) || !state_.running) return;
  // So that numbers skipped are not given again after the next restart.
  if (unsaved_ && node.keeper_ != nullptr) node.keeper_->keep(node);
  unsaved_ = false;
  state_.missed += missed;
  state_.samples += missed;
  sense();
  keep();
  learn(node);
  if (alarm_) send_status(node);
  if (node.keeper_ != nullptr) node.keeper_->sampled(node, std::uint64_t{1} + missed);
}

void Sensing::sense() {
  FeaturePruner& pruner = service_.pruner();
  const Span<const bool> mask = pruner.next_mask();
  ++state_.samples;
  for (Real& value : values_) value = kNoScore;
  driver_.read(mask, values_);
  for (std::size_t r = 0; r < values_.size(); ++r) {
    if (!mask[r]) values_[r] = kNoScore;
  }
}

// Puts the reading into the ring, before it the mask it has if that is new.
void Sensing::keep() {
  FeaturePruner& pruner = service_.pruner();
  const Span<const bool> sensed = pruner.next_mask();
  bool all = true;
  bool beside = false;
  for (std::size_t r = 0; r < sensed.size(); ++r) {
    all = all && sensed[r];
    beside = beside || sensed[r] != pruner.mask()[r];
  }
  const std::uint32_t id = all ? 0 : pruner.mask_id();
  const bool announce = id != 0 && id != state_.announced;
  if (ring_.room() < (announce ? 2U : 1U)) {
    ++state_.dropped;
    return;
  }
  if (announce) {
    ring_.push_mask(id, pruner.mask());
    state_.announced = id;
  }
  ring_.push_reading(state_.samples, id, beside && !all, sensed, values_);
}

void Sensing::learn(Node& node) {
  FeaturePruner& pruner = service_.pruner();
  alarm_ = false;
  static_cast<void>(pruner.observe(values_, &alarm_));  // as many values as it has features
  if (alarm_) state_.last_alarm = pruner.drift().alarm();
  if (pruner.learns()) {
    Sample sample;
    sample.features = values_;
    sample.id = state_.samples;
    if (!node.service_.observe(sample, node.link_.port()).ok()) ++state_.refused;
  }
  // May fail for want of labels: the mask then stays as it is.
  if (pruner.update_due()) {
    static_cast<void>(pruner.update(node.service_.ranker(), state_.refine_iterations));
  }
}

void Sensing::apply_readings(Node& node, const whittle_v1_Readings& readings) {
  bool tell = readings.status;
  if (ready(node)) {
    if (readings.start || readings.mask) let_go(readings);
    if (!resumed_) take_acknowledgement(node, readings);
    if (readings.credits > 0) state_.credits = readings.credits;
    const bool was_running = state_.running;
    if (readings.start) state_.running = true;
    if (readings.stop) state_.running = false;
    if (state_.running != was_running && node.keeper_ != nullptr) node.keeper_->changed(node);
    if (readings.mask) {
      ring_.fill_base(out_);
      send(node);
    }
    tell = tell || resumed_;
  }
  if (tell) send_status(node);
}

void Sensing::take_acknowledgement(Node& node, const whittle_v1_Readings& readings) {
  if (readings.acked > ring_.acked() && readings.acked <= ring_.last_seq()) {
    ring_.acknowledge(readings.acked);
    if (sent_ < readings.acked) sent_ = readings.acked;
    waiting_since_ = node.link_.port().ticks();
    patience_ = 1;
  }
  if (readings.missing && readings.acked == ring_.acked()) go_back();
}

void Sensing::go_back() {
  state_.resent += sent_ - ring_.acked();
  sent_ = ring_.acked();
}

// Says again and again that it has been resumed, until it hears how far the host had come.
void Sensing::announce(Node& node, std::uint64_t now) {
  if (patience_ > 0 &&
      now - waiting_since_ <= std::uint64_t{patience_} * node.link_.port().tick_rate()) {
    return;
  }
  waiting_since_ = now;
  if (patience_ < kLongestPatience) patience_ = patience_ == 0 ? 1 : 2 * patience_;
  send_status(node);
}

void Sensing::transmit(Node& node) {
  if (!ready(node)) return;
  const std::uint64_t now = node.link_.port().ticks();
  if (resumed_) return announce(node, now);
  if (sent_ == ring_.acked()) {
    waiting_since_ = now;
  } else if (now - waiting_since_ > std::uint64_t{patience_} * node.link_.port().tick_rate()) {
    go_back();
    waiting_since_ = now;
    if (patience_ < kLongestPatience) patience_ *= 2;
  }
  while (sent_ < ring_.last_seq() && sent_ - ring_.acked() < state_.credits) {
    ring_.fill(++sent_, out_);
    send(node);
  }
}

void Sensing::send(Node& node) {
  const std::size_t size = encode(out_, Span<std::uint8_t>(buffer_));
  if (size > 0) node.link_.send(Span<const std::uint8_t>(buffer_, size));
}

void Sensing::send_status(Node& node) {
  const FeaturePruner& pruner = service_.pruner();
  out_.which_body = whittle_v1_FromSensor_sensing_tag;
  whittle_v1_Sensing& body = out_.body.sensing;
  body = whittle_v1_Sensing_init_zero;
  body.running = state_.running;
  if (pruner.created()) {
    const PruningStatistics& statistics = pruner.statistics();
    body.samples = statistics.samples;
    body.full_samples = statistics.full_samples;
    body.cells = statistics.cells;
    body.probes = statistics.probes;
    body.updates = statistics.updates;
    body.mask_changes = statistics.mask_changes;
    body.switches = statistics.switches;
    body.alarms = statistics.alarms;
    body.alarm_feature = state_.last_alarm.feature;
    body.alarm_kind = static_cast<std::uint32_t>(state_.last_alarm.kind);
    body.stability = static_cast<float>(pruner.stability());
    body.spent = static_cast<float>(pruner.spent());
    body.mask_cost = static_cast<float>(pruner.mask_cost());
    body.full_cost = static_cast<float>(pruner.full_cost());
    body.waiting = ring_.size();
    body.recovering = pruner.recovering();
  }
  body.dropped = state_.dropped;
  body.missed = state_.missed;
  body.refused = state_.refused;
  body.resent = state_.resent;
  body.resumed = resumed_;
  send(node);
}

}  // namespace whittle
