// The answers of Node: from its state to messages.
#include "whittle/base/real.h"
#include "whittle/node/node.h"
#include "whittle/node/text.h"
#include "whittle/node/version.h"
#include "whittle/rank/state_digest.h"
#include "whittle/wire/limits.h"

namespace whittle {

void Node::send_info() {
  reply_.which_body = whittle_v1_FromNode_info_tag;
  whittle_v1_Info& info = reply_.body.info;
  Text(info.version).add(kVersion);
  Text(info.board).add(link_.port().board());
  info.real_bits = 8 * sizeof(Real);
  info.max_payload = kMaxPayload;
  info.max_features = kMaxSampleFeatures;
  info.arena_bytes = static_cast<std::uint32_t>(service_.arena().capacity());
  info.last_seq = session_.last_seq();
  info.credits = credits();
  constexpr std::size_t room = sizeof info.selectors / sizeof info.selectors[0];
  const Catalog& catalog = service_.catalog();
  info.selectors_count = 0;
  for (std::size_t i = 0; i < catalog.size() && i < room; ++i) {
    Text(info.selectors[info.selectors_count++]).add(catalog[i].id);
  }
  info.configured = service_.configured();
  info.snapshots = false;
  info.snapshot_refused[0] = '\0';
  info.failed_snapshots = 0;
  if (keeper_ != nullptr) keeper_->describe(info);
  info.durable_seq = session_.durable_seq();
  info.session = session_.name();
  info.configured_seq = session_.configured_seq();
  info.hello_seq = message_.seq;
  link_.send(reply_);
}

void Node::send_ack() {
  reply_.which_body = whittle_v1_FromNode_ack_tag;
  reply_.body.ack.seq = session_.last_seq();
  reply_.body.ack.durable_seq = session_.durable_seq();
  reply_.body.ack.credits = credits();
  reply_.body.ack.refused = session_.refused();
  link_.send(reply_);
}

void Node::send_nack() {
  reply_.which_body = whittle_v1_FromNode_nack_tag;
  reply_.body.nack.expected = session_.expected();
  reply_.body.nack.credits = credits();
  link_.send(reply_);
}

void Node::send_no_seq() {
  reply_.which_body = whittle_v1_FromNode_error_tag;
  whittle_v1_Error& error = reply_.body.error;
  error.seq = 0;
  error.code = static_cast<std::uint32_t>(StatusCode::invalid_argument);
  Text(error.text).add("message without a seq that can be read");
  link_.send(reply_);
}

void Node::reply_error(std::uint64_t seq) {
  reply_.which_body = whittle_v1_FromNode_error_tag;
  whittle_v1_Error& error = reply_.body.error;
  error.seq = seq;
  error.code = static_cast<std::uint32_t>(refusal_.code);
  Text(error.text).add(refusal_.text);
}

Status Node::reply(bool again) {
  switch (message_.which_body) {
    case whittle_v1_ToNode_query_tag:
      reply_.which_body = whittle_v1_FromNode_ranking_tag;
      return service_.query(message_.body.query, message_.seq, again, reply_.body.ranking);
    case whittle_v1_ToNode_predict_tag:
      reply_.which_body = whittle_v1_FromNode_prediction_tag;
      reply_.body.prediction.sample = message_.seq;
      return service_.predict(message_.body.predict, reply_.body.prediction.label);
    case whittle_v1_ToNode_memberships_tag:
      reply_.which_body = whittle_v1_FromNode_memberships_tag;
      reply_.body.memberships.seq = message_.seq;
      return service_.memberships(message_.body.memberships.sample, reply_.body.memberships);
    case whittle_v1_ToNode_stats_tag:
      reply_stats();
      return {};
    default:
      return {StatusCode::unimplemented, "this node does not know the message"};
  }
}

void Node::reply_stats() {
  reply_.which_body = whittle_v1_FromNode_stats_tag;
  whittle_v1_Stats& stats = reply_.body.stats;
  const FrameCounts& frames = link_.frames();
  stats.frames = frames.good;
  stats.crc_errors = frames.crc_errors;
  stats.framing_errors = frames.framing_errors;
  stats.undecodable = counts_.undecodable;
  stats.gaps = counts_.gaps;
  stats.duplicates = counts_.duplicates;
  stats.refused = counts_.refused;
  const SampleStatistics& samples = service_.samples();
  stats.samples = samples.taken;
  stats.refused_samples = samples.refused;
  stats.observe_ticks = samples.observe_ticks;
  stats.slowest_observe = samples.slowest_observe;
  const Arena& arena = service_.arena();
  stats.arena_used = static_cast<std::uint32_t>(arena.used());
  stats.arena_bytes = static_cast<std::uint32_t>(arena.capacity());
  stats.tick_rate = link_.port().tick_rate();
  stats.uptime_ticks = link_.port().ticks() - started_at_;
  stats.bytes_received = link_.bytes_received();
  stats.bytes_sent = link_.bytes_sent();
  stats.invalid_samples = samples.refused_for(StatusCode::invalid_argument);
  stats.early_samples = samples.refused_for(StatusCode::failed_precondition);
  stats.outlying_samples = samples.refused_for(StatusCode::out_of_range);
  stats.overruns = link_.port().overruns();
  stats.resets = counts_.resets;
  const StateDigest* const digest = service_.catalog().parts().digest;
  stats.state_digest =
      digest != nullptr && service_.configured() ? digest->of(service_.ranker()) : 0;
  stats.stack_high_water = static_cast<std::uint32_t>(link_.port().stack_high_water());
}

}  // namespace whittle
