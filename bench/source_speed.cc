// How many rows a second a source gives when nothing is done with them: source_speed INPUT [THREADS]. Prints one JSON object.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "neardup/error.h"
#include "neardup/io.h"

int main(int argc, char** argv) try {
  if (argc < 2) throw neardup::Error(neardup::ErrorCode::kUsage, "usage: source_speed INPUT [THREADS]");
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  const auto start = std::chrono::steady_clock::now();
  const auto source = neardup::open_source({argv[1]}, {});
  const std::chrono::duration<double> open = std::chrono::steady_clock::now() - start;
  std::mutex mutex;
  std::atomic<uint64_t> rows = 0;
  std::atomic<uint64_t> bytes = 0;
  const auto work = [&] {
    while (true) {
      std::unique_ptr<neardup::Batch> batch;
      {
        const std::lock_guard lock(mutex);
        batch = source->next();
      }
      if (!batch) return;
      rows += batch->read(neardup::Batch::Need::kText, {}, [&](uint32_t, const neardup::Record& record) { bytes += record.text.size(); });
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  workers.clear();
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  fmt::print(R"({{"rows":{},"text_bytes":{},"open_seconds":{:.4f},"seconds":{:.4f}}})"
             "\n",
             rows.load(), bytes.load(), open.count(), all.count());
} catch (const neardup::Error& error) {
  fmt::print(stderr, "source_speed: {}\n", error.what());
  return 1;
}
