#include "index/hamming_plan/hamming_cost.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "index/hamming_plan/hamming_flips.h"

namespace neardup {
namespace {

constexpr double kLine = 64;
// A line of a directory has counts of one byte for 55 buckets, or of two for 27 where the mean bucket has more codes than this.
constexpr double kMaxInSmallCounts = 3;

double volume(uint32_t width, uint32_t flips) noexcept {
  return static_cast<double>(hamming_volume(width, flips));
}

double ratio(double part, double whole) noexcept {
  return whole <= part ? 1 : part / whole;
}

// Random reads in a working set: each level serves the share that fits into it.
double read_ns(double bytes, const MachineSpeed& speed, double MachineSpeed::Level::*cost) noexcept {
  double served = 0;
  double sum = 0;
  for (const MachineSpeed::Level& level : speed.levels) {
    const double share = ratio(level.bytes, bytes);
    sum += (share - served) * (level.*cost);
    served = share;
  }
  return sum;
}

}  // namespace

double decay(double x) noexcept {
  if (x > 40) return 0;
  const double y = x / 4096;
  double power = 1 - y * (1 - y * (0.5 - y / 6));
  for (int i = 0; i < 12; ++i) power *= power;
  return power;
}

TableWork table_work(const TableShape& table, uint32_t bits, uint64_t distinct) {
  const auto codes = static_cast<double>(distinct);
  const auto buckets = static_cast<double>(uint64_t{1} << table.width);
  const uint32_t remainder_bytes = (bits - table.width + 7) / 8;
  const double remainder = remainder_bytes;
  const bool small = codes <= kMaxInSmallCounts * buckets;

  TableWork work;
  work.probes = volume(table.width, table.flips);
  work.candidates = codes * table.reach;
  work.directory_lines = volume(table.width - std::min(table.width, small ? 5u : 4u), table.flips);
  work.directory_bytes = (buckets / (small ? 55 : 27) + 1) * kLine;
  work.code_bytes = codes * remainder;

  // 2^near adjacent buckets fill half a line; flips in the lowest bits stay in it. `apart` flips need another line.
  const double mean = work.candidates / work.probes;
  uint32_t near = 0;
  for (double bytes = mean * remainder; near < table.width && bytes * 2 <= kLine / 2; bytes *= 2) ++near;
  double ways = 1;
  for (uint32_t apart = 0; apart <= std::min(table.flips, table.width - near); ++apart) {
    work.code_lines += ways * (1 - decay(mean * volume(near, table.flips - apart)));
    ways = ways * (table.width - near - apart) / (apart + 1);
  }
  work.more_lines = work.candidates * remainder / kLine;

  const double filled = mean < 1e-6 ? codes : codes / mean * (1 - decay(mean));
  work.join_buckets = filled * (work.probes + 1) / 2;
  return work;
}

IndexWork no_tables(const HammingStatistics& statistics) {
  const uint64_t largest = statistics.entries == 0 ? 0 : statistics.entries - 1;
  IndexWork work;
  work.id_bytes = static_cast<double>(statistics.entries) *
                  static_cast<double>(std::max<size_t>(4, (static_cast<size_t>(std::bit_width(largest)) + 7) / 8));
  return work;
}

void add_tables(IndexWork& work, const TableWork& table, uint32_t tables) {
  work.tables += tables;
  for (const auto part : {&TableWork::probes, &TableWork::directory_lines, &TableWork::code_lines, &TableWork::more_lines,
                          &TableWork::candidates, &TableWork::join_buckets, &TableWork::directory_bytes, &TableWork::code_bytes}) {
    work.sum.*part += tables * (table.*part);
  }
}

IndexWork flat_work(const HammingStatistics& statistics) {
  IndexWork work = no_tables(statistics);
  work.sum.candidates = static_cast<double>(statistics.distinct);
  const uint32_t code_bytes = statistics.bits / 8;
  work.flat_bytes = work.sum.candidates * code_bytes;
  return work;
}

IndexWork plan_work(const HammingPlan& plan, const BitWeights& weights, const HammingStatistics& statistics) {
  if (plan.blocks.empty()) return flat_work(statistics);
  std::vector<uint8_t> order = plan.order;
  if (order.empty()) {
    order.resize(plan.bits);
    std::iota(order.begin(), order.end(), uint8_t{0});
  }
  const std::vector<int32_t> flips = hamming_flips(plan, plan.radius);
  IndexWork work = no_tables(statistics);
  for (size_t t = 0; t < flips.size(); ++t) {
    const HammingBlock& block = plan.blocks[t];
    TableShape shape{block.width, block.flips, 0};
    if (flips[t] != kTableUnused) {
      shape.flips = static_cast<uint32_t>(flips[t]);
      shape.reach = weights.reach(std::span(order).subspan(block.begin, block.width), shape.flips);
    }
    TableWork table = table_work(shape, plan.bits, statistics.distinct);
    if (flips[t] == kTableUnused) table = {.directory_bytes = table.directory_bytes, .code_bytes = table.code_bytes};
    add_tables(work, table, 1);
  }
  return work;
}

double query_ns(const IndexWork& work, const MachineSpeed& speed, bool batched) {
  if (work.tables == 0) {
    return speed.query_ns + work.flat_bytes * (work.flat_bytes <= speed.levels[0].bytes ? speed.scan_cached_ns : speed.scan_byte_ns);
  }
  const double directory = work.sum.directory_bytes;
  const double all = directory + work.sum.code_bytes;
  double ns = speed.query_ns + work.sum.probes * speed.probe_ns + work.sum.candidates * speed.compare_ns;
  ns += work.sum.directory_lines * read_ns(directory, speed, &MachineSpeed::Level::read_ns);
  ns += work.sum.code_lines * read_ns(all, speed, &MachineSpeed::Level::read_ns) + work.sum.more_lines * speed.next_line_ns;
  if (batched) return ns;
  // The first codes depend on the directory read, which depends on nothing.
  return ns + read_ns(directory, speed, &MachineSpeed::Level::dependent_ns) + read_ns(all, speed, &MachineSpeed::Level::dependent_ns);
}

double build_ns(const IndexWork& work, const HammingStatistics& statistics, const MachineSpeed& speed) {
  return static_cast<double>(statistics.entries) * (speed.build_code_ns + work.tables * speed.build_table_ns);
}

double self_join_ns(const IndexWork& work, const HammingStatistics& statistics, const MachineSpeed& speed) {
  const auto codes = static_cast<double>(statistics.distinct);
  if (work.tables == 0) return codes * codes / 2 * speed.flat_pair_ns;
  return work.sum.join_buckets * speed.bucket_pair_ns + codes * work.sum.candidates / 2 * speed.pair_compare_ns;
}

}  // namespace neardup
