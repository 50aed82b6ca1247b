#include "whittle/node/sensing_ring.h"

#include <algorithm>

namespace whittle {

void ReadingRing::place(Arena& arena, std::size_t features, std::uint32_t places) {
  features_ = features;
  items_ = arena.array<Item>(places);
  values_ = arena.array<float>(places * features);
  bits_ = arena.array<std::uint8_t>(places * bits(features));
  base_bits_ = arena.array<std::uint8_t>(bits(features));
  for (std::size_t r = 0; r < features; ++r) {
    base_bits_[r / 8] = static_cast<std::uint8_t>(base_bits_[r / 8] | 1U << (r % 8));
  }
}

void ReadingRing::write_bits(std::size_t place, Span<const bool> mask) {
  std::uint8_t* const row = bits_.data() + place * bits(features_);
  std::fill_n(row, bits(features_), std::uint8_t{0});
  for (std::size_t r = 0; r < features_; ++r) {
    if (mask[r]) row[r / 8] = static_cast<std::uint8_t>(row[r / 8] | 1U << (r % 8));
  }
}

void ReadingRing::push_mask(std::uint32_t id, Span<const bool> mask) {
  const std::size_t place = next_place();
  items_[place] = {0, id, 0, true, false};
  write_bits(place, mask);
  ++at_.size;
}

void ReadingRing::push_reading(std::uint64_t sample, std::uint32_t id, bool beside,
                               Span<const bool> sensed, Span<const Real> values) {
  const std::size_t place = next_place();
  float* const row = values_.data() + place * features_;
  std::uint16_t count = 0;
  for (std::size_t r = 0; r < features_; ++r) {
    if (sensed[r]) row[count++] = static_cast<float>(values[r]);
  }
  items_[place] = {sample, id, count, false, beside};
  write_bits(place, sensed);
  ++at_.size;
}

void ReadingRing::pop() {
  const Item& oldest = items_[at_.first];
  if (oldest.is_mask) {
    at_.base_id = oldest.mask;
    std::copy_n(bits_.data() + at_.first * bits(features_), bits(features_), base_bits_.data());
  }
  at_.first = static_cast<std::uint32_t>(place_of(1));
  --at_.size;
  ++at_.acked;
}

void ReadingRing::acknowledge(std::uint64_t seq) {
  if (seq > last_seq()) return;
  while (at_.acked < seq) pop();
}

void ReadingRing::let_go(std::uint64_t sample) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < at_.size; ++i) {
    const Item& item = items_[place_of(i)];
    if (!item.is_mask && item.sample <= sample) count = i + 1;
  }
  for (; count > 0; --count) pop();
}

void ReadingRing::skip_to(std::uint64_t seq) { at_.acked = std::max(at_.acked, seq); }

std::uint32_t ReadingRing::readings(std::uint64_t first, std::uint64_t last) const {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < at_.size; ++i) {
    const Item& item = items_[place_of(i)];
    if (!item.is_mask && item.sample > first && item.sample <= last) ++count;
  }
  return count;
}

bool ReadingRing::resume(const Position& position) {
  if (position.first >= places() || position.size > places()) return false;
  at_ = position;
  return true;
}

void ReadingRing::fill_mask(std::uint32_t id, const std::uint8_t* bytes,
                            whittle_v1_Mask& mask) const {
  mask.id = id;
  mask.features = static_cast<std::uint32_t>(features_);
  mask.mask.size = static_cast<pb_size_t>(bits(features_));
  std::copy_n(bytes, bits(features_), mask.mask.bytes);
}

void ReadingRing::fill(std::uint64_t seq, FromSensor& message) const {
  const std::size_t place = place_of(static_cast<std::size_t>(seq - at_.acked - 1));
  const Item& item = items_[place];
  const std::uint8_t* const bytes = bits_.data() + place * bits(features_);
  if (item.is_mask) {
    message.which_body = whittle_v1_FromSensor_mask_tag;
    message.body.mask.seq = seq;
    message.body.mask.after = 0;
    fill_mask(item.mask, bytes, message.body.mask);
    return;
  }
  message.which_body = whittle_v1_FromSensor_reading_tag;
  whittle_v1_Reading& reading = message.body.reading;
  reading.seq = seq;
  reading.sample = item.sample;
  reading.mask = item.mask;
  reading.sensed.size = static_cast<pb_size_t>(item.beside ? bits(features_) : 0);
  std::copy_n(bytes, reading.sensed.size, reading.sensed.bytes);
  reading.values_count = item.count;
  std::copy_n(values_.data() + place * features_, item.count, reading.values);
}

void ReadingRing::fill_base(FromSensor& message) const {
  message.which_body = whittle_v1_FromSensor_mask_tag;
  message.body.mask.seq = 0;
  message.body.mask.after = at_.acked;
  fill_mask(at_.base_id, base_bits_.data(), message.body.mask);
}

}  // namespace whittle
