#include "tools/cli/outputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "ports/posix/unique_fd.h"
#include "tools/cli/error.h"

namespace whittle::cli {
namespace {

namespace fs = std::filesystem;
using posix::UniqueFd;

constexpr int kMostLinks = 40;
constexpr mode_t kNewFile = 0666;  // less the umask

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(path + ": cannot be written: " + std::strerror(error));
}

// Where links lead, though there be no file yet.
fs::path followed(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string new_name_in(const std::string& folder) {
  static int number = 0;
  return folder + "/.whittle-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
}

// 0, or why no file can be made there.
int refusal_of(const std::string& folder) {
  const std::string name = new_name_in(folder);
  const UniqueFd fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile));
  if (!fd.valid()) return errno;
  ::unlink(name.c_str());
  return 0;
}

// 0, or why not all of it could be written.
int write_all(UniqueFd fd, const std::string& text) {
  if (!fd.valid()) return errno;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    done += static_cast<std::size_t>(n);
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return errno;
  if (S_ISREG(info.st_mode) && ::fsync(fd.get()) != 0) return errno;
  return 0;
}

// What tells whether two names are of one file.
struct Identity {
  dev_t device = 0;
  ino_t number = 0;
  std::string path;  // of a file that is not there yet, in place of these

  bool operator==(const Identity& other) const {
    return device == other.device && number == other.number && path == other.path;
  }
};

std::optional<Identity> identity_of(const std::string& path, int standard_stream) {
  struct stat info {};
  const bool found =
      path == "-" ? ::fstat(standard_stream, &info) == 0 : ::stat(path.c_str(), &info) == 0;
  if (found) {
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return std::nullopt;
    return Identity{info.st_dev, info.st_ino, ""};
  }
  if (path == "-") return std::nullopt;
  std::error_code error;
  const fs::path absolute = fs::absolute(followed(path), error);
  const fs::path plain = fs::weakly_canonical(absolute, error);
  return Identity{0, 0, (error ? absolute : plain).string()};
}

std::string named(const NamedFile& file) { return file.argument + " " + file.path; }

}  // namespace

void check_different_files(const std::vector<NamedFile>& inputs,
                           const std::vector<NamedFile>& outputs) {
  std::vector<std::pair<NamedFile, Identity>> others;
  const auto add = [&](const NamedFile& file, int standard_stream) {
    if (file.path.empty()) return;
    if (auto id = identity_of(file.path, standard_stream)) others.emplace_back(file, *id);
  };
  for (const NamedFile& input : inputs) add(input, STDIN_FILENO);
  const std::size_t inputs_found = others.size();
  add({"standard output", "-"}, STDOUT_FILENO);
  for (const NamedFile& output : outputs) {
    if (output.path.empty() || output.path == "-") continue;
    const auto id = identity_of(output.path, STDOUT_FILENO);
    if (!id) continue;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const auto& [other, other_id] = others[i];
      if (!(other_id == *id)) continue;
      const bool standard = other.argument == "standard output";
      throw UsageError(
          named(output) + ": the same file as " + (standard ? other.argument : named(other)) +
          (i < inputs_found ? ", which would be overwritten" : "") + ": give another path");
    }
    others.emplace_back(output, *id);
  }
}

OutputFile::OutputFile(const std::string& path) : path_(path), place_(followed(path).string()) {
  const std::string folder = folder_of(place_);
  struct stat info {};
  if (::stat(place_.c_str(), &info) != 0) {
    if (errno != ENOENT) fail(path_, errno);
    if (fs::path(place_).filename().empty()) fail(path_, EISDIR);
    if (const int error = refusal_of(folder)) fail(path_, error);
    return;
  }
  if (S_ISDIR(info.st_mode)) fail(path_, EISDIR);
  if (::access(place_.c_str(), W_OK) != 0) fail(path_, errno);
  in_place_ = !S_ISREG(info.st_mode) || info.st_nlink > 1 || info.st_uid != ::geteuid() ||
              refusal_of(folder) != 0;
}

void OutputFile::write(const std::string& text) const {
  if (in_place_) {
    UniqueFd fd(::open(place_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (const int error = write_all(std::move(fd), text)) fail(path_, error);
    return;
  }
  const std::string name = new_name_in(folder_of(place_));
  UniqueFd fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile));
  if (!fd.valid()) fail(path_, errno);
  struct stat old {};
  int error = 0;
  if (::stat(place_.c_str(), &old) == 0 && ::fchmod(fd.get(), old.st_mode & 07777) != 0) {
    error = errno;
  }
  if (error == 0) error = write_all(std::move(fd), text);
  if (error == 0 && ::rename(name.c_str(), place_.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(name.c_str());
  fail(path_, error);
}

std::string path_in(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

OutputFolder::OutputFolder(const std::string& path, const std::vector<std::string>& names)
    : path_(path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (!S_ISDIR(info.st_mode)) fail(path, ENOTDIR);
    for (const std::string& name : names) OutputFile(path_in(path, name));
    return;
  }
  if (errno != ENOENT) fail(path, errno);
  std::string above = folder_of(path);
  while (::stat(above.c_str(), &info) != 0 && errno == ENOENT && folder_of(above) != above) {
    above = folder_of(above);
  }
  if (const int error = refusal_of(above)) fail(path, error);
}

void OutputFolder::make() const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw Error(path_ + ": cannot be made: " + error.message());
}

void OutputFolder::write(const std::string& name, const std::string& text) const {
  OutputFile(path_in(path_, name)).write(text);
}

}  // namespace whittle::cli
