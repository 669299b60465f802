#include "base/mapped_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/open_file.h"
#include "neardup/error.h"
#include "neardup/tools/mapped_files.h"

namespace neardup {

// Zeros for a missing page; false if no guarded range has it. A friend of MappingGuard, which an unnamed namespace cannot hold.
bool replace_lost_pages(void* address) noexcept;

namespace {

// A lock that a handler of a synchronous signal may take: its holders touch no mapped file, so the handler never interrupts one that
// holds it in its own thread.
class SpinLock {
 public:
  void lock() noexcept {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() noexcept { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

SpinLock guards_lock;
MappingGuard* first_guard = nullptr;  // under guards_lock
std::atomic<bool> installed{false};
struct sigaction previous_action {};
uintptr_t guarded_page_bytes = 4096;  // set before the handler is installed, which needs a plain variable: page_bytes() may take a lock

// True for a missing page of a mapped file, or one that the disk failed to read. Other faults, and signals that a process sent, lose no
// page.
bool is_lost_page(const siginfo_t& info) noexcept {
  return info.si_code == BUS_ADRERR;
}

bool is_sent(const siginfo_t& info) noexcept {
  return info.si_code <= 0;
}

// Does what would have happened without the guard.
void pass_on(int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) return previous_action.sa_sigaction(signal, info, context);
  if (previous_action.sa_handler == SIG_IGN && is_sent(*info)) return;  // keeps the guard; faults cannot be ignored
  if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) return previous_action.sa_handler(signal);
  // The process ends: a fault happens again when this returns, a signal that was sent is sent once more.
  sigaction(signal, &previous_action, nullptr);
  if (is_sent(*info)) raise(signal);
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (!is_lost_page(*info) || !replace_lost_pages(info->si_addr)) pass_on(signal, info, context);
  errno = error;
}

uintptr_t page_bytes() noexcept {
  static const auto bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

[[noreturn]] void fail(const std::string& name, const char* reason) {
  throw Error(ErrorCode::kInput, "cannot read " + name + ": " + reason);
}

}  // namespace

bool replace_lost_pages(void* address) noexcept {
  const std::lock_guard guard(guards_lock);
  const auto* at = static_cast<char*>(address);
  for (MappingGuard* range = first_guard; range != nullptr; range = range->next_) {
    if (at < range->begin_ || at >= range->begin_ + range->bytes_) continue;
    // A file loses its end, so all later pages are missing too; after a disk failure nothing of the range is used anyway.
    char* const page = range->begin_ + static_cast<size_t>(at - range->begin_) / guarded_page_bytes * guarded_page_bytes;
    const size_t rest = static_cast<size_t>(range->begin_ + range->bytes_ - page);
    // The system call itself: ThreadSanitizer takes mmap() for a write, and a race with the readers of these pages for one of ours.
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    if (::syscall(SYS_mmap, page, rest, PROT_READ, kFlags, -1, 0L) == -1) return false;
    range->lost_.store(true, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void guard_mapped_files() {
  static const bool once = [] {
    guarded_page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, nullptr, &previous_action);
    if (sigaction(SIGBUS, &action, nullptr) == 0) installed = true;
    return true;
  }();
  static_cast<void>(once);
}

void MappingGuard::watch(void* begin, size_t bytes) noexcept {
  begin_ = static_cast<char*>(begin);
  bytes_ = bytes;
  const std::lock_guard guard(guards_lock);
  next_ = first_guard;
  if (first_guard != nullptr) first_guard->previous_ = this;
  first_guard = this;
}

void MappingGuard::forget() noexcept {
  if (begin_ == nullptr) return;
  const std::lock_guard guard(guards_lock);
  (previous_ == nullptr ? first_guard : previous_->next_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
  begin_ = nullptr;
}

bool refill_lost_pages(std::string_view bytes) noexcept {
  if (!installed || bytes.empty()) return false;
  const volatile char* const data = bytes.data();
  for (size_t at = 0; at < bytes.size(); at += guarded_page_bytes) static_cast<void>(data[at]);
  static_cast<void>(data[bytes.size() - 1]);
  return true;
}

MappedFile::MappedFile(const std::string& path) : name_("'" + path + "'") {
  const FileDescriptor file = open_file(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(name_, std::strerror(errno));
  map(file.get(), 0, static_cast<uint64_t>(status.st_size));
}

MappedFile::MappedFile(int descriptor, uint64_t offset, uint64_t bytes, std::string name) : name_(std::move(name)) {
  map(descriptor, offset, bytes);
}

void MappedFile::map(int descriptor, uint64_t offset, uint64_t bytes) {
  if (bytes == 0) return;
  const uint64_t before = offset % page_bytes();
  size_ = static_cast<size_t>(bytes + before);
  void* const begin = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, static_cast<off_t>(offset - before));
  if (begin == MAP_FAILED) fail(name_, std::strerror(errno));
  begin_ = begin;
  bytes_ = {static_cast<const char*>(begin_) + before, static_cast<size_t>(bytes)};
  guard_.watch(begin_, size_);
  // A file that shrinks loses its last bytes first: on a partly remaining page they turn into zeros without a fault. So the last byte that
  // is not zero shows it. If the last page has no such byte, zeros in its place change nothing, and a missing page faults.
  const size_t page = std::max(before, (size_ - 1) / page_bytes() * page_bytes());
  const std::string_view last = std::string_view(static_cast<const char*>(begin_), size_).substr(page);
  const size_t at = last.find_last_not_of('\0');
  mark_ = last.data() + (at == std::string_view::npos ? 0 : at);
  mark_value_ = *mark_;
}

MappedFile::~MappedFile() {
  guard_.forget();
  if (begin_ != nullptr) ::munmap(begin_, size_);
}

void MappedFile::check() const {
  if (mark_ == nullptr || (*mark_ == mark_value_ && !guard_.lost())) return;
  fail(name_, "it shrank while it was read, or its disk failed");
}

void MappedFile::expect(Reading reading) const noexcept {
  if (size_ != 0) ::madvise(begin_, size_, reading == Reading::kRandom ? MADV_RANDOM : MADV_SEQUENTIAL);
}

void MappedFile::release() const noexcept {
  if (size_ != 0) ::madvise(begin_, size_, MADV_DONTNEED);
}

void MappedFile::fetch(std::string_view bytes) noexcept {
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  const uintptr_t over = begin % page_bytes();
  ::madvise(const_cast<char*>(bytes.data()) - over, bytes.size() + over, MADV_WILLNEED);
}

}  // namespace neardup
