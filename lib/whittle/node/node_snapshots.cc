#include "whittle/node/node_snapshots.h"

#include <type_traits>

#include "whittle/node/text.h"

namespace whittle {

namespace {

// Numbers of samples that are not given again after a restart where snapshots come when asked only.
constexpr std::uint32_t kSkippedNumbers = 1U << 16;
constexpr pb_size_t kNoBody = 0;

}  // namespace

struct NodeSnapshots::State {
  Session session;
  SampleStatistics samples;
  std::uint64_t ranked_at = 0;
  bool refinable = false;
  pb_size_t last_body = 0;
  std::uint32_t every = 0;
  Node::Refusal refusal;
};

Status NodeSnapshots::applied(Node& node) {
  switch (node.message_.which_body) {
    case whittle_v1_ToNode_configure_tag:
      return configured(node);
    case whittle_v1_ToNode_snapshot_tag:
      return save(node, Moment::in_message);
    case whittle_v1_ToNode_sample_tag:
      // The sample is taken in whether or not this succeeds; durable_seq tells.
      if (every_ > 0 && node.service_.samples_.taken % every_ == 0)
        (void)save(node, Moment::in_message);
      return {};
    case whittle_v1_ToNode_reset_tag:
      config_.reset();
      every_ = 0;
      // What was forgotten must not come back with the power.
      if (node.session_.durable_seq() > 0) (void)save(node, Moment::in_message);
      return {};
    default:
      return node.message_.which_body == kNoBody ? role_changed(node) : Status();
  }
}

// Counts numbers: after a restart every_ of them are left out, so no more may be given in between.
void NodeSnapshots::sampled(Node& node, std::uint64_t numbers) {
  if (every_ == 0) return;
  since_ += numbers;
  if (since_ < every_) return;
  since_ = 0;
  keep(node);
}

void NodeSnapshots::changed(Node& node) {
  if (every_ > 0) keep(node);
}

void NodeSnapshots::keep(Node& node) { (void)save(node, Moment::between_messages); }

// By a policy or costs.
Status NodeSnapshots::role_changed(Node& node) {
  if (every_ == 0) return {};
  const std::size_t record = sizeof(State) + node.sensing_->part(node).bytes();
  const Status status = snapshots_.check(Snapshots::required_bytes(*config_, record));
  if (status.ok()) {
    // The message has done what it was to do whether or not this succeeds.
    (void)save(node, Moment::in_message);
  } else {
    node.sensing_->withdraw();
  }
  return status;
}

// Remembers the config that the ranker was created from.
Status NodeSnapshots::configured(Node& node) {
  RankingService& service = node.service_;
  const whittle_v1_Configure& message = node.message_.body.configure;
  RankerConfig config(service.ranker_.type(), service.catalog_.parts());
  const char* subject = nullptr;
  (void)RankingService::fill(message, config, subject);  // it has been filled before
  Status status;
  if (message.snapshot_every > 0) {
    status = snapshots_.check(Snapshots::required_bytes(config, sizeof(State)));
  }
  if (!status.ok()) {
    const SampleStatistics samples = service.samples_;
    service.reset();
    service.samples_ = samples;
    node.session_.reset();
    return status;
  }
  config_ = config;
  every_ = message.snapshot_every;
  return {};
}

Status NodeSnapshots::save(Node& node, Moment moment) {
  static_assert(std::is_trivially_copyable_v<State>, "saved as bytes");
  RankingService& service = node.service_;
  State state{node.session_,   service.samples_, service.ranked_at_, service.refinable_,
              node.last_body_, every_,           node.refusal_};
  if (moment == Moment::in_message) {
    state.session.advance(false);
    state.last_body = node.message_.which_body;
    state.refusal.code = StatusCode::ok;
  }
  FeatureRanker* const ranker = service.configured() ? &service.ranker_ : nullptr;
  SnapshotPart* const part = node.sensing_ == nullptr ? nullptr : &node.sensing_->part(node);
  const Status status = snapshots_.save(
      ranker, service.whole_, ranker == nullptr ? nullptr : &*config_, state.session.last_seq(),
      {reinterpret_cast<const std::uint8_t*>(&state), sizeof state}, part);
  node.session_.set_durable(snapshots_.seq());
  if (status.ok()) {
    since_ = 0;
  } else {
    ++failed_;
  }
  return status;
}

Status NodeSnapshots::restore(Node& node) {
  State state;
  RankingService& service = node.service_;
  SnapshotPart* const part = node.sensing_ == nullptr ? nullptr : &node.sensing_->part(node);
  const Status status =
      snapshots_.restore(service.ranker_, service.arena_, config_,
                         {reinterpret_cast<std::uint8_t*>(&state), sizeof state}, part);
  if (status.ok()) node.session_ = state.session;
  node.session_.resume(snapshots_.seq());
  node.session_.set_durable(snapshots_.seq());
  if (!status.ok()) return status;
  node.last_body_ = state.last_body;
  node.refusal_ = state.refusal;
  service.samples_ = state.samples;
  service.ranked_at_ = state.ranked_at;
  service.refinable_ = state.refinable;
  every_ = state.every;
  if (node.sensing_ != nullptr) node.sensing_->resumed(every_ > 0 ? every_ : kSkippedNumbers);
  return {};
}

void NodeSnapshots::describe(whittle_v1_Info& info) const {
  Text(info.snapshot_refused).add(snapshots_.refusal());
  info.snapshots = true;
  info.failed_snapshots = failed_;
}

}  // namespace whittle
