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

constexpr uint64_t kSmallWork = 1 << 16;  // bytes of text that one thread sketches in about a millisecond

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
  const AwaitedCall call;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> stopped = false;
  const StopFunction stop = [&] { return stopped.load(std::memory_order_relaxed) || must_end(caller); };
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
      const Unlocked unlocked(call);
      done = finish.wait();
    }
    if (!done && !raised) look();
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (failure && must_end(caller)) raise_end();
  if (failure) std::rethrow_exception(failure);
}

void run_text_job(uint64_t text_bytes, const std::function<void(const StopFunction& stop)>& job) {
  if (text_bytes > kSmallWork) return run_job(job);
  const Unlocked unlocked;
  job({});
}

}  // namespace neardup::python
