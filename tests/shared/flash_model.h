// FlashModel: a Storage like the flash of a microcontroller: erased by pages, written in units that
// must be erased before, worn by erasing; and its power can be cut off within any call, at any
// byte.
#ifndef WHITTLE_TESTS_SHARED_FLASH_MODEL_H_
#define WHITTLE_TESTS_SHARED_FLASH_MODEL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "whittle/node/storage.h"

namespace whittle::testing {

class FlashModel final : public Storage {
 public:
  static constexpr std::size_t kForever = ~std::size_t{0};

  FlashModel(std::size_t page, std::size_t pages_per_slot, std::size_t write_unit)
      : page_(page), slot_bytes_(page * pages_per_slot), write_unit_(write_unit) {
    for (Slot& slot : slots_) {
      slot.bytes.assign(slot_bytes_, 0xFF);
      slot.written.assign(slot_bytes_ / write_unit, false);
      slot.wear.assign(pages_per_slot, 0);
    }
  }

  // The power goes when this many more bytes have been written or pages erased, within the next;
  // until power_up() all calls fail.
  void cut_after(std::size_t steps) { steps_left_ = steps; }
  void power_up() { steps_left_ = kForever; }
  bool powered() const { return steps_left_ > 0; }
  std::size_t steps() const { return steps_; }  // done so far

  // What a chip forbids and its driver would get wrong silently.
  std::size_t misuses() const { return misuses_; }
  std::size_t wear(unsigned slot, std::size_t page) const { return slots_[slot].wear[page]; }
  std::vector<std::uint8_t>& bytes(unsigned slot) { return slots_[slot].bytes; }
  // From now on this bit cannot be written: it stays 1.
  void break_bit(unsigned slot, std::size_t at, std::uint8_t bit) {
    slots_[slot].broken_at = at;
    slots_[slot].broken_bit = bit;
  }

  std::size_t slot_bytes() const override { return slot_bytes_; }
  std::size_t write_unit() const override { return write_unit_; }

  Status erase(unsigned slot, std::size_t bytes) override {
    if (bytes > slot_bytes_) return misuse();
    for (std::size_t page = 0; page * page_ < bytes; ++page) {
      Slot& here = slots_[slot];
      const bool done = step();
      if (!done && !cut_now_) return off();
      const std::size_t first = page * page_;
      // Cut within an erasure, the page holds anything.
      for (std::size_t i = first; i < first + page_; ++i) {
        here.bytes[i] = done ? 0xFF : static_cast<std::uint8_t>(here.bytes[i] | (i * 151 >> 3));
      }
      if (!done) return off();
      std::fill_n(here.written.begin() + static_cast<std::ptrdiff_t>(first / write_unit_),
                  page_ / write_unit_, false);
      ++here.wear[page];
    }
    return {};
  }

  Status write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) override {
    if (at % write_unit_ != 0 || bytes.size() % write_unit_ != 0 ||
        at + bytes.size() > slot_bytes_) {
      return misuse();
    }
    Slot& here = slots_[slot];
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::size_t place = at + i;
      const std::size_t unit = place / write_unit_;
      if (place % write_unit_ == 0) {
        if (here.written[unit]) return misuse();
        here.written[unit] = true;
      }
      const bool done = step();
      if (!done && !cut_now_) return off();
      std::uint8_t value = bytes[i];
      if (!done) value |= static_cast<std::uint8_t>(place * 37);  // some bits have got there
      if (place == here.broken_at) value |= here.broken_bit;
      here.bytes[place] &= value;
      if (!done) return off();
    }
    return {};
  }

  Status read(unsigned slot, std::size_t at, Span<std::uint8_t> out) override {
    if (!powered()) return off();
    if (at + out.size() > slot_bytes_) return misuse();
    std::copy_n(slots_[slot].bytes.begin() + static_cast<std::ptrdiff_t>(at), out.size(),
                out.begin());
    return {};
  }

  Status flush() override { return powered() ? Status() : off(); }

 private:
  struct Slot {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> written;  // by unit, since the last erasure
    std::vector<std::size_t> wear;
    std::size_t broken_at = kForever;
    std::uint8_t broken_bit = 0;
  };

  // False if the power goes now (cut_now_) or has gone.
  bool step() {
    cut_now_ = false;
    if (steps_left_ == 0) return false;
    ++steps_;
    if (steps_left_ == kForever) return true;
    cut_now_ = --steps_left_ == 0;
    return !cut_now_;
  }
  static Status off() { return {StatusCode::data_loss, "no power"}; }
  Status misuse() {
    ++misuses_;
    return {StatusCode::internal, "flash misused"};
  }

  std::size_t page_;
  std::size_t slot_bytes_;
  std::size_t write_unit_;
  Slot slots_[kSlots];
  std::size_t steps_left_ = kForever;
  std::size_t steps_ = 0;
  std::size_t misuses_ = 0;
  bool cut_now_ = false;
};

}  // namespace whittle::testing

#endif  // WHITTLE_TESTS_SHARED_FLASH_MODEL_H_
