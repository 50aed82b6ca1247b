#include "ports/cortex_m/semihosting_storage.h"

#include "ports/cortex_m/semihosting.h"

namespace whittle::ports {
namespace {

constexpr std::uintptr_t kOpen = 0x01;
constexpr std::uintptr_t kClose = 0x02;
constexpr std::uintptr_t kWrite = 0x05;
constexpr std::uintptr_t kRead = 0x06;
constexpr std::uintptr_t kSeek = 0x0A;

// Modes of kOpen: fopen's "rb", "r+b" and "w+b".
constexpr std::uintptr_t kToRead = 1;
constexpr std::uintptr_t kToChange = 3;
constexpr std::uintptr_t kEmpty = 7;

constexpr std::uintptr_t kFailed = ~std::uintptr_t{0};

Status failed() { return {StatusCode::data_loss, "the host's file cannot be used"}; }

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// Opened for one call: a probe may be pulled at any time.
class File {
 public:
  File(const char* path, unsigned slot, std::uintptr_t mode) {
    char name[SemihostingStorage::kMostPath + 3];
    std::size_t length = 0;
    while (path[length] != '\0' && length < SemihostingStorage::kMostPath) {
      name[length] = path[length];
      ++length;
    }
    name[length++] = '.';
    name[length++] = static_cast<char>('0' + slot);
    name[length] = '\0';
    const std::uintptr_t block[] = {number(name), mode, length};
    handle_ = semihosting_call(kOpen, block);
  }
  ~File() {
    if (is_open()) semihosting_call(kClose, &handle_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return handle_ != kFailed; }
  bool seek(std::size_t at) const {
    const std::uintptr_t block[] = {handle_, at};
    return semihosting_call(kSeek, block) == 0;
  }
  // Both return how many bytes were not done.
  std::size_t write(Span<const std::uint8_t> bytes) const {
    const std::uintptr_t block[] = {handle_, number(bytes.data()), bytes.size()};
    return semihosting_call(kWrite, block);
  }
  std::size_t read(Span<std::uint8_t> out) const {
    const std::uintptr_t block[] = {handle_, number(out.data()), out.size()};
    return semihosting_call(kRead, block);
  }

 private:
  std::uintptr_t handle_;
};

}  // namespace

// Whole, so that no write begins past the end of the file, where a seek may fail.
Status SemihostingStorage::erase(unsigned slot, std::size_t bytes) {
  const File file(path_, slot, kEmpty);
  if (!file.is_open()) return failed();
  std::uint8_t erased[64];
  for (std::uint8_t& byte : erased) byte = 0xFF;
  for (std::size_t at = 0; at < bytes; at += sizeof erased) {
    if (file.write(erased) != 0) return failed();
  }
  return {};
}

Status SemihostingStorage::write(unsigned slot, std::size_t at, Span<const std::uint8_t> bytes) {
  const File file(path_, slot, kToChange);
  if (!file.is_open() || !file.seek(at) || file.write(bytes) != 0) return failed();
  return {};
}

// What there is no file for has never been written.
Status SemihostingStorage::read(unsigned slot, std::size_t at, Span<std::uint8_t> out) {
  for (std::uint8_t& byte : out) byte = 0xFF;
  const File file(path_, slot, kToRead);
  if (!file.is_open()) return {};
  if (!file.seek(at)) return failed();
  return file.read(out) <= out.size() ? Status() : failed();
}

}  // namespace whittle::ports
