#include "tools/client/node_client.h"

#include <algorithm>
#include <random>
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

StateLost::StateLost(const std::string& line, std::uint64_t first, std::uint64_t last,
                     const char* how)
    : LineError(line + how + std::to_string(first) + " to " + std::to_string(last) +
                ", which it had taken in"),
      first_(first),
      last_(last) {}

NodeClient::NodeClient(posix::ByteStream& line, ClientOptions options)
    : line_(line),
      options_(options),
      deframer_(Span<std::uint8_t>(buffer_.data(), buffer_.size())),
      hello_seq_(std::random_device()()) {
  made_progress();
}

whittle_v1_Info NodeClient::connect() {
  kept_.clear();
  acknowledged_ = transmitted_ = next_seq_ - 1;
  request_.reset();
  asking_stats_ = connected_ = false;
  ranked_at_ = 0;
  made_progress();
  greet();
  while (greeting_) pump();
  return info_;
}

whittle_v1_Info NodeClient::hello() {
  do {
    wait_until_applied();
    made_progress();
    greet();
    while (greeting_) pump();
  } while (acknowledged_ + 1 < next_seq_);  // it has restarted, and did not have everything
  return info_;
}

void NodeClient::greet() {
  greeting_ = true;
  ++hello_seq_;
  reopened_ = line_.reopened();
  resend_after_ = std::min(round_trip_.patience(), options_.resend_after);
  resend_at_ = Clock::now() + resend_after_;
  send_hello();
}

void NodeClient::send_hello() {
  write({0});  // ends whatever an earlier sender left unfinished
  ToNode message = message_with(whittle_v1_ToNode_hello_tag);
  message.seq = hello_seq_;
  write(frame_of(message));
}

std::uint64_t NodeClient::send(const ToNode& message) {
  const std::uint64_t seq = enqueue(message);
  while (transmitted_ < seq) pump();
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

std::uint64_t NodeClient::enqueue(const ToNode& message) {
  ToNode numbered = message;
  numbered.seq = next_seq_;
  if (acknowledged_ + 1 == next_seq_ && !greeting_) made_progress();  // the clock runs from here
  kept_.push_back(frame_of(numbered));
  if (message.which_body == whittle_v1_ToNode_configure_tag) {
    configured_seq_ = next_seq_;
    session_ = message.body.configure.session;
  }
  if (message.which_body == whittle_v1_ToNode_reset_tag) configured_seq_ = 0;
  ++costs_.messages;
  ++next_seq_;
  transmit();
  return numbered.seq;
}

void NodeClient::flush() { wait_until_applied(); }

void NodeClient::wait_until_applied() {
  while (greeting_ || acknowledged_ + 1 < next_seq_) pump();
}

FromNode NodeClient::request(const ToNode& message, pb_size_t answer) {
  wait_until_applied();
  answer_.reset();
  request_ = Request{next_seq_, message};
  const std::uint64_t seq = enqueue(message);
  wait_until_applied();
  request_.reset();
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
  wait_until_applied();
  stats_.reset();
  asking_stats_ = true;
  made_progress();
  ask_stats();
  while (!stats_) pump();
  asking_stats_ = false;
  return *stats_;
}

void NodeClient::ask_stats() {
  write({0});
  write(frame_of(message_with(whittle_v1_ToNode_stats_tag)));  // seq 0
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

std::vector<NodeError> NodeClient::take_errors() {
  // One whose error the line lost is noticed by an ack that may come later than the next error.
  std::sort(errors_.begin(), errors_.end(),
            [](const NodeError& a, const NodeError& b) { return a.seq < b.seq; });
  return std::exchange(errors_, {});
}

}  // namespace whittle
