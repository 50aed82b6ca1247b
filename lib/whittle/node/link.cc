#include "whittle/node/link.h"

namespace whittle {

void Link::send(const FromNode& message) {
  const std::size_t size = encode(message, Span<std::uint8_t>(buffer_, kMaxPayload));
  if (size > 0) write_frame(Span<const std::uint8_t>(buffer_, size), *this);
}

void Link::write(Span<const std::uint8_t> bytes) {
  bytes_sent_ += bytes.size();
  port_.write(bytes);
}

}  // namespace whittle
