// FileStorage: the two slots of a Storage as the files PATH.0 and PATH.1.
//
// A write is safe from a power cut as far as fsync is. While it lives no other process can open the
// same PATH, so that two nodes cannot take turns in each other's slots.
#ifndef WHITTLE_PORTS_POSIX_FILE_STORAGE_H_
#define WHITTLE_PORTS_POSIX_FILE_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ports/posix/unique_fd.h"
#include "whittle/node/storage.h"

namespace whittle::posix {

class StorageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string slot_path(const std::string& path, unsigned slot);

class FileStorage final : public Storage {
 public:
  // Opens the files, or makes them. Throws StorageError: cannot be opened, used by another process.
  FileStorage(const std::string& path, std::size_t slot_bytes);

  std::size_t slot_bytes() const override { return slot_bytes_; }
  std::size_t write_unit() const override { return 1; }
  Status erase(unsigned slot, std::size_t bytes) override;
  Status write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) override;
  Status read(unsigned slot, std::size_t at, Span<std::uint8_t> out) override;
  Status flush() override;

 private:
  std::size_t slot_bytes_;
  UniqueFd slots_[kSlots];
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_FILE_STORAGE_H_
