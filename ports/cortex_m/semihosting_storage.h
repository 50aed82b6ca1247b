// SemihostingStorage: the two slots of a Storage as the files PATH.0 and PATH.1 of the emulator's
// or debug probe's host. For trying out on a board without flash of its own to spare: a real node
// brings a driver of its flash (docs/snapshots.md).
//
// What is written is as safe as the host's files; flush() has nothing to do.
#ifndef WHITTLE_PORTS_CORTEX_M_SEMIHOSTING_STORAGE_H_
#define WHITTLE_PORTS_CORTEX_M_SEMIHOSTING_STORAGE_H_

#include <cstddef>
#include <cstdint>

#include "whittle/node/storage.h"

namespace whittle::ports {

class SemihostingStorage final : public Storage {
 public:
  // `path`: at most kMostPath characters; must outlive this. The files are made when they are
  // needed.
  SemihostingStorage(const char* path, std::size_t slot_bytes)
      : path_(path), slot_bytes_(slot_bytes) {}
  SemihostingStorage(const SemihostingStorage&) = delete;
  SemihostingStorage& operator=(const SemihostingStorage&) = delete;

  static constexpr std::size_t kMostPath = 60;

  std::size_t slot_bytes() const override { return slot_bytes_; }
  std::size_t write_unit() const override { return 1; }
  // Errors of these: data_loss (the host does not do it).
  Status erase(unsigned slot, std::size_t bytes) override;
  Status write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) override;
  Status read(unsigned slot, std::size_t at, Span<std::uint8_t> out) override;
  Status flush() override { return {}; }

 private:
  const char* path_;
  std::size_t slot_bytes_;
};

}  // namespace whittle::ports

#endif  // WHITTLE_PORTS_CORTEX_M_SEMIHOSTING_STORAGE_H_
