// Deframer: any bytes give the frames that cutting at zeros, decoding COBS block by block and
// taking the CRC bit by bit give; and a frame after them is read.
#include "tests/fuzz/input.h"
#include "whittle/wire/frame.h"

namespace whittle::fuzz {
namespace {

using testing::bytes_of;
using testing::span_of;

constexpr std::size_t kLongest[] = {0, 1, 4, 5, 16, 64, 254, 300};  // bytes of the buffer

struct Outcome {
  std::vector<Bytes> payloads;
  FrameCounts counts;
};

std::uint32_t slow_crc(const Bytes& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
  }
  return ~crc;
}

// False if a block is cut short.
bool decode_cobs(const Bytes& chunk, Bytes& content) {
  for (std::size_t at = 0; at < chunk.size();) {
    const std::uint8_t code = chunk[at++];
    if (chunk.size() - at < code - 1U) return false;
    content.insert(content.end(), chunk.begin() + static_cast<std::ptrdiff_t>(at),
                   chunk.begin() + static_cast<std::ptrdiff_t>(at + code - 1U));
    at += code - 1U;
    if (code != 255 && at < chunk.size()) content.push_back(0);
  }
  return true;
}

void read_chunk(const Bytes& chunk, std::size_t longest, Outcome& outcome) {
  if (chunk.empty()) return;
  Bytes content;
  if (!decode_cobs(chunk, content) || content.size() > longest || content.size() < kCrcBytes) {
    ++outcome.counts.framing_errors;
    return;
  }
  Bytes payload(content.begin(), content.end() - kCrcBytes);
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < kCrcBytes; ++i) {
    crc |= std::uint32_t{content[payload.size() + i]} << (8 * i);
  }
  if (crc != slow_crc(payload)) {
    ++outcome.counts.crc_errors;
    return;
  }
  ++outcome.counts.good;
  outcome.payloads.push_back(payload);
}

Outcome expected(const Bytes& line, std::size_t longest) {
  Outcome outcome;
  Bytes chunk;
  for (const std::uint8_t byte : line) {
    if (byte != 0) {
      chunk.push_back(byte);
      continue;
    }
    read_chunk(chunk, longest, outcome);
    chunk.clear();
  }
  return outcome;
}

void run(Input input) {
  const std::size_t longest = kLongest[input.below(8)];
  // Some pieces go onto the line in frames, which random bytes never make.
  Bytes line;
  while (!input.empty()) {
    const bool framed = input.byte() % 2 == 1;
    const Bytes piece = input.bytes(input.byte());
    testing::append(line, framed ? testing::frame_of(piece) : piece);
  }
  line.push_back(0);
  const Bytes last = longest > kCrcBytes ? Bytes{7} : Bytes{};
  testing::append(line, testing::frame_of(last));

  Bytes buffer(longest);
  Deframer deframer(Span<std::uint8_t>(buffer.data(), buffer.size()));
  std::vector<Bytes> payloads;
  for (const std::uint8_t byte : line) {
    if (deframer.push(byte)) payloads.push_back(bytes_of(deframer.payload()));
  }
  const Outcome outcome = expected(line, longest);
  require(payloads == outcome.payloads, "the frames are those of the definition");
  require(deframer.counts().good == outcome.counts.good, "good frames are counted");
  require(deframer.counts().crc_errors == outcome.counts.crc_errors, "CRC errors are counted");
  require(deframer.counts().framing_errors == outcome.counts.framing_errors,
          "framing errors are counted");
  require(longest < kCrcBytes || (!payloads.empty() && payloads.back() == last),
          "the frame after a zero is read");
}

}  // namespace
}  // namespace whittle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  whittle::fuzz::run(whittle::fuzz::Input(data, size));
  return 0;
}
