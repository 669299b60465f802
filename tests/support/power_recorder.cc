// Preloaded into a program (LD_PRELOAD), records every call that changes files below a folder, for simulated power losses
// (tests/cli/power_loss.py).
//
//   NEARDUP_RECORD_ROOT=FOLDER   the folder
//   NEARDUP_RECORD_FILE=FILE     gets the records, outside of the folder
//   NEARDUP_RECORD_MARKS=FILE    what the program writes to this file is recorded as a mark
//
// A record: kind (1 byte), number of the file (u64), offset (u64), bytes of the path and of the second path or data (u32 each), both.
// Kinds: c create, w write, t truncate, s sync of a file, d sync of a folder, r rename, l link, u unlink, m make a folder, f remove a
// folder, a mark. Little-endian.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

namespace {

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

const std::string& root() {
  static const std::string* const path =
      new std::string(std::getenv("NEARDUP_RECORD_ROOT") == nullptr ? "" : std::getenv("NEARDUP_RECORD_ROOT"));
  return *path;
}
const std::string& marks() {
  static const std::string* const path =
      new std::string(std::getenv("NEARDUP_RECORD_MARKS") == nullptr ? "" : std::getenv("NEARDUP_RECORD_MARKS"));
  return *path;
}

int record_file() {
  static const int descriptor = [] {
    const char* const path = std::getenv("NEARDUP_RECORD_FILE");
    if (path == nullptr) return -1;
    static const auto next = real<int (*)(const char*, int, ...)>("open");
    return next(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }();
  return descriptor;
}

bool below_root(const std::string& path) {
  return !root().empty() && path.size() > root().size() && path.compare(0, root().size(), root()) == 0 && path[root().size()] == '/';
}

std::string absolute(const char* path) {
  if (path[0] == '/') return path;
  char folder[PATH_MAX];
  return getcwd(folder, sizeof folder) == nullptr ? path : std::string(folder) + "/" + path;
}

std::string path_of(int descriptor) {
  const int before = errno;
  char target[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = readlink(link.c_str(), target, sizeof target);
  errno = before;
  return size < 0 ? std::string() : std::string(target, static_cast<size_t>(size));
}

void record(char kind, uint64_t file, uint64_t offset, const std::string& path, const void* data, size_t bytes) {
  static std::mutex* const mutex = new std::mutex;
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  const int before = errno;
  std::string out(1, kind);
  const uint32_t path_bytes = static_cast<uint32_t>(path.size());
  const uint32_t data_bytes = static_cast<uint32_t>(bytes);
  out.append(reinterpret_cast<const char*>(&file), sizeof file);
  out.append(reinterpret_cast<const char*>(&offset), sizeof offset);
  out.append(reinterpret_cast<const char*>(&path_bytes), sizeof path_bytes);
  out.append(reinterpret_cast<const char*>(&data_bytes), sizeof data_bytes);
  out += path;
  out.append(static_cast<const char*>(data), bytes);
  const std::lock_guard lock(*mutex);
  for (size_t done = 0; done < out.size();) {
    const ssize_t wrote = next(record_file(), out.data() + done, out.size() - done);
    if (wrote <= 0) std::abort();
    done += static_cast<size_t>(wrote);
  }
  errno = before;
}

uint64_t number_of(int descriptor) {
  struct stat found {};
  const int before = errno;
  const bool there = fstat(descriptor, &found) == 0;
  errno = before;
  return there ? found.st_ino : 0;
}

void wrote(int descriptor, uint64_t offset, const void* data, ssize_t bytes) {
  if (bytes <= 0 || root().empty() || descriptor == record_file()) return;
  const std::string path = path_of(descriptor);
  if (path == marks()) return record('a', 0, 0, "", data, static_cast<size_t>(bytes));
  if (below_root(path)) record('w', number_of(descriptor), offset, path, data, static_cast<size_t>(bytes));
}

bool exists(const char* path) {
  struct stat found {};
  const int before = errno;
  const bool there = lstat(path, &found) == 0;
  errno = before;
  return there;
}

using OpenFunction = int (*)(const char*, int, ...);

bool may_create(int flags) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0;
}

int recorded_open(OpenFunction next, const char* path, int flags, mode_t mode) {
  const std::string whole = absolute(path);
  const bool existed = below_root(whole) && exists(path);
  const int descriptor = next(path, flags, mode);
  if (descriptor < 0 || !below_root(whole)) return descriptor;
  if ((flags & O_CREAT) != 0 && !existed) record('c', number_of(descriptor), 0, whole, "", 0);
  if ((flags & O_TRUNC) != 0 && existed) record('t', number_of(descriptor), 0, whole, "", 0);
  return descriptor;
}

void synced(int descriptor) {
  if (root().empty()) return;
  const std::string path = path_of(descriptor);
  if (path != root() && !below_root(path)) return;
  struct stat found {};
  const bool folder = fstat(descriptor, &found) == 0 && S_ISDIR(found.st_mode);
  record(folder ? 'd' : 's', found.st_ino, 0, path, "", 0);
}

void record_paths(char kind, const std::string& from, const std::string& to) {
  if (below_root(from) || below_root(to)) record(kind, 0, 0, from, to.data(), to.size());
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  static const auto next = real<OpenFunction>("open");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = may_create(flags) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return recorded_open(next, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  static const auto next = real<OpenFunction>("open64");
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = may_create(flags) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return recorded_open(next, path, flags, mode);
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
  const ssize_t done = next(descriptor, data, bytes);
  if (done > 0 && !root().empty() && descriptor > 2) {
    const off_t end = lseek(descriptor, 0, SEEK_CUR);
    wrote(descriptor, end < done ? 0 : static_cast<uint64_t>(end - done), data, done);
  }
  return done;
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  const ssize_t done = next(descriptor, data, bytes, offset);
  wrote(descriptor, static_cast<uint64_t>(offset), data, done);
  return done;
}

ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off_t offset) {
  static const auto next = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite64");
  const ssize_t done = next(descriptor, data, bytes, offset);
  wrote(descriptor, static_cast<uint64_t>(offset), data, done);
  return done;
}

int fsync(int descriptor) {
  static const auto next = real<int (*)(int)>("fsync");
  const int result = next(descriptor);
  if (result == 0) synced(descriptor);
  return result;
}

int fdatasync(int descriptor) {
  static const auto next = real<int (*)(int)>("fdatasync");
  const int result = next(descriptor);
  if (result == 0) synced(descriptor);
  return result;
}

int ftruncate(int descriptor, off_t bytes) {
  static const auto next = real<int (*)(int, off_t)>("ftruncate");
  const int result = next(descriptor, bytes);
  const std::string path = path_of(descriptor);
  if (result == 0 && below_root(path)) record('t', number_of(descriptor), static_cast<uint64_t>(bytes), path, "", 0);
  return result;
}

int ftruncate64(int descriptor, off_t bytes) {
  return ftruncate(descriptor, bytes);
}

int rename(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  const int result = next(from, to);
  if (result == 0) record_paths('r', absolute(from), absolute(to));
  return result;
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto next = real<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  const int result = next(from_folder, from, to_folder, to, flags);
  if (result == 0) record_paths((flags & 2) != 0 ? 'x' : 'r', absolute(from), absolute(to));
  return result;
}

int link(const char* from, const char* to) {
  static const auto next = real<int (*)(const char*, const char*)>("link");
  const int result = next(from, to);
  if (result == 0) record_paths('l', absolute(from), absolute(to));
  return result;
}

int unlink(const char* path) {
  static const auto next = real<int (*)(const char*)>("unlink");
  const int result = next(path);
  if (result == 0) record_paths('u', absolute(path), "");
  return result;
}

int remove(const char* path) {
  static const auto next = real<int (*)(const char*)>("remove");
  struct stat found {};
  const bool folder = lstat(path, &found) == 0 && S_ISDIR(found.st_mode);
  const int result = next(path);
  if (result == 0) record_paths(folder ? 'f' : 'u', absolute(path), "");
  return result;
}

int mkdir(const char* path, mode_t mode) {
  static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
  const int result = next(path, mode);
  if (result == 0) record_paths('m', absolute(path), "");
  return result;
}

int rmdir(const char* path) {
  static const auto next = real<int (*)(const char*)>("rmdir");
  const int result = next(path);
  if (result == 0) record_paths('f', absolute(path), "");
  return result;
}

}  // extern "C"
