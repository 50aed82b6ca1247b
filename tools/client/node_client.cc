#include "tools/client/node_client.h"

#include <algorithm>
#include <utility>

#include "tools/client/message_frame.h"

namespace whittle {
namespace {

ToNode message_with(pb_size_t body) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = body;
  return message;
}

std::string refusal_text(const NodeError& error) {
  return std::string(status_code_name(error.code)) + ": " + error.text;
}

}  // namespace

NodeRefusal::NodeRefusal(const NodeError& error)
    : std::runtime_error(refusal_text(error)), error_(error) {}

NodeClient::NodeClient(posix::ByteStream& line, ClientOptions options)
    : line_(line),
      options_(options),
      deframer_(Span<std::uint8_t>(buffer_.data(), buffer_.size())) {
  made_progress();
}

whittle_v1_Info NodeClient::connect() {
  outgoing_.clear();
  transmitted_ = 0;
  stale_nacks_ = 0;
  acknowledged_ = 0;
  ranked_at_ = 0;
  connected_ = false;
  write({0});  // ends whatever an earlier sender left unfinished
  const whittle_v1_Info info = hello();
  connected_ = true;
  acknowledged_ = info.last_seq;
  next_seq_ = acknowledged_ + 1;
  last_error_seq_ = acknowledged_;
  credits_ = std::max<std::uint64_t>(info.credits, 1);
  return info;
}

whittle_v1_Info NodeClient::hello() {
  flush();
  info_.reset();
  send_hello();
  made_progress();
  while (!info_) {
    pump();
    if (!info_ && Clock::now() >= resend_at_) {
      send_hello();
      resend_at_ = Clock::now() + resend_after_;
    }
  }
  return *info_;
}

void NodeClient::send_hello() {
  ToNode message = message_with(whittle_v1_ToNode_hello_tag);
  write(frame_of(message));
}

std::uint64_t NodeClient::send(const ToNode& message) {
  const std::uint64_t seq = enqueue(message, false);
  while (transmitted_ < outgoing_.size()) pump();
  return seq;
}

std::uint64_t NodeClient::label(std::uint64_t sample, std::uint32_t label) {
  ToNode message = message_with(whittle_v1_ToNode_label_tag);
  message.body.label = {sample, label};
  return send(message);
}

std::uint64_t NodeClient::constrain(std::uint64_t first, std::uint64_t second, bool must_link) {
  ToNode message = message_with(whittle_v1_ToNode_constraint_tag);
  message.body.constraint = {first, second, must_link};
  return send(message);
}

std::uint64_t NodeClient::rescale() { return send(message_with(whittle_v1_ToNode_rescale_tag)); }

std::uint64_t NodeClient::enqueue(const ToNode& message, bool wants_answer) {
  ToNode numbered = message;
  numbered.seq = next_seq_;
  if (outgoing_.empty()) made_progress();  // the clock runs from here
  outgoing_.push_back({numbered.seq, frame_of(numbered), wants_answer});
  ++costs_.messages;
  ++next_seq_;
  transmit();
  return numbered.seq;
}

void NodeClient::flush() {
  while (!outgoing_.empty()) pump();
}

FromNode NodeClient::request(const ToNode& message, pb_size_t answer) {
  answer_.reset();
  request_ = message;
  const std::uint64_t seq = enqueue(message, true);
  flush();
  if (answer_->which_body == answer) return *answer_;
  const std::vector<NodeError> errors = take_errors();
  for (const NodeError& error : errors) {
    if (error.seq != seq) errors_.push_back(error);
  }
  throw NodeRefusal(errors.back());
}

whittle_v1_Ranking NodeClient::query(const whittle_v1_Query& query) {
  ToNode message = message_with(whittle_v1_ToNode_query_tag);
  message.body.query = query;
  const whittle_v1_Ranking page = request(message, whittle_v1_FromNode_ranking_tag).body.ranking;
  ranked_at_ = page.ranked_at;
  return page;
}

whittle_v1_Stats NodeClient::stats() {
  ToNode message = message_with(whittle_v1_ToNode_stats_tag);
  return request(message, whittle_v1_FromNode_stats_tag).body.stats;
}

std::uint32_t NodeClient::predict(const std::vector<float>& features) {
  ToNode message = message_with(whittle_v1_ToNode_predict_tag);
  whittle_v1_Sample& sample = message.body.predict;
  if (features.size() > kMaxSampleFeatures) {
    throw std::length_error("a message has no room for as many features");
  }
  sample.count = static_cast<std::uint32_t>(features.size());
  sample.features_count = static_cast<pb_size_t>(features.size());
  std::copy(features.begin(), features.end(), sample.features);
  return request(message, whittle_v1_FromNode_prediction_tag).body.prediction.label;
}

std::vector<float> NodeClient::memberships(std::uint64_t sample) {
  ToNode message = message_with(whittle_v1_ToNode_memberships_tag);
  message.body.memberships.sample = sample;
  const FromNode answer = request(message, whittle_v1_FromNode_memberships_tag);
  const whittle_v1_Memberships& body = answer.body.memberships;
  return {body.degrees, body.degrees + body.degrees_count};
}

std::vector<NodeError> NodeClient::take_errors() { return std::exchange(errors_, {}); }

void NodeClient::transmit() {
  while (transmitted_ < outgoing_.size() &&
         outgoing_[transmitted_].seq <= acknowledged_ + credits_) {
    write(outgoing_[transmitted_].frame);
    ++transmitted_;
  }
}

// Everything not acknowledged is sent again, in order.
void NodeClient::go_back() {
  costs_.resent += transmitted_;
  transmitted_ = 0;
  resend_at_ = Clock::now() + resend_after_;
  transmit();
}

// Takes in what comes, for a while.
void NodeClient::pump() {
  check_time();
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(resend_at_ - Clock::now());
  std::uint8_t bytes[4096];
  const std::size_t count =
      line_.read(Span<std::uint8_t>(bytes), std::max(wait, std::chrono::milliseconds(1)));
  costs_.bytes_received += count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!deframer_.push(bytes[i])) continue;
    FromNode message;
    if (!decode(deframer_.payload(), message)) continue;  // of a later version
    heard_ = true;
    handle(message);
  }
  costs_.damaged = deframer_.counts().crc_errors + deframer_.counts().framing_errors;
}

void NodeClient::check_time() {
  const Clock::time_point now = Clock::now();
  if (now - progress_at_ > options_.patience) {
    const std::string seconds =
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count());
    throw posix::LineError(line_.name() +
                           (heard_ ? ": the node answers, but has taken nothing in for "
                                   : ": the node has been silent for ") +
                           seconds + " s");
  }
  if (now < resend_at_ || outgoing_.empty()) return;
  resend_after_ = std::min(2 * resend_after_, 8 * options_.resend_after);
  go_back();
}

void NodeClient::handle(const FromNode& message) {
  if (message.which_body == whittle_v1_FromNode_info_tag) {
    // One from before the last acknowledgement answers an earlier hello.
    if (message.body.info.last_seq >= acknowledged_) info_ = message.body.info;
    return;
  }
  if (!connected_) return;  // meant for an earlier sender
  if (is_answer(message)) answer_ = message;
  switch (message.which_body) {
    case whittle_v1_FromNode_ack_tag:
      return handle_ack(message.body.ack);
    case whittle_v1_FromNode_nack_tag:
      return handle_nack(message.body.nack);
    case whittle_v1_FromNode_error_tag:
      return handle_error(message.body.error);
    default:
      return;
  }
}

bool NodeClient::waits_for_answer() const {
  return !outgoing_.empty() && outgoing_.back().wants_answer;
}

// Whether it answers the request that waits, which is the last message out. Answers to requests
// that were sent twice may come late.
bool NodeClient::is_answer(const FromNode& message) const {
  if (!waits_for_answer()) return false;
  const std::uint64_t seq = outgoing_.back().seq;
  switch (message.which_body) {
    case whittle_v1_FromNode_ranking_tag: {
      const whittle_v1_Ranking& page = message.body.ranking;
      const std::uint32_t first = request_.body.query.first;
      return request_.which_body == whittle_v1_ToNode_query_tag && page.first == first &&
             (first == 0 ? page.ranked_at == seq : ranked_at_ == 0 || page.ranked_at == ranked_at_);
    }
    case whittle_v1_FromNode_prediction_tag:
      return message.body.prediction.sample == seq;
    case whittle_v1_FromNode_memberships_tag:
      return message.body.memberships.seq == seq;
    case whittle_v1_FromNode_stats_tag:
      return request_.which_body == whittle_v1_ToNode_stats_tag;
    case whittle_v1_FromNode_error_tag:
      return message.body.error.seq == seq;
    default:
      return false;
  }
}

void NodeClient::handle_ack(const whittle_v1_Ack& ack) {
  if (ack.seq >= next_seq_) {
    throw posix::LineError(line_.name() + ": the node has applied messages of another sender");
  }
  credits_ = std::max<std::uint64_t>(ack.credits, 1);
  if (waits_for_answer() && ack.seq == outgoing_.back().seq && !answer_) {
    // The answer got lost. The node answers its last message again when it comes again.
    drop_until(ack.seq - 1);
    return go_back();
  }
  drop_until(ack.seq);
  transmit();
}

void NodeClient::handle_nack(const whittle_v1_Nack& nack) {
  if (nack.expected <= acknowledged_) {
    throw posix::LineError(line_.name() + ": the node has restarted and lost what it was sent");
  }
  if (nack.expected >= next_seq_) return;
  credits_ = std::max<std::uint64_t>(nack.credits, 1);
  drop_until(nack.expected - 1);
  // Every message that arrives after a gap brings a nack; the first of them is enough.
  if (nack.expected == gap_ && stale_nacks_ > 0) {
    --stale_nacks_;
    return;
  }
  gap_ = nack.expected;
  stale_nacks_ = transmitted_ > 2 ? transmitted_ - 2 : 0;
  go_back();
}

void NodeClient::handle_error(const whittle_v1_Error& error) {
  const auto code = static_cast<StatusCode>(error.code);
  if (error.seq == 0) throw NodeRefusal({0, code, error.text});
  if (error.seq <= last_error_seq_ || error.seq >= next_seq_) return;  // told already; not ours
  last_error_seq_ = error.seq;
  errors_.push_back({error.seq, code, error.text});
}

void NodeClient::drop_until(std::uint64_t seq) {
  if (seq <= acknowledged_) return;
  acknowledged_ = seq;
  while (!outgoing_.empty() && outgoing_.front().seq <= seq) {
    outgoing_.pop_front();
    if (transmitted_ > 0) --transmitted_;
  }
  made_progress();
}

void NodeClient::made_progress() {
  heard_ = false;
  resend_after_ = options_.resend_after;
  progress_at_ = Clock::now();
  resend_at_ = progress_at_ + resend_after_;
}

void NodeClient::write(const std::vector<std::uint8_t>& frame) {
  line_.write(Span<const std::uint8_t>(frame.data(), frame.size()));
  costs_.bytes_sent += frame.size();
}

}  // namespace whittle
