#include "whittle/node/node_snapshots.h"

#include <type_traits>

#include "whittle/node/text.h"

namespace whittle {

struct NodeSnapshots::State {
  Session session;
  SampleStatistics samples;
  std::uint64_t ranked_at = 0;
  bool refinable = false;
  pb_size_t last_body = 0;
  std::uint32_t every = 0;
};

Status NodeSnapshots::applied(Node& node) {
  switch (node.message_.which_body) {
    case whittle_v1_ToNode_configure_tag:
      return configured(node);
    case whittle_v1_ToNode_snapshot_tag:
      return save(node);
    case whittle_v1_ToNode_sample_tag:
      // The sample is taken in whether or not this succeeds; durable_seq tells.
      if (every_ > 0 && node.service_.samples_.taken % every_ == 0) (void)save(node);
      return {};
    case whittle_v1_ToNode_reset_tag:
      config_.reset();
      every_ = 0;
      // What was forgotten must not come back with the power.
      if (node.session_.durable_seq() > 0) (void)save(node);
      return {};
    default:
      return {};
  }
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

Status NodeSnapshots::save(Node& node) {
  static_assert(std::is_trivially_copyable_v<State>, "saved as bytes");
  RankingService& service = node.service_;
  State state{node.session_,      service.samples_,         service.ranked_at_,
              service.refinable_, node.message_.which_body, every_};
  state.session.advance();
  FeatureRanker* const ranker = service.configured() ? &service.ranker_ : nullptr;
  const Status status = snapshots_.save(
      ranker, service.whole_, ranker == nullptr ? nullptr : &*config_, state.session.last_seq(),
      {reinterpret_cast<const std::uint8_t*>(&state), sizeof state});
  node.session_.set_durable(snapshots_.seq());
  return status;
}

Status NodeSnapshots::restore(Node& node) {
  State state;
  RankingService& service = node.service_;
  const Status status = snapshots_.restore(service.ranker_, service.arena_, config_,
                                           {reinterpret_cast<std::uint8_t*>(&state), sizeof state});
  if (status.ok()) node.session_ = state.session;
  node.session_.resume(snapshots_.seq());
  node.session_.set_durable(snapshots_.seq());
  if (!status.ok()) return status;
  node.last_body_ = state.last_body;
  service.samples_ = state.samples;
  service.ranked_at_ = state.ranked_at;
  service.refinable_ = state.refinable;
  every_ = state.every;
  return {};
}

void NodeSnapshots::describe(whittle_v1_Info& info) const {
  Text(info.snapshot_refused).add(snapshots_.refusal());
}

}  // namespace whittle
