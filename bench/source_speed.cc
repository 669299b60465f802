// source_speed: how fast a source alone is. Threads take batches and read the texts, as the first pass of a run does, and do nothing with
// them. Prints seconds and bytes of text of the best of several passes.
//
//   source_speed [--threads 2] [--passes 3] INPUT...
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "neardup/io.h"

namespace {

double read_all(neardup::DocumentSource& source, int threads, uint64_t& bytes) {
  const auto start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::atomic<uint64_t> read{0};
  const auto work = [&] {
    for (;;) {
      std::unique_ptr<neardup::Batch> batch;
      {
        const std::lock_guard lock(mutex);
        batch = source.next();
      }
      if (!batch) return;
      uint64_t sum = 0;
      batch->read(neardup::Batch::Need::kText, {}, [&](uint32_t, const neardup::Record& record) { sum += record.text.size(); });
      read += sum;
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  workers.clear();
  bytes = read;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"How fast a source alone is"};
  int threads = 2;
  int passes = 3;
  std::vector<std::string> inputs;
  app.add_option("--threads", threads);
  app.add_option("--passes", passes);
  app.add_option("inputs", inputs)->required();
  CLI11_PARSE(app, argc, argv);
  const auto source = neardup::open_source(inputs, {});
  double best = 1e9;
  uint64_t bytes = 0;
  for (int pass = 0; pass < passes; ++pass) {
    source->rewind();
    best = std::min(best, read_all(*source, threads, bytes));
  }
  std::printf("%.4f %llu\n", best, static_cast<unsigned long long>(bytes));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "source_speed: %s\n", error.what());
  return 1;
}
