// Bytes for the tests of the wire: a sink that keeps them, and protobuf written by hand, so that
// messages can be made that the codec refuses to write.
#ifndef WHITTLE_TESTS_SHARED_BYTE_TOOLS_H_
#define WHITTLE_TESTS_SHARED_BYTE_TOOLS_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "whittle/base/span.h"
#include "whittle/wire/frame.h"

namespace whittle::testing {

using Bytes = std::vector<std::uint8_t>;

inline Span<const std::uint8_t> span_of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }
inline Bytes bytes_of(Span<const std::uint8_t> span) { return Bytes(span.begin(), span.end()); }

class ByteKeeper : public ByteSink {
 public:
  void write(Span<const std::uint8_t> bytes) override {
    all.insert(all.end(), bytes.begin(), bytes.end());
    ++writes;
  }
  Bytes all;
  int writes = 0;
};

inline Bytes frame_of(const Bytes& payload) {
  ByteKeeper keeper;
  write_frame(span_of(payload), keeper);
  return keeper.all;
}

inline void append(Bytes& to, const Bytes& from) { to.insert(to.end(), from.begin(), from.end()); }

// xorshift32: a test's own numbers, the same everywhere.
class TestRandom {
 public:
  explicit TestRandom(std::uint32_t seed) : state_(seed) {}
  std::uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  std::uint32_t below(std::uint32_t limit) { return next() % limit; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(next() >> 8); }

 private:
  std::uint32_t state_;
};

// Protobuf, field by field.
class RawMessage {
 public:
  RawMessage& number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  RawMessage& bytes(std::uint32_t field, const Bytes& value) {
    varint(field << 3 | 2U);
    varint(value.size());
    append(bytes_, value);
    return *this;
  }
  RawMessage& message(std::uint32_t field, const RawMessage& value) {
    return bytes(field, value.get());
  }
  RawMessage& floats(std::uint32_t field, const std::vector<float>& values) {
    Bytes packed(4 * values.size());
    if (!values.empty()) std::memcpy(packed.data(), values.data(), packed.size());
    return bytes(field, packed);
  }
  const Bytes& get() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  Bytes bytes_;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_BYTE_TOOLS_H_
