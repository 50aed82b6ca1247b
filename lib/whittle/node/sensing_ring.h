// ReadingRing: readings and masks on their way to the host, in the order of their seqs, each kept
// until the host has acknowledged it.
//
// What the newest finds no room for is dropped before it gets a seq, so seqs have no gap. Memory: 4
// m + m / 8 + 24 bytes per place.
#ifndef WHITTLE_NODE_SENSING_RING_H_
#define WHITTLE_NODE_SENSING_RING_H_

#include <cstddef>
#include <cstdint>

#include "whittle/base/arena.h"
#include "whittle/base/real.h"
#include "whittle/base/span.h"
#include "whittle/wire/codec_sensing.h"

namespace whittle {

class ReadingRing {
 public:
  static constexpr std::size_t required_bytes(std::size_t features, std::size_t places) {
    return ByteCount{}
        .array<Item>(places)
        .array<float>(places, features)
        .array<std::uint8_t>(places, bits(features))
        .array<std::uint8_t>(bits(features))
        .total();
  }
  // `places`: at least 2.
  void place(Arena& arena, std::size_t features, std::uint32_t places);

  std::uint32_t places() const { return static_cast<std::uint32_t>(items_.size()); }
  std::uint32_t room() const { return places() - at_.size; }
  std::uint32_t size() const { return at_.size; }
  std::uint64_t acked() const { return at_.acked; }                // seq of the last that has left
  std::uint64_t last_seq() const { return at_.acked + at_.size; }  // of the newest

  // There must be room.
  void push_mask(std::uint32_t id, Span<const bool> mask);
  // `beside`: something was sensed beside the mask `id`, or instead of it.
  void push_reading(std::uint64_t sample, std::uint32_t id, bool beside, Span<const bool> sensed,
                    Span<const Real> values);

  // Lets go what has a seq up to this one; one that was not given out changes nothing.
  void acknowledge(std::uint64_t seq);
  // Lets go the readings of samples up to this one, and the masks before them.
  void let_go(std::uint64_t sample);
  // Gives seqs from seq + 1 on to what is there, unless they are further on already.
  void skip_to(std::uint64_t seq);
  // How many readings there are of samples past `first` and up to `last`.
  std::uint32_t readings(std::uint64_t first, std::uint64_t last) const;

  // The message with this seq, which is kept; and the mask that was in force before the oldest.
  void fill(std::uint64_t seq, FromSensor& message) const;
  void fill_base(FromSensor& message) const;

  // Where it stands. With the bytes of its arena, this is all that it knows.
  struct Position {
    std::uint64_t acked = 0;
    std::uint32_t first = 0;  // place of the oldest
    std::uint32_t size = 0;
    std::uint32_t base_id = 0;  // mask in force before the oldest
  };
  const Position& position() const { return at_; }
  // False, and nothing is changed, if there is no such place.
  bool resume(const Position& position);

 private:
  struct Item {
    std::uint64_t sample = 0;
    std::uint32_t mask = 0;
    std::uint16_t count = 0;  // values
    bool is_mask = false;
    bool beside = false;
  };
  static constexpr std::size_t bits(std::size_t features) { return (features + 7) / 8; }
  std::size_t place_of(std::size_t index) const { return (at_.first + index) % items_.size(); }
  std::size_t next_place() const { return place_of(at_.size); }
  void pop();
  void write_bits(std::size_t place, Span<const bool> mask);
  void fill_mask(std::uint32_t id, const std::uint8_t* bytes, whittle_v1_Mask& mask) const;

  Span<Item> items_;
  Span<float> values_;
  Span<std::uint8_t> bits_;
  Span<std::uint8_t> base_bits_;
  std::size_t features_ = 0;
  Position at_;
};

}  // namespace whittle

#endif  // WHITTLE_NODE_SENSING_RING_H_
