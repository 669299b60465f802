#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "base/mapped_file.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kWriteBackBytes = 8u << 20;
constexpr size_t kLongestNamePart = 200;  // of 255 bytes that a file name may have
constexpr size_t kLetters = 6;
constexpr std::string_view kPartial = ".partial";

[[noreturn]] void fail(const std::string& path, int error, uint64_t written) {
  std::string message = "cannot write '" + path + "': " + std::strerror(error);
  if (written > 0 || error == ENOSPC) message += " (" + std::to_string(written) + " bytes written)";
  throw Error(ErrorCode::kOutput, message);
}

// Six characters that differ between calls and processes; exclusive creation resolves collisions.
std::string unique_letters() {
  static std::atomic<uint64_t> calls{0};
  const auto now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  uint64_t value = mix64(now ^ (static_cast<uint64_t>(getpid()) << 40) ^ splitmix64(1, calls.fetch_add(1)));
  std::string letters(kLetters, 'a');
  for (char& letter : letters) {
    letter = "abcdefghijklmnopqrstuvwxyz0123456789"[value % 36];
    value /= 36;
  }
  return letters;
}

// Links are kept: the file that a link points to is replaced.
std::string resolve_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), std::free);
  return resolved ? std::string(resolved.get()) : path;
}

// The name of the hidden sibling of a file, without the random characters and the ending.
std::string hidden_stem(const std::string& target) {
  const size_t slash = target.rfind('/');
  const size_t name_at = slash == std::string::npos ? 0 : slash + 1;
  return target.substr(0, name_at) + "." + target.substr(name_at, kLongestNamePart) + ".";
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool is_regular_file(const std::string& path) noexcept {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// False where one of them does not exist, or the file system cannot do it.
bool exchange_names(const std::string& a, const std::string& b) noexcept {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

}  // namespace

int sync_folder(const std::string& folder) noexcept {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  return error;
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(path_) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(path_, EISDIR, 0);
    if (!S_ISREG(status.st_mode)) {
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail(path_, errno, 0);
      return;
    }
    target_ = resolve_links(path_);
  } else if (errno != ENOENT) {
    fail(path_, errno, 0);  // the file to replace is unknown
  }
  if (target_.empty() || target_.back() == '/') fail(path_, path_.empty() ? ENOENT : EISDIR, 0);
  const std::string stem = hidden_stem(target_);
  do {
    partial_ = stem + unique_letters() + std::string(kPartial);
    descriptor_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail(path_, errno, 0);
  if (is_regular_file(target_) && ::stat(target_.c_str(), &status) == 0) ::fchmod(descriptor_, status.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  // Removes the hidden file: unfinished bytes, or the file that the commit displaced.
  if ((!committed_ || displaced_) && !partial_.empty()) ::unlink(partial_.c_str());
}

void AtomicFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min<size_t>(bytes.size(), 1u << 30));
    if (written < 0) {
      if (errno == EINTR || (errno == EFAULT && refill_lost_pages(bytes))) continue;
      fail(path_, errno, size_);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
    size_ += static_cast<uint64_t>(written);
  }
#ifdef __linux__
  // Starts writing to disk early, so that finish() has little to wait for.
  if (!partial_.empty() && size_ - handed_over_ >= kWriteBackBytes) {
    ::sync_file_range(descriptor_, static_cast<off_t>(handed_over_), static_cast<off_t>(size_ - handed_over_), SYNC_FILE_RANGE_WRITE);
    handed_over_ = size_;
  }
#endif
}

void AtomicFile::overwrite(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) fail(path_, errno, size_);
    if (written < 0) continue;
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
}

void AtomicFile::finish() {
  if (descriptor_ < 0) return;
  if (!partial_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(path_, errno, size_);
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0 && errno != EINTR) fail(path_, errno, size_);
}

void AtomicFile::commit() {
  if (committed_) return;
  finish();
  if (!partial_.empty()) {
    const std::string folder = folder_of(target_);  // before the rename: nothing may fail between it and committed_
    // Swaps with an existing file, so that withdraw() can restore it; replaces it where the file system cannot swap.
    displaced_ = is_regular_file(target_) && exchange_names(partial_, target_);
    if (!displaced_ && std::rename(partial_.c_str(), target_.c_str()) != 0) fail(path_, errno, size_);
    static_cast<void>(sync_folder(folder));  // the rename itself has already happened
  }
  committed_ = true;
}

void AtomicFile::withdraw() noexcept {
  if (!committed_ || partial_.empty()) return;
  if (displaced_) {
    exchange_names(partial_, target_);
  } else {
    ::unlink(target_.c_str());
  }
}

void AtomicFile::remove_leftovers(const std::vector<std::string>& paths) {
  std::map<std::filesystem::path, std::set<std::string, std::less<>>> stems;  // by folder, which is scanned once
  for (const std::string& path : paths) {
    const std::filesystem::path stem(hidden_stem(resolve_links(path)));
    stems[stem.has_parent_path() ? stem.parent_path() : std::filesystem::path(".")].insert(stem.filename().native());
  }
  for (const auto& [folder, names] : stems) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const std::string found = at->path().filename().native();
      if (found.size() <= kLetters + kPartial.size() || !found.ends_with(kPartial)) continue;
      if (!names.contains(std::string_view(found).substr(0, found.size() - kLetters - kPartial.size()))) continue;
      std::error_code ignored;  // removing leftovers is optional
      std::filesystem::remove(at->path(), ignored);
    }
  }
}

}  // namespace neardup
