#include "server/service/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <iterator>

namespace neardup::server {

// Four buckets an octave: 4, 5, 6, 7 eighths of the next power of two. Below four microseconds there is one for each.
size_t Latency::bucket_of(uint64_t micros) noexcept {
  if (micros < 4) return static_cast<size_t>(micros);
  const auto octave = static_cast<size_t>(std::bit_width(micros)) - 3;
  const size_t bucket = (octave + 1) * kPerOctave + ((micros >> octave) & 3);
  return std::min(bucket, kBuckets - 1);
}

double Latency::upper_micros(size_t bucket) noexcept {
  if (bucket < 4) return static_cast<double>(bucket + 1);
  const size_t octave = bucket / kPerOctave - 1;
  return std::ldexp(static_cast<double>(4 + bucket % kPerOctave + 1), static_cast<int>(octave));
}

uint64_t Latency::now_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

void Latency::record(uint64_t micros, uint64_t times) {
  if (times == 0) return;
  const size_t bucket = bucket_of(micros);
  const uint64_t now = now_seconds();
  const std::lock_guard lock(mutex_);
  Second& second = seconds_[now % kSeconds];
  if (second.at != now) second = {.at = now};
  second.count += times;
  second.buckets[bucket] += static_cast<uint32_t>(times);
  all_[bucket] += times;
  count_ += times;
  sum_seconds_ += static_cast<double>(micros) * static_cast<double>(times) / 1e6;
}

Latency::Quantiles Latency::quantiles() const {
  std::array<uint64_t, kBuckets> sums{};
  uint64_t count = 0;
  const uint64_t now = now_seconds();
  {
    const std::lock_guard lock(mutex_);
    for (const Second& second : seconds_) {
      if (second.count == 0 || second.at + kSeconds <= now) continue;
      count += second.count;
      for (size_t i = 0; i < kBuckets; ++i) sums[i] += second.buckets[i];
    }
  }
  const auto quantile = [&](uint64_t hundredths) {
    const uint64_t rank = (count * hundredths + 99) / 100;
    uint64_t seen = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
      seen += sums[i];
      if (seen >= rank && seen != 0) return upper_micros(i) / 1000;
    }
    return 0.0;
  };
  return {.p50_ms = quantile(50), .p99_ms = quantile(99)};
}

double Latency::rate() const {
  const uint64_t now = now_seconds();
  const std::lock_guard lock(mutex_);
  uint64_t count = 0;
  for (const Second& second : seconds_) {
    if (second.at < now && second.at + kRateSeconds >= now) count += second.count;
  }
  return static_cast<double>(count) / static_cast<double>(kRateSeconds);
}

void Latency::append_histogram(std::string_view name, std::string_view labels, std::string& out) const {
  const std::lock_guard lock(mutex_);
  uint64_t below = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    below += all_[i];
    // One bound an octave is enough for a monitor. The last bucket has none.
    if (i % kPerOctave != kPerOctave - 1 || i + 1 == kBuckets) continue;
    fmt::format_to(std::back_inserter(out), "{}_bucket{{{},le=\"{:g}\"}} {}\n", name, labels, upper_micros(i) / 1e6, below);
  }
  fmt::format_to(std::back_inserter(out), "{0}_bucket{{{1},le=\"+Inf\"}} {2}\n{0}_sum{{{1}}} {3:.6f}\n{0}_count{{{1}}} {2}\n", name, labels,
                 count_, sum_seconds_);
}

}  // namespace neardup::server
