#include "tools/client/message_frame.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "whittle/wire/frame.h"
#include "whittle/wire/limits.h"

namespace whittle {
namespace {

class VectorSink : public ByteSink {
 public:
  void write(Span<const std::uint8_t> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

template <typename Message>
std::vector<std::uint8_t> frame_around(const Message& message) {
  std::array<std::uint8_t, kMaxPayload> payload;
  const std::size_t size = encode(message, Span<std::uint8_t>(payload.data(), payload.size()));
  if (size == 0) throw std::length_error("a message breaks the bounds of whittle.options.in");
  VectorSink sink;
  write_frame(Span<const std::uint8_t>(payload.data(), size), sink);
  return sink.take();
}

}  // namespace

std::vector<std::uint8_t> frame_of(const ToNode& message) { return frame_around(message); }
std::vector<std::uint8_t> frame_of(const ToSensor& message) { return frame_around(message); }

std::vector<std::uint8_t> frame_of(const whittle_v1_Readings& readings) {
  ToSensor message = whittle_v1_ToSensor_init_zero;
  message.which_body = whittle_v1_ToSensor_readings_tag;
  message.body.readings = readings;
  return frame_of(message);
}

}  // namespace whittle
