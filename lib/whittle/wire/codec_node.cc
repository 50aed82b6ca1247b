#include <pb_decode.h>
#include <pb_encode.h>

#include "whittle/wire/codec.h"

namespace whittle {

bool decode(Span<const std::uint8_t> payload, ToNode& message) {
  pb_istream_t stream = pb_istream_from_buffer(payload.data(), payload.size());
  return pb_decode(&stream, whittle_v1_ToNode_fields, &message);
}

std::size_t encode(const FromNode& message, Span<std::uint8_t> buffer) {
  pb_ostream_t stream = pb_ostream_from_buffer(buffer.data(), buffer.size());
  return pb_encode(&stream, whittle_v1_FromNode_fields, &message) ? stream.bytes_written : 0;
}

bool decode_seq(Span<const std::uint8_t> payload, std::uint64_t& seq) {
  whittle_v1_Envelope envelope;
  pb_istream_t stream = pb_istream_from_buffer(payload.data(), payload.size());
  if (!pb_decode(&stream, whittle_v1_Envelope_fields, &envelope)) return false;
  seq = envelope.seq;
  return true;
}

}  // namespace whittle
