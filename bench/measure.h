// What the programs of bench/ measure with: clocks, resident memory, and what the machine can do at best.
#pragma once

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace neardup::measure {

inline double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// By the clock, and of processor time of all threads.
class Stopwatch {
 public:
  [[nodiscard]] double wall() const { return seconds(CLOCK_MONOTONIC) - wall_; }
  [[nodiscard]] double cpu() const { return seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_; }

 private:
  double wall_ = seconds(CLOCK_MONOTONIC);
  double cpu_ = seconds(CLOCK_PROCESS_CPUTIME_ID);
};

/// A barrier: later operations wait for earlier ones, so that latency is measured, not throughput.
inline void finish_loads() {
#if defined(__x86_64__)
  _mm_lfence();
#endif
}

/// Bytes.
inline int64_t resident() {
  int64_t total = 0;
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> total >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}
/// The most bytes since the start or since forget_peak().
inline int64_t peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}
inline void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// Nanoseconds of a read that depends on the one before it: one random cycle through the cache lines of `bytes` bytes.
inline double random_read_ns(size_t bytes) {
  constexpr size_t kPerLine = 16;
  std::vector<uint32_t> next(bytes / sizeof(uint32_t));
  const size_t lines = next.size() / kPerLine;
  std::mt19937_64 random(1);
  for (size_t i = 0; i < lines; ++i) next[i * kPerLine] = static_cast<uint32_t>(i);
  for (size_t i = lines - 1; i > 0; --i) std::swap(next[i * kPerLine], next[random() % i * kPerLine]);
  constexpr int kReads = 2'000'000;
  double best = 1e9;
  uint32_t at = 0;
  for (int turn = 0; turn < 3; ++turn) {
    const Stopwatch clock;
    for (int i = 0; i < kReads; ++i) at = next[at * kPerLine];
    best = std::min(best, clock.wall());
  }
  if (at == UINT32_MAX) std::puts("");  // never: the reads have to be done
  return best / kReads * 1e9;
}

#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
inline uint64_t
sum_of(const uint64_t* words, size_t count) {
  uint64_t sums[32] = {};
  for (size_t i = 0; i + 32 <= count; i += 32) {
    for (size_t lane = 0; lane < 32; ++lane) sums[lane] += words[i + lane];
  }
  uint64_t sum = 0;
  for (const uint64_t each : sums) sum += each;
  return sum;
}

/// Bytes a second at which one thread reads these from first to last.
inline double read_speed(std::span<const uint64_t> words) {
  double best = 1e9;
  uint64_t sum = 0;
  for (int turn = 0; turn < 5; ++turn) {
    const Stopwatch clock;
    sum += sum_of(words.data(), words.size());
    best = std::min(best, clock.wall());
  }
  if (sum == 1) std::puts("");  // never, see above
  return static_cast<double>(words.size_bytes()) / best;
}

/// One JSON line.
class Line {
 public:
  explicit Line(std::string_view part) : text_(fmt::format(R"({{"part":"{}")", part)) {}
  Line& add(std::string_view name, double value) { return raw(name, fmt::format("{:.5g}", value)); }
  Line& add(std::string_view name, uint64_t value) { return raw(name, fmt::format("{}", value)); }
  Line& add(std::string_view name, std::string_view value) { return raw(name, fmt::format("\"{}\"", value)); }
  /// Adds mean and percentiles in microseconds; times are in seconds.
  Line& add_times(std::vector<double> times) {
    double sum = 0;
    for (const double time : times) sum += time;
    std::ranges::sort(times);
    const auto percentile = [&](double share) { return 1e6 * times[static_cast<size_t>(share * static_cast<double>(times.size() - 1))]; };
    const double mean = sum / static_cast<double>(times.size());
    return add("mean_us", 1e6 * mean).add("p50_us", percentile(0.5)).add("p99_us", percentile(0.99)).add("max_us", percentile(1));
  }
  void print() const {
    fmt::print("{}}}\n", text_);
    std::fflush(stdout);
  }

 private:
  Line& raw(std::string_view name, const std::string& value) {
    text_ += fmt::format(R"(,"{}":{})", name, value);
    return *this;
  }
  std::string text_;
};

}  // namespace neardup::measure
