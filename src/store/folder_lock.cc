#include "store/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "neardup/error.h"

namespace neardup {
namespace {

// What the holder wrote: its process id, for people. Empty when it has not come to that yet.
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
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw Error(ErrorCode::kOutput, fmt::format("cannot write in '{}': {}", folder, std::strerror(errno)));
  int result = 0;
  do {
    result = ::flock(descriptor_, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result != 0) {
    const int error = errno;
    const std::string who = error == EWOULDBLOCK ? holder(descriptor_) : std::string();
    ::close(descriptor_);
    if (error != EWOULDBLOCK) throw Error(ErrorCode::kOutput, fmt::format("cannot lock '{}': {}", path, std::strerror(error)));
    throw Error(ErrorCode::kOutput, fmt::format("{} '{}' is being written by another process{}; only one at a time may write", what, folder,
                                                who.empty() ? "" : " (" + who + ")"));
  }
  const std::string id = fmt::format("{}\n", ::getpid());
  // The number is a courtesy: without it, the lock holds all the same.
  if (::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, id.data(), id.size(), 0) < 0) errno = 0;
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

}  // namespace neardup
