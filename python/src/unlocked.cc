#include "unlocked.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace nb = nanobind;

namespace neardup::python {
namespace {

// A job that is asked to stop takes less than a second. One that does not, because it waits for something, must not keep the process.
constexpr std::chrono::seconds kPatience{10};
constexpr std::chrono::milliseconds kInterval{1};

std::atomic<bool> ending = false;
int scopes = 0;  // that are open; guarded by the lock of the interpreter

void wait_for_scopes() {
  ending = true;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (scopes > 0 && std::chrono::steady_clock::now() < end) {
    const nb::gil_scoped_release unlocked;
    std::this_thread::sleep_for(kInterval);
  }
}

}  // namespace

Unlocked::Unlocked() noexcept : thread_(ending ? nullptr : (++scopes, PyEval_SaveThread())) {}

Unlocked::~Unlocked() {
  if (thread_ == nullptr) return;
  PyEval_RestoreThread(thread_);
  --scopes;
}

bool interpreter_ends() noexcept {
  return ending.load(std::memory_order_relaxed);
}

void wait_for_unlocked_at_exit() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&wait_for_scopes));
  // A child process has only the thread that made it.
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function([] { scopes = 0; }));
}

}  // namespace neardup::python
