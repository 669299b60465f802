// Latency: how long something took, as quantiles of the last minute, and as a histogram since the start for Prometheus.
//
// Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace neardup::server {

class Latency {
 public:
  struct Quantiles {
    double p50_ms = 0;  ///< 0 if nothing was recorded in the last minute
    double p99_ms = 0;
  };

  /// `times` things took this long each.
  void record(uint64_t micros, uint64_t times = 1);
  /// Of the last 60 seconds; at most 25 %, or a microsecond, more than the real ones.
  [[nodiscard]] Quantiles quantiles() const;
  /// Things per second, over the last ten whole seconds.
  [[nodiscard]] double rate() const;
  /// Appends the samples of a Prometheus histogram in seconds; `labels` is such as `store="news"`.
  void append_histogram(std::string_view name, std::string_view labels, std::string& out) const;

 private:
  static constexpr size_t kPerOctave = 4;
  static constexpr size_t kBuckets = 27 * kPerOctave;  // up to 134 seconds
  static constexpr uint64_t kSeconds = 60;
  static constexpr uint64_t kRateSeconds = 10;
  struct Second {
    uint64_t at = 0;  // seconds of the steady clock; others are out of date
    uint64_t count = 0;
    std::array<uint32_t, kBuckets> buckets{};
  };

  static size_t bucket_of(uint64_t micros) noexcept;
  static double upper_micros(size_t bucket) noexcept;
  static uint64_t now_seconds();

  mutable std::mutex mutex_;
  std::array<Second, kSeconds> seconds_;
  std::array<uint64_t, kBuckets> all_{};
  uint64_t count_ = 0;
  double sum_seconds_ = 0;
};

}  // namespace neardup::server
