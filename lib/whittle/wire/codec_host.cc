#include <pb_decode.h>
#include <pb_encode.h>

#include "whittle/wire/codec.h"

namespace whittle {

bool decode(Span<const std::uint8_t> payload, FromNode& message) {
  pb_istream_t stream = pb_istream_from_buffer(payload.data(), payload.size());
  return pb_decode(&stream, whittle_v1_FromNode_fields, &message);
}

std::size_t encode(const ToNode& message, Span<std::uint8_t> buffer) {
  pb_ostream_t stream = pb_ostream_from_buffer(buffer.data(), buffer.size());
  return pb_encode(&stream, whittle_v1_ToNode_fields, &message) ? stream.bytes_written : 0;
}

}  // namespace whittle
