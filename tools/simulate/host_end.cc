#include "tools/simulate/host_end.h"

#include <utility>

#include "tools/client/message_frame.h"
#include "whittle/wire/codec_sensing.h"

namespace whittle::simulate {
namespace {

constexpr std::uint64_t kResendAfter = 2;  // seconds, as SensorClient by default

void append(const std::vector<std::uint8_t>& more, std::vector<std::uint8_t>* bytes) {
  bytes->insert(bytes->end(), more.begin(), more.end());
}

}  // namespace

HostEnd::HostEnd(std::size_t features, std::uint64_t seq) : receiver_(features), acked_(seq) {}

void HostEnd::label(std::uint64_t sample, std::uint32_t label) {
  labels_.push_back({sample, label});
}

std::vector<SensedSample> HostEnd::receive(Span<const std::uint8_t> bytes) {
  std::vector<SensedSample> samples;
  for (const std::uint8_t byte : bytes) {
    if (!deframer_.push(byte)) continue;
    FromSensor sensed;
    if (decode(deframer_.payload(), sensed) && sensed.which_body != 0) {
      if (auto sample = receiver_.take(sensed)) samples.push_back(std::move(*sample));
      continue;
    }
    FromNode answer;
    if (!decode(deframer_.payload(), answer)) continue;
    if (answer.which_body != whittle_v1_FromNode_ack_tag || answer.body.ack.seq <= acked_) continue;
    acked_ = answer.body.ack.seq;
    labels_.pop_front();
    sent_ = false;
  }
  return samples;
}

std::vector<std::uint8_t> HostEnd::take_output(std::uint64_t second) {
  std::vector<std::uint8_t> bytes;
  if (receiver_.has_answer()) append(frame_of(receiver_.answer()), &bytes);
  take_label_output(second, &bytes);
  return bytes;
}

void HostEnd::take_label_output(std::uint64_t second, std::vector<std::uint8_t>* bytes) {
  if (labels_.empty() || (sent_ && second < sent_at_ + kResendAfter)) return;
  if (sent_) ++resent_;
  ToNode message = whittle_v1_ToNode_init_zero;
  message.seq = acked_ + 1;
  message.which_body = whittle_v1_ToNode_label_tag;
  message.body.label = {labels_.front().sample, labels_.front().label};
  append(frame_of(message), bytes);
  sent_ = true;
  sent_at_ = second;
}

}  // namespace whittle::simulate
