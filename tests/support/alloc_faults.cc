// Preloaded into a program (LD_PRELOAD), makes its n-th large allocation fail, for tests of what a run does when memory is short.
//
//   NEARDUP_ALLOC_FAULT=N   the N-th allocation of at least 1 KiB fails; N+: that one and all large ones after it
//   NEARDUP_ALLOC_COUNT=F   the number of large allocations is written to the file F at the end
//
// Counted is what main() and its threads allocate: what the loader and static constructors of libraries do is not the program's.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
// The allocator of glibc under its own names.
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}

namespace {

constexpr size_t kMinBytes = 1024;

std::atomic<bool> counting{false};
std::atomic<long> calls{0};
long fail_at = 0;
bool fail_after = false;

bool strikes(size_t bytes) {
  if (bytes < kMinBytes || !counting.load(std::memory_order_relaxed)) return false;
  const long call = calls.fetch_add(1) + 1;
  const bool now = fail_at != 0 && (call == fail_at || (fail_after && call > fail_at));
  if (now) errno = ENOMEM;
  return now;
}

int (*real_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  if (const char* text = std::getenv("NEARDUP_ALLOC_FAULT")) {
    char* end = nullptr;
    fail_at = std::strtol(text, &end, 10);
    fail_after = *end == '+';
  }
  counting.store(true);
  const int code = real_main(argc, argv, environment);
  counting.store(false);
  if (const char* path = std::getenv("NEARDUP_ALLOC_COUNT")) {
    if (FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
  return code;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  return strikes(bytes) ? nullptr : __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  size_t all = 0;
  if (!__builtin_mul_overflow(count, bytes, &all) && strikes(all)) return nullptr;
  return __libc_calloc(count, bytes);
}

void* realloc(void* old, size_t bytes) {
  return strikes(bytes) ? nullptr : __libc_realloc(old, bytes);
}

void* memalign(size_t alignment, size_t bytes) {
  return strikes(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  return strikes(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** place, size_t alignment, size_t bytes) {
  if (strikes(bytes)) return ENOMEM;
  void* const made = __libc_memalign(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *place = made;
  return 0;
}

int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(), void (*loader_fini)(),
                      void* stack_end) {
  using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = program;
  return reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}
}
