// Preloaded into a program (LD_PRELOAD), makes its n-th call that changes a file fail, for tests of what a run leaves behind.
//
//   NEARDUP_FAULT=KIND:N   ENOSPC and EIO: the N-th call fails with it; SHORT: a write writes half; KILL: the process ends before the call
//   NEARDUP_FAULT_COUNT=F  the number of calls is written to the file F at the end
//
// Counted are write, pwrite, fsync, fdatasync, rename, renameat2, ftruncate and unlink, of anything but standard streams.
#include <dlfcn.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

enum class Kind { kNone, kNoSpace, kBroken, kShort, kKill };

struct Fault {
  Kind kind = Kind::kNone;
  long at = 0;
  const char* count_file = nullptr;
  pid_t process = getpid();  // children do not report

  Fault() {
    count_file = std::getenv("NEARDUP_FAULT_COUNT");
    const char* text = std::getenv("NEARDUP_FAULT");
    const char* colon = text == nullptr ? nullptr : std::strchr(text, ':');
    if (colon == nullptr) return;
    const auto length = static_cast<size_t>(colon - text);
    const auto is = [&](const char* name) { return std::strlen(name) == length && std::strncmp(text, name, length) == 0; };
    kind = is("ENOSPC") ? Kind::kNoSpace : is("EIO") ? Kind::kBroken : is("SHORT") ? Kind::kShort : is("KILL") ? Kind::kKill : Kind::kNone;
    at = std::atol(colon + 1);
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

// True if this call is the one; kSHORT is for writes only, and counts as none for others.
bool strikes(bool write) {
  const Fault& it = fault();
  if (calls.fetch_add(1) + 1 != it.at) return false;
  switch (it.kind) {
    case Kind::kKill:
      kill(getpid(), SIGKILL);
      return true;
    case Kind::kNoSpace:
      errno = ENOSPC;
      return true;
    case Kind::kBroken:
      errno = EIO;
      return true;
    case Kind::kShort:
      return write;
    case Kind::kNone:
      break;
  }
  return false;
}

ssize_t failed_write(size_t bytes, ssize_t (*half)(size_t, const void*), const void* context) {
  if (fault().kind != Kind::kShort || bytes < 2) return fault().kind == Kind::kShort ? half(bytes, context) : -1;
  return half(bytes / 2, context);
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t bytes) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  if (descriptor <= 2 || !strikes(true)) return next(descriptor, data, bytes);
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
  if (!strikes(true)) return next(descriptor, data, bytes, offset);
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
  return strikes(false) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
  static const auto next = real<int (*)(int)>("fdatasync");
  return strikes(false) ? -1 : next(descriptor);
}

int rename(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  return strikes(false) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  return strikes(false) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int ftruncate(int descriptor, off_t bytes) {
  static const auto next = real<int (*)(int, off_t)>("ftruncate");
  return strikes(false) ? -1 : next(descriptor, bytes);
}

int unlink(const char* path) {
  static const auto next = real<int (*)(const char*)>("unlink");
  return strikes(false) ? -1 : next(path);
}
}
