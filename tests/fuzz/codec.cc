// Codec, both sides: any payload decodes within bounds or not at all, and what has been decoded is
// written and read again to the same bytes.
#include <memory>

#include "tests/fuzz/input.h"
#include "whittle/wire/codec.h"
#include "whittle/wire/limits.h"

namespace whittle::fuzz {
namespace {

using testing::span_of;

constexpr std::size_t kRoom = 4 * kMaxPayload;

template <typename Message>
Bytes encoded(const Message& message, std::size_t room) {
  Bytes bytes(room);
  bytes.resize(encode(message, Span<std::uint8_t>(bytes.data(), bytes.size())));
  return bytes;
}

// Returns whether the payload is a message.
template <typename Message>
bool round_trip(const Bytes& payload, Message& message) {
  if (!decode(span_of(payload), message)) return false;
  const Bytes once = encoded(message, kRoom);
  // A message without any field is written as nothing, which a size of 0 stands for, too.
  if (once.empty()) return true;
  const auto again = std::make_unique<Message>();
  require(decode(span_of(once), *again), "what encode writes can be decoded");
  require(encoded(*again, kRoom) == once, "decoding loses nothing that encode writes");
  require(encoded(message, once.size()) == once, "a buffer of just its size is enough");
  require(encoded(message, once.size() - 1).empty(), "one byte less is not");
  return true;
}

void run(const Bytes& payload) {
  const auto to_node = std::make_unique<ToNode>();
  std::uint64_t seq = 0;
  const bool has_seq = decode_seq(span_of(payload), seq);
  if (round_trip(payload, *to_node)) {
    require(has_seq && seq == to_node->seq, "the envelope has the seq of the message");
  }
  const auto from_node = std::make_unique<FromNode>();
  round_trip(payload, *from_node);
}

}  // namespace
}  // namespace whittle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  whittle::fuzz::run(whittle::fuzz::Bytes(data, data + size));
  return 0;
}
