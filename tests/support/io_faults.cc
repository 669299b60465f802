// Preloaded into a program (LD_PRELOAD), makes its n-th call that changes a file fail, for tests of what a run leaves behind.
//
//   NEARDUP_FAULT=KIND:N   ENOSPC and EIO: the N-th call fails with it, but with ENOSPC not a removal; SHORT: a write writes half;
//                          KILL: the process ends before the call; TERM and HUP: it gets the signal before the call;
//                          SHRINK: another file is shortened before the call
//   NEARDUP_FAULT_WHILE=F  ENOSPC and EIO: while the file F exists, all calls fail instead of the N-th one
//   NEARDUP_FAULT_FILE=F   SHRINK: that file
//   NEARDUP_FAULT_BYTES=B  SHRINK: its new length
//   NEARDUP_FAULT_STAT=P   stat and lstat of the path P fail with EIO, whatever the kind
//   NEARDUP_FAULT_GONE=P   stat and lstat of the path P say that it does not exist
//   NEARDUP_FAULT_COUNT=F  the number of calls is written to the file F at the end
//
// Counted are write, pwrite, fsync, fdatasync, rename, renameat2, ftruncate, mkdir, unlink, rmdir, remove, and open where it may create a
// file, of anything but standard streams.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

enum class Kind { kNone, kNoSpace, kBroken, kShort, kKill, kTerm, kHangUp, kShrink };
enum class Call { kWrite, kRemoval, kOther };

struct Fault {
  Kind kind = Kind::kNone;
  long at = 0;
  const char* count_file = nullptr;
  const char* while_file = nullptr;
  const char* shrunk_file = nullptr;
  long bytes = 0;
  pid_t process = getpid();  // children do not report

  Fault() {
    count_file = std::getenv("NEARDUP_FAULT_COUNT");
    const char* text = std::getenv("NEARDUP_FAULT");
    const char* colon = text == nullptr ? nullptr : std::strchr(text, ':');
    if (colon == nullptr) return;
    const auto length = static_cast<size_t>(colon - text);
    const auto is = [&](const char* name) { return std::strlen(name) == length && std::strncmp(text, name, length) == 0; };
    constexpr struct {
      const char* name;
      Kind kind;
    } kKinds[] = {{"ENOSPC", Kind::kNoSpace}, {"EIO", Kind::kBroken}, {"SHORT", Kind::kShort},  {"KILL", Kind::kKill},
                  {"TERM", Kind::kTerm},      {"HUP", Kind::kHangUp}, {"SHRINK", Kind::kShrink}};
    for (const auto& each : kKinds) {
      if (is(each.name)) kind = each.kind;
    }
    at = std::atol(colon + 1);
    while_file = std::getenv("NEARDUP_FAULT_WHILE");
    shrunk_file = std::getenv("NEARDUP_FAULT_FILE");
    const char* left = std::getenv("NEARDUP_FAULT_BYTES");
    bytes = left == nullptr ? 0 : std::atol(left);
  }
  ~Fault() {
    if (count_file == nullptr || getpid() != process) return;
    if (FILE* file = std::fopen(count_file, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
};

const Fault& fault() {
  static const Fault instance;
  return instance;
}

// Made before main, so that its end comes after that of the program's statics.
[[maybe_unused]] const Fault& made_early = fault();

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// True if this call is the one that fails; SHORT is for writes only, and counts as none for others.
bool strikes(Call call) {
  const Fault& it = fault();
  const bool is_next = calls.fetch_add(1) + 1 == it.at;
  if (it.while_file == nullptr ? !is_next : access(it.while_file, F_OK) != 0) return false;
  switch (it.kind) {
    case Kind::kKill:
      kill(getpid(), SIGKILL);
      return true;
    case Kind::kTerm:
      kill(getpid(), SIGTERM);
      return false;
    case Kind::kHangUp:
      kill(getpid(), SIGHUP);
      return false;
    case Kind::kShrink:
      if (truncate(it.shrunk_file, it.bytes) != 0) errno = 0;  // it may be gone by now
      return false;
    case Kind::kNoSpace:
      errno = ENOSPC;
      return call != Call::kRemoval;
    case Kind::kBroken:
      errno = EIO;
      return true;
    case Kind::kShort:
      return call == Call::kWrite;
    case Kind::kNone:
      break;
  }
  return false;
}

// A server wakes its threads by writes to what is not a file; a disk has no part in those.
bool spares(int descriptor) {
  struct stat status;
  return descriptor <= 2 || (fault().while_file != nullptr && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)));
}

// True if the state of this path cannot be read.
bool is_unreadable(const char* path) {
  static const char* const unreadable = std::getenv("NEARDUP_FAULT_STAT");
  static const char* const gone = std::getenv("NEARDUP_FAULT_GONE");
  const auto is = [path](const char* named) { return named != nullptr && std::strcmp(path, named) == 0; };
  if (!is(unreadable) && !is(gone)) return false;
  errno = is(gone) ? ENOENT : EIO;
  return true;
}

bool may_create(int flags) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

ssize_t failed_write(size_t bytes, ssize_t (*half)(size_t, const void*), const void* context) {
  if (fault().kind != Kind::kShort || bytes < 2) return fault().kind == Kind::kShort ? half(bytes, context) : -1;
  return half(bytes / 2, context);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t bytes) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (spares(descriptor) || !strikes(Call::kWrite)) return next(descriptor, data, bytes);
  struct Call {
    int descriptor;
    const void* data;
  } const call{descriptor, data};
  return failed_write(
      bytes,
      [](size_t part, const void* of) { return next(static_cast<const Call*>(of)->descriptor, static_cast<const Call*>(of)->data, part); },
      &call);
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  if (!strikes(Call::kWrite)) return next(descriptor, data, bytes, offset);
  struct Call {
    int descriptor;
    const void* data;
    off_t offset;
  } const call{descriptor, data, offset};
  return failed_write(
      bytes,
      [](size_t part, const void* of) {
        const auto* it = static_cast<const Call*>(of);
        return next(it->descriptor, it->data, part, it->offset);
      },
      &call);
}

int fsync(int descriptor) {
  static const auto next = real<int (*)(int)>("fsync");
  return strikes(Call::kOther) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
  static const auto next = real<int (*)(int)>("fdatasync");
  return strikes(Call::kOther) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  return strikes(Call::kOther) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  return strikes(Call::kOther) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int ftruncate(int descriptor, off_t bytes) {
  static const auto next = real<int (*)(int, off_t)>("ftruncate");
  return strikes(Call::kOther) ? -1 : next(descriptor, bytes);
}

int mkdir(const char* path, mode_t mode) {
  static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
  return strikes(Call::kOther) ? -1 : next(path, mode);
}

int unlink(const char* path) {
  static const auto next = real<int (*)(const char*)>("unlink");
  return strikes(Call::kRemoval) ? -1 : next(path);
}

int rmdir(const char* path) {
  static const auto next = real<int (*)(const char*)>("rmdir");
  return strikes(Call::kRemoval) ? -1 : next(path);
}

int remove(const char* path) {
  static const auto next = real<int (*)(const char*)>("remove");
  return strikes(Call::kRemoval) ? -1 : next(path);
}

int open(const char* path, int flags, ...) {
  static const auto next = real<int (*)(const char*, int, mode_t)>("open");
  mode_t mode = 0;
  if (may_create(flags)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if (strikes(Call::kOther)) return -1;
  }
  return next(path, flags, mode);
}

int stat(const char* path, struct stat* status) {
  static const auto next = real<int (*)(const char*, struct stat*)>("stat");
  return is_unreadable(path) ? -1 : next(path, status);
}

int lstat(const char* path, struct stat* status) {
  static const auto next = real<int (*)(const char*, struct stat*)>("lstat");
  return is_unreadable(path) ? -1 : next(path, status);
}
}
