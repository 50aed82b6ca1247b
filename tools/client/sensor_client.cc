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

whittle_v1_Info SensorClient::connect() {
  ToNode hello = whittle_v1_ToNode_init_zero;
  hello.seq = ++hello_seq_;
  hello.which_body = whittle_v1_ToNode_hello_tag;
  info_.reset();
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
    if (Clock::now() >= resend) {
      write(frame);
      resend = Clock::now() + options_.resend_after;
    }
    pump(std::chrono::milliseconds(10));
  }
}

void SensorClient::send_frame(const std::vector<std::uint8_t>& frame, std::uint64_t seq) {
  refusal_.reset();
  repeat_until(frame, [&] { return acked_ >= seq; });
  if (refusal_) throw NodeRefusal(*refusal_);
}

void SensorClient::send(ToNode message) {
  message.seq = ++last_seq_;
  send_frame(frame_of(message), message.seq);
}

void SensorClient::send(ToSensor message) {
  message.seq = ++last_seq_;
  const bool policy = message.which_body == whittle_v1_ToSensor_policy_tag;
  send_frame(frame_of(message), message.seq);
  if (policy) receiver_.restart();
}

void SensorClient::label(std::uint64_t sample, std::uint32_t label) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_label_tag;
  message.body.label = {sample, label};
  send(message);
}

std::vector<std::uint8_t> SensorClient::readings_frame(const whittle_v1_Readings& readings) const {
  ToSensor message = whittle_v1_ToSensor_init_zero;
  message.which_body = whittle_v1_ToSensor_readings_tag;
  message.body.readings = readings;
  return frame_of(message);
}

void SensorClient::start() {
  whittle_v1_Readings readings = receiver_.answer();
  readings.start = readings.status = true;
  status_.reset();
  repeat_until(readings_frame(readings), [&] { return status_ && status_->running; });
}

void SensorClient::stop() {
  whittle_v1_Readings readings = receiver_.answer();
  readings.stop = readings.status = true;
  status_.reset();
  repeat_until(readings_frame(readings), [&] { return status_ && !status_->running; });
}

whittle_v1_Sensing SensorClient::status() {
  whittle_v1_Readings readings = receiver_.answer();
  readings.status = true;
  status_.reset();
  repeat_until(readings_frame(readings), [&] { return status_.has_value(); });
  return *status_;
}

whittle_v1_Ranking SensorClient::query(const whittle_v1_Query& query) {
  ToNode message = whittle_v1_ToNode_init_zero;
  message.which_body = whittle_v1_ToNode_query_tag;
  message.body.query = query;
  message.seq = ++last_seq_;
  ranking_.reset();
  refusal_.reset();
  // Asked again, it is answered again.
  repeat_until(frame_of(message), [&] {
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
  if (receiver_.has_answer()) write(readings_frame(receiver_.answer()));
}

void SensorClient::take(Span<const std::uint8_t> payload) {
  FromSensor sensed;
  if (decode(payload, sensed) && sensed.which_body != 0) {
    if (auto sample = receiver_.take(sensed)) readings_.push_back(std::move(*sample));
    if (sensed.which_body == whittle_v1_FromSensor_sensing_tag) {
      status_ = sensed.body.sensing;
      alarms_ = status_->alarms;
    }
    return;
  }
  FromNode message;
  if (!decode(payload, message)) return;
  switch (message.which_body) {
    case whittle_v1_FromNode_info_tag:
      if (message.body.info.hello_seq == hello_seq_) info_ = message.body.info;
      return;
    case whittle_v1_FromNode_ack_tag:
      acked_ = std::max(acked_, message.body.ack.seq);
      return;
    case whittle_v1_FromNode_error_tag:
      if (message.body.error.seq != last_seq_) return;
      refusal_ = NodeError{message.body.error.seq, static_cast<StatusCode>(message.body.error.code),
                           message.body.error.text};
      return;
    case whittle_v1_FromNode_ranking_tag:
      ranking_ = message.body.ranking;
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
