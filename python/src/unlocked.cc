#include "unlocked.h"

#include <atomic>
#include <chrono>
#include <utility>

namespace nb = nanobind;

namespace neardup::python {
namespace {

// A job that is asked to stop takes less than a second. One that does not, because it waits for something, must not keep the process.
constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::milliseconds kExitInterval{1};

std::thread::id ender;  // the thread that ends the interpreter; written before `ending`
std::atomic<bool> ending = false;
std::atomic<bool> ended = false;  // nobody waits any more
int calls = 0;                    // that are awaited; guarded by the lock of the interpreter

void wait_for_calls() {
  ender = std::this_thread::get_id();
  ending = true;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (calls > 0 && std::chrono::steady_clock::now() < end) {
    const nb::gil_scoped_release unlocked;
    std::this_thread::sleep_for(kExitInterval);
  }
  ended = true;
}

void forget_calls() {
  calls = 0;
}

// Without the lock, until the process is gone.
void stay_if_ended() noexcept {
  while (ended && must_end(std::this_thread::get_id())) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

AwaitedCall::AwaitedCall() {
  if (must_end(std::this_thread::get_id())) raise_end();
  ++calls;
}

AwaitedCall::~AwaitedCall() {
  --calls;
}

Unlocked::Unlocked() : call_(std::in_place), thread_(PyEval_SaveThread()) {}

Unlocked::~Unlocked() {
  stay_if_ended();
  PyEval_RestoreThread(thread_);
}

bool must_end(std::thread::id thread) noexcept {
  return ending && thread != ender;
}

void raise_end() {
  PyErr_SetNone(PyExc_SystemExit);
  throw nb::python_error();
}

void wait_for_unlocked_at_exit() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&wait_for_calls));
  // A child process has only the thread that made it.
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function(&forget_calls));
}

}  // namespace neardup::python
