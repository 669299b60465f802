// What Hamming search is compared with, on the same codes: reading them, sorting them, and comparing a query with each.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "index/hamming/hamming_scan.h"
#include "measure.h"

namespace neardup {

/// A dependent random read in 256 MB; bytes a second of one thread that reads the codes in order.
template <typename Code>
measure::Line add_limits(measure::Line line, std::span<const Code> codes) {
  const std::span words(reinterpret_cast<const uint64_t*>(codes.data()), codes.size_bytes() / sizeof(uint64_t));
  line.add("random_read_ns", measure::random_read_ns(size_t{256} << 20)).add("read_GBps", measure::read_speed(words) / 1e9);
  return line;
}

/// std::sort, one thread.
template <typename Code>
measure::Line add_sort(measure::Line line, std::span<const Code> codes) {
  std::vector<Code> sorted(codes.begin(), codes.end());
  const measure::Stopwatch clock;
  std::sort(sorted.begin(), sorted.end());
  const double wall = clock.wall();
  line.add("wall_s", wall).add("cpu_s", clock.cpu()).add("in_order", uint64_t{std::ranges::is_sorted(sorted)});
  return line;
}

/// Queries against all codes, one after the other, one thread.
template <typename Code>
measure::Line add_flat(measure::Line line, std::span<const Code> codes, std::span<const Code> queries, uint32_t radius) {
  HammingScan<Code> scan;
  for (const Code code : codes) scan.add(code);
  const size_t turns = std::clamp<size_t>(size_t{2'000'000'000} / codes.size(), 5, 2000);
  std::vector<double> times;
  std::vector<uint32_t> found;
  uint64_t hits = 0;
  for (size_t i = 0; i < turns; ++i) {
    const measure::Stopwatch clock;
    scan.find(queries[i % queries.size()], radius, found);
    times.push_back(clock.wall());
    hits += found.size();
  }
  line.add_times(times);
  const double best = std::ranges::min(times);  // as the speed of reading is the best one
  const auto count = static_cast<double>(codes.size());
  line.add("hits", hits).add("Mcodes_per_s", count / best / 1e6).add("GBps", count * sizeof(Code) / best / 1e9);
  return line;
}

}  // namespace neardup
