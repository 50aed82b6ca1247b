#include "whittle/wire/frame.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/shared/byte_tools.h"
#include "whittle/wire/crc32.h"

namespace whittle {
namespace {

using testing::append;
using testing::Bytes;
using testing::bytes_of;
using testing::frame_of;
using testing::span_of;

constexpr std::size_t kLongest = 600;  // payload

// A Deframer with its buffer, and what came out of it.
struct Receiver {
  explicit Receiver(std::size_t longest = kLongest)
      : buffer(longest + kCrcBytes), deframer(Span<std::uint8_t>(buffer.data(), buffer.size())) {}
  void push(const Bytes& bytes) {
    for (const std::uint8_t byte : bytes) {
      if (deframer.push(byte)) payloads.push_back(bytes_of(deframer.payload()));
    }
  }
  std::uint64_t errors() const {
    return deframer.counts().crc_errors + deframer.counts().framing_errors;
  }
  Bytes buffer;
  Deframer deframer;
  std::vector<Bytes> payloads;
};

using Pattern = std::uint8_t (*)(std::size_t index);

constexpr Pattern kPatterns[] = {
    [](std::size_t) -> std::uint8_t { return 0; },
    [](std::size_t) -> std::uint8_t { return 0xFF; },
    [](std::size_t i) -> std::uint8_t { return i % 2 == 0 ? 0 : 7; },
    [](std::size_t i) -> std::uint8_t { return i % 254 == 253 ? 0 : 1; },
    [](std::size_t i) -> std::uint8_t { return i % 255 == 254 ? 0 : 1; },
    [](std::size_t i) -> std::uint8_t { return static_cast<std::uint8_t>(i * i * 31 + i); },
};

Bytes payload_of(Pattern pattern, std::size_t size) {
  Bytes payload(size);
  for (std::size_t i = 0; i < size; ++i) payload[i] = pattern(i);
  return payload;
}

TEST(Frame, IsCobsOfPayloadAndCrc) {
  EXPECT_EQ(frame_of({}), (Bytes{1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(frame_of({'1', '2', '3', '4', '5', '6', '7', '8', '9'}),
            (Bytes{14, '1', '2', '3', '4', '5', '6', '7', '8', '9', 0x26, 0x39, 0xF4, 0xCB, 0}));
}

TEST(Frame, RoundTripOfEveryLength) {
  for (const Pattern pattern : kPatterns) {
    for (std::size_t size = 0; size <= kLongest; ++size) {
      const Bytes payload = payload_of(pattern, size);
      const Bytes frame = frame_of(payload);
      ASSERT_LE(frame.size(), frame_bytes(size));
      ASSERT_EQ(frame.back(), 0);
      ASSERT_EQ(std::find(frame.begin(), frame.end(), 0), frame.end() - 1) << size;
      Receiver receiver;
      receiver.push(frame);
      ASSERT_EQ(receiver.payloads.size(), 1U) << size;
      ASSERT_EQ(receiver.payloads[0], payload) << size;
      ASSERT_EQ(receiver.errors(), 0U);
    }
  }
}

TEST(Frame, BoundOfItsSizeIsReached) {
  Bytes payload(kLongest, 1);
  std::size_t largest = 0;
  for (std::uint8_t last = 1; last != 0; ++last) {  // some CRC has no zero byte
    payload.back() = last;
    largest = std::max(largest, frame_of(payload).size());
  }
  EXPECT_EQ(largest, frame_bytes(kLongest));
}

TEST(Frame, SmallFrameIsOneWrite) {
  testing::ByteKeeper keeper;
  write_frame(span_of(Bytes(58, 0)), keeper);
  EXPECT_EQ(keeper.writes, 1);
}

TEST(Deframer, FullBlockAtTheEndMayBeFollowedByAnEmptyOne) {
  // Content of exactly 254 bytes without a zero.
  Bytes content(250, 1);
  std::uint32_t crc = 0;
  const auto has_zero = [&] {
    return (crc & 0xFF) == 0 || (crc >> 8 & 0xFF) == 0 || (crc >> 16 & 0xFF) == 0 || crc >> 24 == 0;
  };
  for (crc = crc32(span_of(content)); has_zero(); crc = crc32(span_of(content))) ++content[0];
  const Bytes payload = content;
  for (int i = 0; i < 4; ++i) content.push_back(static_cast<std::uint8_t>(crc >> (8 * i)));

  for (const Bytes& end : {Bytes{0}, Bytes{1, 0}}) {
    Bytes frame{0xFF};
    append(frame, content);
    append(frame, end);
    Receiver receiver;
    receiver.push(frame);
    ASSERT_EQ(receiver.payloads.size(), 1U);
    EXPECT_EQ(receiver.payloads[0], payload);
  }
}

TEST(Deframer, EmptyFramesAreNoErrors) {
  Receiver receiver;
  receiver.push(Bytes(10, 0));
  receiver.push(frame_of({1, 2, 3}));
  receiver.push(Bytes(10, 0));
  EXPECT_EQ(receiver.payloads, (std::vector<Bytes>{{1, 2, 3}}));
  EXPECT_EQ(receiver.errors(), 0U);
}

TEST(Deframer, CountsWhatIsWrong) {
  Receiver receiver(10);
  receiver.push({5, 1, 2, 0});  // block cut short
  EXPECT_EQ(receiver.deframer.counts().framing_errors, 1U);
  receiver.push({4, 1, 2, 3, 0});  // no room for a CRC
  EXPECT_EQ(receiver.deframer.counts().framing_errors, 2U);
  receiver.push(frame_of(Bytes(11, 9)));  // one too long
  EXPECT_EQ(receiver.deframer.counts().framing_errors, 3U);
  receiver.push(frame_of(Bytes(5000, 9)));
  EXPECT_EQ(receiver.deframer.counts().framing_errors, 4U);
  receiver.push({6, 1, 2, 3, 4, 5, 0});
  EXPECT_EQ(receiver.deframer.counts().crc_errors, 1U);
  receiver.push(frame_of(Bytes(10, 9)));  // just fits
  EXPECT_EQ(receiver.deframer.counts().good, 1U);
  EXPECT_EQ(receiver.deframer.counts().framing_errors, 4U);
  EXPECT_EQ(receiver.deframer.counts().crc_errors, 1U);
}

TEST(Deframer, TooLongFrameWritesNothingPastTheBuffer) {
  Bytes memory(64, 0xA5);
  Deframer deframer(Span<std::uint8_t>(memory.data() + 16, 32));
  for (const std::uint8_t byte : frame_of(Bytes(300, 9))) EXPECT_FALSE(deframer.push(byte));
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(memory[i], 0xA5);
    EXPECT_EQ(memory[48 + i], 0xA5);
  }
}

const Bytes kNext{42, 0, 43};  // a payload that must survive what is done to the frame before it

TEST(Deframer, EveryTruncationIsDroppedAndTheNextFrameRead) {
  const Bytes frame = frame_of(payload_of(kPatterns[5], 300));
  for (std::size_t size = 0; size + 1 < frame.size(); ++size) {
    Bytes line(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size));
    line.push_back(0);
    append(line, frame_of(kNext));
    Receiver receiver;
    receiver.push(line);
    ASSERT_EQ(receiver.payloads, (std::vector<Bytes>{kNext})) << size;
    ASSERT_EQ(receiver.errors(), size == 0 ? 0U : 1U);
  }
}

TEST(Deframer, EveryLostByteIsNoticed) {
  const Bytes frame = frame_of(payload_of(kPatterns[5], 300));
  for (std::size_t lost = 0; lost + 1 < frame.size(); ++lost) {
    Bytes line = frame;
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(lost));
    append(line, frame_of(kNext));
    Receiver receiver;
    receiver.push(line);
    ASSERT_EQ(receiver.payloads, (std::vector<Bytes>{kNext})) << lost;
  }
}

TEST(Deframer, EveryChangedByteIsNoticed) {
  const Bytes frame = frame_of({0, 1, 2, 0, 0, 3, 4, 5, 6, 7, 8, 9, 0xFF, 0});
  for (std::size_t at = 0; at < frame.size(); ++at) {
    for (unsigned change = 1; change < 256; ++change) {
      Bytes line = frame;
      line[at] = static_cast<std::uint8_t>(line[at] ^ change);
      // Without its zero a frame takes the next one along; the one after that is read.
      if (at + 1 == frame.size()) append(line, frame_of({1}));
      append(line, frame_of(kNext));
      Receiver receiver;
      receiver.push(line);
      ASSERT_EQ(receiver.payloads, (std::vector<Bytes>{kNext})) << at << " ^ " << change;
      ASSERT_GE(receiver.errors(), 1U);
    }
  }
}

TEST(Deframer, ReadsOnAfterGarbage) {
  testing::TestRandom random(1);
  Receiver receiver;
  for (int i = 0; i < 20000; ++i) receiver.push({random.byte()});
  EXPECT_TRUE(receiver.payloads.empty());
  EXPECT_GT(receiver.errors(), 0U);
  receiver.push({0});
  receiver.push(frame_of(kNext));
  EXPECT_EQ(receiver.payloads, (std::vector<Bytes>{kNext}));
}

}  // namespace
}  // namespace whittle
