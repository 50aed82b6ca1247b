// Where a fuzzed node keeps its snapshots.
#ifndef WHITTLE_TESTS_FUZZ_FUZZ_STORAGE_H_
#define WHITTLE_TESTS_FUZZ_FUZZ_STORAGE_H_

#include "tests/fuzz/input.h"
#include "whittle/node/snapshot_header.h"
#include "whittle/node/storage.h"

namespace whittle::fuzz {

inline constexpr std::uint8_t kBuild[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const ProgramIdentity kHere = {Span<const std::uint8_t>(kBuild), "fuzz"};
inline constexpr std::size_t kSlotBytes = 65536;
// Two slots of flash whose power can fail: after so many bytes nothing is written any more.
class FuzzStorage final : public Storage {
 public:
  static constexpr std::size_t kAlways = std::size_t{1} << 40;

  std::size_t left = kAlways;  // bytes, until the power fails
  Bytes slots[kSlots] = {Bytes(kSlotBytes, 0xFF), Bytes(kSlotBytes, 0xFF)};

  std::size_t slot_bytes() const override { return kSlotBytes; }
  std::size_t write_unit() const override { return 8; }
  Status erase(unsigned slot, std::size_t bytes) override {
    require(slot < kSlots && bytes <= kSlotBytes, "erases within a slot");
    return put(bytes, [&](std::size_t i) { slots[slot][i] = 0xFF; });
  }
  Status write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) override {
    require(slot < kSlots && at + bytes.size() <= kSlotBytes, "writes within a slot");
    require(at % 8 == 0 && bytes.size() % 8 == 0, "writes whole units");
    return put(bytes.size(), [&](std::size_t i) {
      require(slots[slot][at + i] == 0xFF, "writes only what has been erased");
      slots[slot][at + i] = bytes[i];
    });
  }
  Status read(unsigned slot, std::size_t at, Span<std::uint8_t> out) override {
    require(slot < kSlots && at + out.size() <= kSlotBytes, "reads within a slot");
    std::copy_n(slots[slot].begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    return {};
  }
  Status flush() override { return left > 0 ? Status() : cut(); }

 private:
  static Status cut() { return {StatusCode::data_loss, "the power failed"}; }
  template <typename Step>
  Status put(std::size_t count, const Step& step) {
    for (std::size_t i = 0; i < count; ++i, --left) {
      if (left == 0) return cut();
      step(i);
    }
    return {};
  }
};

}  // namespace whittle::fuzz

#endif  // WHITTLE_TESTS_FUZZ_FUZZ_STORAGE_H_
