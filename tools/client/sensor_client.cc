#include "tools/client/sensor_client.h"

#include <algorithm>
#include <random>
#include <utility>

#include "tools/client/message_frame.h"

namespace whittle {

SensorClient::SensorClient(posix::ByteStream& line, std::size_t features, Fill fill,
                           ClientOptions options)
    : line_(line),
      options_(options),
      receiver_(features, fill),
      deframer_(Span<std::uint8_t>(buffer_.data(), buffer_.size())),
      hello_seq_(std::random_device()()) {}

whittle_v1_Info SensorClient::connect(std::uint64_t last_sample) {
  ToNode hello = whittle_v1_ToNode_init_zero;
  hello.seq = ++hello_seq_;
  hello.which_body = whittle_v1_ToNode_hello_tag;
  info_.reset();
  kept_.clear();
  rewinding_ = forgotten_ = false;
  receiver_.took(std::max(last_sample, receiver_.last_sample()));
  write({0});
  repeat_until(frame_of(hello), [&] { return info_.has_value(); });
  acked_ = last_seq_ = info_->last_seq;
  if (info_->configured) receiver_.join();
  return *info_;
}

// Sends a frame until what it asks for has come.
template <typename Done>
void SensorClient::repeat_until(const std::vector<std::uint8_t>& frame, const Done& done) {
  const Clock::time_point give_up = Clock::now() + options_.patience;
  Clock::time_point resend = Clock::now();
  while (!done()) {
    if (Clock::now() >= give_up) {
      throw posix::LineError(line_.name() + ": the node does not answer");
    }
    if (forgotten_) throw posix::LineError(line_.name() + ": the node has forgotten its messages");
    if (Clock::now() >= resend) {
      write(frame);
      resend = Clock::now() + options_.resend_after;
    }
    pump(std::chrono::milliseconds(10));
  }
}

void SensorClient::keep(const std::vector<std::uint8_t>& frame, bool is_policy) {
  if (info_ && info_->snapshots) kept_.push_back({last_seq_, frame, is_policy});
}

void SensorClient::send_frame(const std::vector<std::uint8_t>& frame, bool is_policy) {
  keep(frame, is_policy);
  refusal_.reset();
  refused_ = false;
  // Sent again, it is refused with the reason again.
  repeat_until(frame, [&] { return acked_ >= last_seq_ && (!refused_ || refusal_); });
  if (refused_) throw NodeRefusal(*refusal_);
}

void SensorClient::send(ToNode message) {
  message.seq = ++last_seq_;
  send_frame(frame_of(message), false);
}

void SensorClient::send(ToSensor message) {
  message.seq = ++last_seq_;
  const bool is_policy = message.which_body == whittle_v1_ToSensor_policy_tag;
  send_frame(frame_of(message), is_policy);
  if (is_policy) receiver_.restart();
}

void SensorClient::label(std::uint64_t sample, std::uint32_t label) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_label_tag;
  message.body.label = {sample, label};
  send(message);
}

void SensorClient::start() {
  whittle_v1_Readings readings = receiver_.answer();
  readings.start = readings.status = true;
  readings.sample = receiver_.last_sample();
  status_.reset();
  repeat_until(frame_of(readings), [&] { return status_ && status_->running; });
}

void SensorClient::stop() {
  whittle_v1_Readings readings = receiver_.answer();
  readings.stop = readings.status = true;
  status_.reset();
  repeat_until(frame_of(readings), [&] { return status_ && !status_->running; });
}

whittle_v1_Sensing SensorClient::status() {
  whittle_v1_Readings readings = receiver_.answer();
  readings.status = true;
  status_.reset();
  repeat_until(frame_of(readings), [&] { return status_.has_value(); });
  return *status_;
}

whittle_v1_Stats SensorClient::stats() {
  ToNode message = whittle_v1_ToNode_init_zero;  // with seq 0: not counted
  message.which_body = whittle_v1_ToNode_stats_tag;
  stats_.reset();
  repeat_until(frame_of(message), [&] { return stats_.has_value(); });
  return *stats_;
}

whittle_v1_Ranking SensorClient::query(const whittle_v1_Query& query) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_query_tag;
  message.body.query = query;
  message.seq = ++last_seq_;
  const std::vector<std::uint8_t> frame = frame_of(message);
  keep(frame);
  ranking_.reset();
  refusal_.reset();
  // Asked again, it is answered again.
  repeat_until(frame, [&] {
    return acked_ >= message.seq && (ranking_.has_value() || refusal_.has_value());
  });
  if (refusal_) throw NodeRefusal(*refusal_);
  return *ranking_;
}

std::vector<SensedSample> SensorClient::poll(std::chrono::milliseconds wait) {
  const Clock::time_point end = Clock::now() + wait;
  do {
    pump(std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()));
  } while (readings_.empty() && Clock::now() < end);
  return std::exchange(readings_, {});
}

void SensorClient::pump(std::chrono::milliseconds wait) {
  std::uint8_t bytes[4096];
  const std::size_t count =
      line_.read(Span<std::uint8_t>(bytes), std::max(wait, std::chrono::milliseconds(0)));
  bytes_received_ += count;
  for (std::size_t i = 0; i < count; ++i) {
    if (deframer_.push(bytes[i])) take(deframer_.payload());
  }
  if (receiver_.has_answer()) write(frame_of(receiver_.answer()));
}

bool SensorClient::take_sensed(Span<const std::uint8_t> payload) {
  FromSensor sensed;
  if (!decode(payload, sensed) || sensed.which_body == 0) return false;
  if (auto sample = receiver_.take(sensed)) readings_.push_back(std::move(*sample));
  if (sensed.which_body == whittle_v1_FromSensor_sensing_tag) {
    status_ = sensed.body.sensing;
    alarms_ = status_->alarms;
    // Its answer tells what the node knows of it.
    if (status_->resumed && !kept_.empty()) write(kept_.back().frame);
  }
  return true;
}

// What the node was told after its snapshot, one message after the other.
void SensorClient::send_again(std::uint64_t seq) {
  for (const Sent& sent : kept_) {
    if (sent.seq == seq) write(sent.frame);
  }
}

void SensorClient::take_ack(const whittle_v1_Ack& ack) {
  if (rewinding_ && ack.seq > rewound_) {
    for (const Sent& sent : kept_) {
      const bool again = sent.is_policy && sent.seq > rewound_ && sent.seq <= ack.seq;
      if (again) receiver_.restart();
    }
    rewound_ = ack.seq;
    rewinding_ = ack.seq < acked_;
    send_again(ack.seq + 1);
  }
  acked_ = std::max(acked_, ack.seq);
  if (ack.seq == last_seq_) refused_ = (ack.refused & 1) != 0;
  while (!kept_.empty() && kept_.front().seq <= ack.durable_seq) kept_.pop_front();
}

void SensorClient::take(Span<const std::uint8_t> payload) {
  if (take_sensed(payload)) return;
  FromNode message;
  if (!decode(payload, message)) return;
  switch (message.which_body) {
    case whittle_v1_FromNode_info_tag:
      if (message.body.info.hello_seq == hello_seq_) info_ = message.body.info;
      return;
    case whittle_v1_FromNode_ack_tag:
      return take_ack(message.body.ack);
    case whittle_v1_FromNode_nack_tag: {
      const std::uint64_t expected = message.body.nack.expected;
      if (expected > acked_) return;
      forgotten_ = kept_.empty() || expected < kept_.front().seq;
      rewinding_ = true;
      rewound_ = expected - 1;
      return send_again(expected);
    }
    case whittle_v1_FromNode_error_tag:
      if (message.body.error.seq != last_seq_) return;
      refusal_ = NodeError{message.body.error.seq, static_cast<StatusCode>(message.body.error.code),
                           message.body.error.text};
      return;
    case whittle_v1_FromNode_ranking_tag:
      ranking_ = message.body.ranking;
      return;
    case whittle_v1_FromNode_stats_tag:
      stats_ = message.body.stats;
      return;
    default:
      return;
  }
}

void SensorClient::write(const std::vector<std::uint8_t>& bytes) {
  bytes_sent_ += bytes.size();
  line_.write(Span<const std::uint8_t>(bytes.data(), bytes.size()));
}

}  // namespace whittle
