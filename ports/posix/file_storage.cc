#include "ports/posix/file_storage.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "whittle/node/snapshot_header.h"

namespace whittle::posix {
namespace {

Status failed(const char* reason) {
  return {StatusCode::data_loss, reason, static_cast<std::uint64_t>(errno)};
}

UniqueFd open_slot(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.valid()) throw StorageError(path + ": cannot be opened: " + std::strerror(errno));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    throw StorageError(path + ": is used by another process");
  }
  return fd;
}

}  // namespace

std::string slot_path(const std::string& path, unsigned slot) {
  return path + '.' + std::to_string(slot);
}

FileStorage::FileStorage(const std::string& path, std::size_t slot_bytes)
    : slot_bytes_(slot_bytes),
      slots_{open_slot(slot_path(path, 0)), open_slot(slot_path(path, 1))} {}

// Past its end a file reads as erased; the header, which is written last, has to be.
Status FileStorage::erase(unsigned slot, std::size_t /*bytes*/) {
  const int fd = slots_[slot].get();
  if (::ftruncate(fd, 0) != 0) return failed("file of a snapshot cannot be emptied: errno");
  std::uint8_t header[kSnapshotHeaderBytes];
  std::fill(std::begin(header), std::end(header), std::uint8_t{0xFF});
  return write(slot, 0, header);
}

Status FileStorage::write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pwrite(slots_[slot].get(), bytes.data() + done, bytes.size() - done,
                                   static_cast<off_t>(at + done));
    if (count < 0 && errno != EINTR) return failed("snapshot cannot be written: errno");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return {};
}

Status FileStorage::read(unsigned slot, std::size_t at, Span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(slots_[slot].get(), out.data() + done, out.size() - done,
                                  static_cast<off_t>(at + done));
    if (count < 0 && errno != EINTR) return failed("snapshot cannot be read: errno");
    if (count == 0) break;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  std::fill(out.begin() + done, out.end(), std::uint8_t{0xFF});
  return {};
}

Status FileStorage::flush() {
  for (const UniqueFd& slot : slots_) {
    struct stat file;
    if (::fstat(slot.get(), &file) != 0 || file.st_nlink == 0) {
      return {StatusCode::data_loss, "the file of a snapshot has been removed"};
    }
    if (::fsync(slot.get()) != 0) return failed("snapshot cannot be made durable: errno");
  }
  return {};
}

}  // namespace whittle::posix
