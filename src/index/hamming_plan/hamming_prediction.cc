#include "neardup/tools/hamming_prediction.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <numeric>

#include "index/hamming_plan/bit_weights.h"
#include "index/hamming_plan/hamming_cost.h"
#include "kernels/kernels.h"

namespace neardup {
namespace {

constexpr size_t kLineWords = 8;
constexpr size_t kLines = size_t{1} << 22;  // of 64 bytes: 256 MiB
constexpr size_t kReads = 200'000;
constexpr size_t kScanWords = size_t{1} << 22;
constexpr int kRounds = 2;

// Results are stored here, so that the loops are not optimized away.
uint64_t volatile sink;  // NOLINT

// Nanoseconds of one of `count` steps of work(): the better round.
template <typename Work>
double best_ns(size_t count, const Work& work) {
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    sink = work();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / static_cast<double>(count));
  }
  return best;
}

// The line after line i on a path that visits each of the first 2^n lines once: a linear congruential sequence of full period.
constexpr uint64_t next_line(uint64_t i) noexcept {
  return i * 1'664'525 + 1'013'904'223;
}

double dependent_ns(const uint64_t* words, size_t lines) {
  return best_ns(kReads, [=] {
    uint64_t at = 0;
    for (size_t i = 0; i < kReads; ++i) at = words[at * kLineWords] & (lines - 1);
    return at;
  });
}

double independent_ns(const uint64_t* words, size_t lines) {
  return best_ns(kReads, [=] {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < kReads; ++i) sum += words[(i * 0x9E3779B97F4A7C15 >> 40 & (lines - 1)) * kLineWords];
    return sum;
  });
}

// `count` divides kScanWords: the codes are scanned until kScanWords are read.
double scan_ns(const uint64_t* words, size_t count) {
  const auto near = kernels::kernels().hamming_near;
  return best_ns(kScanWords * sizeof(uint64_t), [=] {
    uint64_t found = 0;
    for (size_t at = 0; at < kScanWords; at += kernels::kCodeBlock) {
      found += near(words + (at & (count - 1)), nullptr, 0x5555555555555555, 0, 3);
    }
    return found;
  });
}

// Correlated bits make random codes nearer, but by an unknown amount: a product of 64 factors is not an estimate. So bits count as
// independent.
double random_match_share(const HammingStatistics& statistics, uint32_t radius) {
  std::vector<double> differ(radius + 1, 0);
  differ[0] = 1;
  for (uint32_t b = 0; b < statistics.bits; ++b) {
    const double p = statistics.sampled == 0 ? 0.5 : static_cast<double>(statistics.ones[b]) / statistics.sampled;
    const double same = p * p + (1 - p) * (1 - p);
    for (uint32_t d = radius; d > 0; --d) differ[d] = differ[d] * same + differ[d - 1] * (1 - same);
    differ[0] *= same;
  }
  return std::accumulate(differ.begin(), differ.end(), 0.0);
}

}  // namespace

// Measures what the predictions depend on most: random reads of each memory level, and the speed of the flat scan. Some hundred thousand
// reads each, the better of two rounds, because other processes may be running.
MachineSpeed MachineSpeed::measured() {
  MachineSpeed speed;
  const MachineSpeed fixed;
  // Without initialization: only the first word of a line is read, and the pages of the scan are filled with that.
  const std::unique_ptr<uint64_t[]> words(new uint64_t[kLines * kLineWords]);
  std::fill_n(words.get(), kScanWords, 0);
  for (uint64_t i = 0; i < kLines; ++i) words[i * kLineWords] = next_line(i);

  for (size_t level = 0; level < 3; ++level) {
    const auto bytes = std::min(static_cast<uint64_t>(speed.levels[level].bytes), uint64_t{kLines} * 64);
    const size_t lines = std::bit_floor(bytes / 64 * 3 / 4);  // leaves room in the cache for other data
    const size_t all = level == 2 ? kLines : lines;
    speed.levels[level].read_ns = independent_ns(words.get(), all);
    speed.levels[level].dependent_ns = dependent_ns(words.get(), all);
  }
  // Too large to measure: scales the default by the ratio of the level before.
  speed.levels[3].read_ns = speed.levels[2].read_ns * fixed.levels[3].read_ns / fixed.levels[2].read_ns;
  speed.levels[3].dependent_ns = speed.levels[2].dependent_ns * fixed.levels[3].dependent_ns / fixed.levels[2].dependent_ns;
  speed.scan_byte_ns = scan_ns(words.get(), kScanWords);
  speed.scan_cached_ns = scan_ns(words.get(), kScanWords >> 8);
  return speed;
}

HammingPrediction predict_hamming(const HammingPlan& plan, const HammingStatistics& statistics, const MachineSpeed& speed) {
  const IndexWork work = plan_work(plan, BitWeights(statistics), statistics);
  const auto codes = static_cast<double>(statistics.distinct);
  HammingPrediction costs;
  costs.tables = work.tables;
  costs.probes = hamming_probes(plan, plan.radius);
  costs.bytes = static_cast<uint64_t>(work.bytes());
  costs.bytes_per_code = statistics.entries == 0 ? 0 : work.bytes() / static_cast<double>(statistics.entries);
  costs.candidates = work.sum.candidates;
  costs.query_ns = query_ns(work, speed, false);
  costs.batched_query_ns = query_ns(work, speed, true);
  costs.build_seconds = build_ns(work, statistics, speed) / 1e9;
  costs.self_join_seconds = self_join_ns(work, statistics, speed) / 1e9;
  const double share = random_match_share(statistics, plan.radius);
  costs.strangers_per_query = codes * share;
  costs.strangers_in_self_join = codes < 2 ? 0 : codes * (codes - 1) / 2 * share;
  costs.flat_query_ns = query_ns(flat_work(statistics), speed, true);
  return costs;
}

}  // namespace neardup
