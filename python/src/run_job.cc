#include "run_job.h"

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

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

}  // namespace

void run_job(const std::function<void(const StopFunction& stop)>& job, const std::function<void()>& tick) {
  std::atomic<bool> stopped = false;
  const StopFunction stop = [&stopped] { return stopped.load(std::memory_order_relaxed); };
  std::exception_ptr failure;
  Finish finish;
  std::thread worker([&] {
    try {
      job(stop);
    } catch (...) {
      failure = std::current_exception();
    }
    finish.set();
  });

  std::optional<nb::python_error> raised;
  const auto look = [&] {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (tick) tick();
    } catch (nb::python_error& error) {
      raised.emplace(std::move(error));
      stopped = true;
    }
  };
  for (bool done = false; !done;) {
    {
      const nb::gil_scoped_release unlocked;
      done = finish.wait();
    }
    if (!done && !raised) look();
  }
  worker.join();
  if (raised) throw std::move(*raised);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace neardup::python
