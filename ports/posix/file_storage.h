// FileStorage: the two slots of a Storage as the files PATH.0 and PATH.1.
//
// A write is safe from a power cut as far as fsync is. While it lives no other process can open the
// same PATH, so that two nodes cannot take turns in each other's slots. A file that is removed or
// replaced meanwhile is made anew for the next snapshot that goes there; one that is being written
// then is an error, as nobody would find it.
#ifndef WHITTLE_PORTS_POSIX_FILE_STORAGE_H_
#define WHITTLE_PORTS_POSIX_FILE_STORAGE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
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
  // Opens the files, or makes them, erased. Throws StorageError: cannot be opened, used by another
  // process.
  explicit FileStorage(const std::string& path);

  // A file grows as it must; a snapshot counts its bytes in 32 bits.
  std::size_t slot_bytes() const override { return std::numeric_limits<std::uint32_t>::max(); }
  std::size_t write_unit() const override { return 1; }
  Status erase(unsigned slot, std::size_t bytes) override;
  Status write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) override;
  Status read(unsigned slot, std::size_t at, Span<std::uint8_t> out) override;
  Status flush() override;

  const std::string& file(unsigned slot) const { return slots_[slot].path; }
  // Whether the file was not there when it was opened, and had to be made.
  bool was_missing(unsigned slot) const { return slots_[slot].was_missing; }
  std::uint64_t file_bytes(unsigned slot) const;

  // How many slots have been erased: how many snapshots have been begun.
  std::uint64_t begun() const { return begun_; }
  // Why the one begun last was not written: the file, what could not be done with it, and the
  // system's reason. "": nothing failed.
  const std::string& failure() const { return failure_; }

 private:
  struct Slot {
    explicit Slot(std::string name);
    bool in_place() const;  // whether the name still is that of this file
    void open();

    std::string path;
    UniqueFd fd;
    bool was_missing = false;
    bool unsafe = false;  // written since the last flush
  };
  Status failed(unsigned slot, const char* what, const char* reason);

  Slot slots_[kSlots];
  std::uint64_t begun_ = 0;
  std::string failure_;
};

}  // namespace whittle::posix

#endif  // WHITTLE_PORTS_POSIX_FILE_STORAGE_H_
