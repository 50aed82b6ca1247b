#include "ports/posix/file_storage.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "whittle/node/snapshot_header.h"

namespace whittle::posix {
namespace {

// Past its end a file reads as erased; the header, which is written last, has to be.
struct ErasedHeader {
  ErasedHeader() { std::fill(std::begin(bytes), std::end(bytes), std::uint8_t{0xFF}); }
  std::uint8_t bytes[kSnapshotHeaderBytes];
};

// A name outlives a power cut once its folder does.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.valid()) ::fsync(fd.get());
}

}  // namespace

std::string slot_path(const std::string& path, unsigned slot) {
  return path + '.' + std::to_string(slot);
}

FileStorage::Slot::Slot(std::string name) : path(std::move(name)) { open(); }

void FileStorage::Slot::open() {
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  was_missing = !file.valid() && errno == ENOENT;
  if (was_missing) file = UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.valid()) throw StorageError(path + ": cannot be opened: " + std::strerror(errno));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    throw StorageError(path + ": is used by another process");
  }
  fd = std::move(file);
  if (!was_missing) return;
  // So that a file without any bytes is one that has lost them. What fails here, the first snapshot
  // will tell.
  const ErasedHeader erased;
  (void)!::pwrite(fd.get(), erased.bytes, sizeof erased.bytes, 0);
  sync_folder_of(path);
}

bool FileStorage::Slot::in_place() const {
  struct stat named {};
  struct stat own {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(fd.get(), &own) == 0 &&
         named.st_dev == own.st_dev && named.st_ino == own.st_ino;
}

FileStorage::FileStorage(const std::string& path)
    : slots_{Slot(slot_path(path, 0)), Slot(slot_path(path, 1))} {}

std::uint64_t FileStorage::file_bytes(unsigned slot) const {
  struct stat file {};
  ::fstat(slots_[slot].fd.get(), &file);
  return static_cast<std::uint64_t>(file.st_size);
}

Status FileStorage::failed(unsigned slot, const char* what, const char* reason) {
  const int error = errno;
  failure_ = slots_[slot].path + ": " + what + ": " + std::strerror(error);
  return {StatusCode::data_loss, reason, static_cast<std::uint64_t>(error)};
}

Status FileStorage::erase(unsigned slot, std::size_t /*bytes*/) {
  ++begun_;
  failure_.clear();
  try {
    if (!slots_[slot].in_place()) slots_[slot].open();
  } catch (const StorageError& error) {
    failure_ = error.what();
    return {StatusCode::data_loss, "the file of a snapshot cannot be made anew"};
  }
  if (::ftruncate(slots_[slot].fd.get(), 0) != 0) {
    return failed(slot, "cannot be emptied", "file of a snapshot cannot be emptied: errno");
  }
  return write(slot, 0, ErasedHeader().bytes);
}

Status FileStorage::write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) {
  slots_[slot].unsafe = true;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pwrite(slots_[slot].fd.get(), bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(at + done));
    if (count < 0 && errno != EINTR) {
      return failed(slot, "cannot be written", "snapshot cannot be written: errno");
    }
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return {};
}

Status FileStorage::read(unsigned slot, std::size_t at, Span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(slots_[slot].fd.get(), out.data() + done, out.size() - done,
                                  static_cast<off_t>(at + done));
    if (count < 0 && errno != EINTR) {
      return failed(slot, "cannot be read", "snapshot cannot be read: errno");
    }
    if (count == 0) break;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  std::fill(out.begin() + done, out.end(), std::uint8_t{0xFF});
  return {};
}

Status FileStorage::flush() {
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    if (!slots_[slot].unsafe) continue;
    if (!slots_[slot].in_place()) {
      failure_ = slots_[slot].path + ": has been removed or replaced while it was written";
      return {StatusCode::data_loss, "the file of a snapshot has been removed"};
    }
    if (::fsync(slots_[slot].fd.get()) != 0) {
      return failed(slot, "cannot be made durable", "snapshot cannot be made durable: errno");
    }
    slots_[slot].unsafe = false;
  }
  return {};
}

}  // namespace whittle::posix
