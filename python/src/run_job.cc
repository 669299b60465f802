#include "run_job.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "neardup/error.h"
#include "unlocked.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

constexpr std::chrono::milliseconds kInterval{50};

// Whether the job has returned.
class Finish {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_one();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kInterval, [this] { return done_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

// What a thread whose job the end of the interpreter has stopped should raise: it ends without a message.
[[noreturn]] void end_thread() {
  PyErr_SetNone(PyExc_SystemExit);
  throw nb::python_error();
}

template <typename Work>
std::thread start(const Work& work) {
  try {
    return std::thread(work);
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::kResource, fmt::format("cannot start a thread: {}", error.what()));
  }
}

}  // namespace

void run_job(const std::function<void(const StopFunction& stop)>& job, const std::function<void()>& tick) {
  if (interpreter_ends()) end_thread();
  std::atomic<bool> stopped = false;
  const StopFunction stop = [&stopped] { return stopped.load(std::memory_order_relaxed) || interpreter_ends(); };
  std::exception_ptr failure;
  Finish finish;
  std::thread worker = start([&] {
    try {
      job(stop);
    } catch (...) {
      failure = std::current_exception();
    }
    finish.set();
  });

  std::exception_ptr raised;
  const auto look = [&] {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (tick) tick();
    } catch (...) {
      raised = std::current_exception();
      stopped = true;
    }
  };
  for (bool done = false; !done;) {
    {
      const Unlocked unlocked;
      done = finish.wait();
    }
    if (!done && !raised) look();
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (failure && interpreter_ends()) end_thread();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace neardup::python
