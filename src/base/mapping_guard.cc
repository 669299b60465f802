#include "base/mapping_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>

#include "neardup/tools/mapped_files.h"

namespace neardup {
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

SpinLock lock;
MappingGuard* first = nullptr;  // guarded by lock
std::atomic<bool> installed{false};
struct sigaction previous_action {};
uintptr_t page_bytes = 4096;

// A page of a mapped file that is not there, or that the disk did not give. Of other faults, and of signals that a process sent, no page is
// lost.
bool is_lost_page(const siginfo_t& info) noexcept {
  return info.si_code == BUS_ADRERR;
}

bool is_sent(const siginfo_t& info) noexcept {
  return info.si_code <= 0;
}

// What would have happened without the guard.
void pass_on(int signal, siginfo_t* info, void* context) {
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) return previous_action.sa_sigaction(signal, info, context);
  if (previous_action.sa_handler == SIG_IGN && is_sent(*info)) return;  // the guard stays; faults cannot be ignored
  if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) return previous_action.sa_handler(signal);
  // The process ends: a fault happens again when this returns, a signal that was sent is sent once more.
  sigaction(signal, &previous_action, nullptr);
  if (is_sent(*info)) raise(signal);
}

}  // namespace

bool replace_lost_pages(void* address) noexcept {
  const std::lock_guard guard(lock);
  const auto* at = static_cast<char*>(address);
  for (MappingGuard* range = first; range != nullptr; range = range->next_) {
    if (at < range->begin_ || at >= range->begin_ + range->bytes_) continue;
    // A file loses its end, so all pages from here on are gone too; after a failing disk nothing of the range is used anyway.
    char* const page = range->begin_ + static_cast<size_t>(at - range->begin_) / page_bytes * page_bytes;
    const size_t rest = static_cast<size_t>(range->begin_ + range->bytes_ - page);
    // The system call itself: ThreadSanitizer takes mmap() for a write, and a race with the readers of these pages for one of ours.
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    if (::syscall(SYS_mmap, page, rest, PROT_READ, kFlags, -1, 0L) == -1) return false;
    range->lost_.store(true, std::memory_order_relaxed);
    return true;
  }
  return false;
}

namespace {

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (!is_lost_page(*info) || !replace_lost_pages(info->si_addr)) pass_on(signal, info, context);
  errno = error;
}

}  // namespace

void guard_mapped_files() {
  static const bool once = [] {
    page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
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
  const std::lock_guard guard(lock);
  next_ = first;
  if (first != nullptr) first->previous_ = this;
  first = this;
}

void MappingGuard::forget() noexcept {
  if (begin_ == nullptr) return;
  const std::lock_guard guard(lock);
  (previous_ == nullptr ? first : previous_->next_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
  begin_ = nullptr;
}

bool refill_lost_pages(std::string_view bytes) noexcept {
  if (!installed || bytes.empty()) return false;
  const volatile char* const data = bytes.data();
  for (size_t at = 0; at < bytes.size(); at += page_bytes) static_cast<void>(data[at]);
  static_cast<void>(data[bytes.size() - 1]);
  return true;
}

}  // namespace neardup
