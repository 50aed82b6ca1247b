#include <pb_decode.h>
#include <pb_encode.h>

#include "whittle/wire/codec_sensing.h"

namespace whittle {

bool decode(Span<const std::uint8_t> payload, ToSensor& message) {
  pb_istream_t stream = pb_istream_from_buffer(payload.data(), payload.size());
  return pb_decode(&stream, whittle_v1_ToSensor_fields, &message);
}

std::size_t encode(const FromSensor& message, Span<std::uint8_t> buffer) {
  pb_ostream_t stream = pb_ostream_from_buffer(buffer.data(), buffer.size());
  return pb_encode(&stream, whittle_v1_FromSensor_fields, &message) ? stream.bytes_written : 0;
}

}  // namespace whittle
