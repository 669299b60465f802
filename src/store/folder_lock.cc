#include "store/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "neardup/error.h"

namespace neardup {
namespace {

constexpr int kMaxAttempts = 100;  // each needs a holder that removes the file at that very moment

// The process id that the holder wrote, for people. Empty if it has not written it yet.
std::string holder(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  std::string id;
  for (ssize_t i = 0; i < got && text[static_cast<size_t>(i)] >= '0' && text[static_cast<size_t>(i)] <= '9'; ++i) {
    id += text[static_cast<size_t>(i)];
  }
  return id;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, std::string_view what, bool shared) {
  const std::string path = folder + "/LOCK";
  const auto fail = [&](int error) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw Error(ErrorCode::kOutput, fmt::format("cannot lock '{}': {}", path, std::strerror(error)));
  };
  int attempts = 0;
  for (bool held = false; !held;) {
    if (++attempts > kMaxAttempts) {
      throw Error(ErrorCode::kOutput, fmt::format("cannot lock '{}': the file was removed in each of {} attempts", path, kMaxAttempts));
    }
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor_ < 0) throw Error(ErrorCode::kOutput, fmt::format("cannot write in '{}': {}", folder, std::strerror(errno)));
    struct stat own {};
    if (::fstat(descriptor_, &own) != 0) fail(errno);
    if (!S_ISREG(own.st_mode)) {
      ::close(descriptor_);
      throw Error(ErrorCode::kOutput, fmt::format("cannot lock '{}': it is not a regular file", path));
    }
    int result = 0;
    do {
      result = ::flock(descriptor_, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    if (result != 0) {
      if (errno != EWOULDBLOCK) fail(errno);
      const std::string who = holder(descriptor_);
      ::close(descriptor_);
      throw Error(ErrorCode::kOutput, fmt::format("{} '{}' is being written by another process{}; only one process may write at a time",
                                                  what, folder, who.empty() ? "" : " (" + who + ")"));
    }
    // Its holder may have removed the file between the two calls: then the lock is on a file that no other process will see.
    struct stat named {};
    const bool there = ::stat(path.c_str(), &named) == 0;
    if (!there && errno != ENOENT) fail(errno);
    held = there && named.st_dev == own.st_dev && named.st_ino == own.st_ino;
    if (!held) ::close(descriptor_);
  }
  // The process id is optional: the lock works without it. Sharers of the lock do not write theirs; they remove that of an earlier holder,
  // which would be wrong.
  if (::ftruncate(descriptor_, 0) != 0 || shared) return;
  const std::string id = fmt::format("{}\n", ::getpid());
  if (::pwrite(descriptor_, id.data(), id.size(), 0) < 0) errno = 0;
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

}  // namespace neardup
