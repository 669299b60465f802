#include "parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "neardup/tools/machine.h"

namespace neardup::python {
namespace {

constexpr uint32_t kMaxThreads = 1024;
constexpr size_t kMaxBlock = 256;  // items taken at once, so that counting them costs nothing
constexpr size_t kBlocksPerThread = 16;

}  // namespace

uint32_t thread_count(uint32_t threads) noexcept {
  return std::clamp(threads == 0 ? machine_cores() : threads, 1u, kMaxThreads);
}

void for_all(size_t count, uint32_t threads, const StopFunction& stop, const std::function<void(uint32_t worker, size_t item)>& work) {
  const auto workers = static_cast<uint32_t>(std::min<size_t>(thread_count(threads), count));
  if (workers == 0) return;
  const size_t block = std::clamp<size_t>(count / workers / kBlocksPerThread, 1, kMaxBlock);
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto run = [&](uint32_t worker) {
    try {
      for (size_t begin = next.fetch_add(block); begin < count; begin = next.fetch_add(block)) {
        for (size_t item = begin; item < std::min(begin + block, count); ++item) {
          check_stop(stop);
          work(worker, item);
        }
      }
    } catch (...) {
      next = count;  // the others end soon
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(workers);
    try {
      for (uint32_t worker = 1; worker < workers; ++worker) others.emplace_back(run, worker);
    } catch (const std::system_error&) {
      // The machine gives no more threads: those that there are do the work.
    }
    run(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace neardup::python
