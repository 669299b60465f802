#include "neardup/tools/hamming_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "index/hamming_plan/bit_weights.h"
#include "index/hamming_plan/hamming_cost.h"
#include "index/hamming_plan/hamming_flips.h"
#include "index/hamming_plan/hamming_layout.h"

namespace neardup {
namespace {

// A byte per code is worth this share of the time: of plans with about the same speed, takes the smaller one.
constexpr double kByteRent = 0.01;
constexpr double kDefaultBytes64 = 30;
constexpr double kDefaultBytes128 = 100;
constexpr uint32_t kMaxSteps = 64;
// Candidates whose predicted cost exceeds the best plan so far by this factor are not laid out.
constexpr double kHopeless = 2;

// Within the budget first, then by time.
struct Price {
  double over = 0;
  double ns = 0;
  friend bool operator<(const Price& a, const Price& b) { return a.over != b.over ? a.over < b.over : a.ns < b.ns; }
};

struct Candidate {
  uint32_t tables = 0;
  uint32_t more = 0;  // tables with `flips` flips; the others have one less
  uint32_t flips = 0;
  uint32_t worth_more = 0;  // of their blocks
  uint32_t worth_less = 0;
  Price price;  // if bits were even
};

// The search for a good plan. For m tables the flips follow: radius + 1 in m shares, as even as possible, so there are at most two classes
// of tables. All widths of both classes are tried by formula, as if bits were even; if they are not, the best candidate for each m is laid
// out with the real bits and improved step by step.
class Planner {
 public:
  Planner(const HammingStatistics& statistics, uint32_t radius, const HammingPlanBudget& budget)
      : statistics_(statistics), weights_(statistics), radius_(radius), use_(budget.use), bits_(total_worth(weights_)) {
    const double per_code = budget.bytes_per_code > 0 ? budget.bytes_per_code : statistics.bits == 64 ? kDefaultBytes64 : kDefaultBytes128;
    bytes_ = per_code * static_cast<double>(statistics.entries);
  }

  HammingPlan plan() {
    HammingPlan best{.bits = statistics_.bits, .radius = radius_, .order = {}, .blocks = {}};
    if (statistics_.distinct <= kHammingFlat || radius_ >= statistics_.bits) return best;
    Price least = price(flat_work(statistics_));
    least.over = 0;  // the fallback when nothing fits
    for (uint32_t tables = 1; tables <= std::min(radius_ + 1, kMaxHammingBlocks); ++tables) {
      const Candidate candidate = by_formula(tables);
      if (candidate.tables == 0 || candidate.price.ns > least.ns * kHopeless) continue;
      const auto [plan, cost] = weights_.uniform() ? laid_out(candidate) : improved(candidate);
      if (!plan || !(cost < least) || !hamming_plan_problem(*plan).empty()) continue;
      best = *plan;
      least = cost;
    }
    return best;
  }

 private:
  using Priced = std::pair<std::optional<HammingPlan>, Price>;

  [[nodiscard]] Price price(const IndexWork& work) const {
    const double ns = use_ == HammingUse::kQuery ? query_ns(work, speed_, false)
                                                 : build_ns(work, statistics_, speed_) + self_join_ns(work, statistics_, speed_);
    return {std::max(0.0, work.bytes() - bytes_), ns * (1 + kByteRent * work.bytes() / static_cast<double>(statistics_.entries))};
  }

  // The best widths if bits were even. Without tables when there is none.
  [[nodiscard]] Candidate by_formula(uint32_t tables) const {
    const uint32_t flips = (radius_ + 1 + tables - 1) / tables - 1;
    const uint32_t more = (radius_ + 1) - tables * flips;
    const std::vector<TableWork> with_more = even_tables(flips);
    const std::vector<TableWork> with_less = more < tables ? even_tables(flips - 1) : std::vector<TableWork>(2);
    Candidate best;
    for (uint32_t a = 1; a < with_more.size() && more * a <= bits_; ++a) {
      for (uint32_t b = 1; b < with_less.size() && more * a + (tables - more) * b <= bits_; ++b) {
        IndexWork work = no_tables(statistics_);
        add_tables(work, with_more[a], more);
        add_tables(work, with_less[b], tables - more);
        if (a < flips || work.sum.probes > static_cast<double>(kMaxHammingProbes)) continue;
        const Price cost = price(work);
        if (best.tables == 0 || cost < best.price) best = {tables, more, flips, a, b, cost};
      }
    }
    return best;
  }

  // The work of a table by the width of its block.
  [[nodiscard]] std::vector<TableWork> even_tables(uint32_t flips) const {
    std::vector<TableWork> tables(1);
    double buckets = 1;
    for (uint32_t width = 1; width <= kMaxHammingBlock; ++width) {
      buckets *= 2;
      const double reach = std::min(1.0, static_cast<double>(hamming_volume(width, flips)) / buckets);
      tables.push_back(table_work({width, flips, reach}, statistics_.bits, statistics_.distinct));
    }
    return tables;
  }

  [[nodiscard]] Priced laid_out(const Candidate& candidate) const {
    std::vector<BlockRequest> requests;
    for (uint32_t t = 0; t < candidate.tables; ++t) {
      requests.push_back(t < candidate.more ? BlockRequest{candidate.worth_more, candidate.flips}
                                            : BlockRequest{candidate.worth_less, candidate.flips - 1});
    }
    if (requests.empty()) return {};
    std::optional<HammingPlan> plan = lay_out(weights_, radius_, requests);
    if (!plan) return {};
    const Price cost = price(plan_work(*plan, weights_, statistics_));
    return {std::move(plan), cost};
  }

  // Hill climbing from a candidate.
  [[nodiscard]] Priced improved(Candidate candidate) const {
    Priced best = laid_out(candidate);
    for (uint32_t step = 0; step < kMaxSteps && candidate.tables != 0; ++step) {
      Candidate better;
      for (const auto& [more, less] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}) {
        Candidate next = candidate;
        next.worth_more = static_cast<uint32_t>(std::clamp(static_cast<int>(candidate.worth_more) + more, 1, int{kMaxHammingBlock}));
        next.worth_less = static_cast<uint32_t>(std::clamp(static_cast<int>(candidate.worth_less) + less, 1, int{kMaxHammingBlock}));
        Priced priced = laid_out(next);
        if (!priced.first || (best.first && !(priced.second < best.second)) || !hamming_plan_problem(*priced.first).empty()) continue;
        best = std::move(priced);
        better = next;
      }
      if (better.tables == 0) break;
      candidate = better;
    }
    return best;
  }

  const HammingStatistics& statistics_;
  const BitWeights weights_;
  const uint32_t radius_;
  const HammingUse use_;
  const uint32_t bits_;
  const MachineSpeed speed_;  // the fixed one: see the contract of plan_hamming
  double bytes_ = 0;
};

// True if each bit occurs exactly once.
bool permutes(std::span<const uint8_t> order, uint32_t bits) {
  std::bitset<256> seen;
  for (const uint8_t bit : order) seen.set(bit);
  return order.size() == bits && seen.count() == bits && (seen >> bits).none();
}

}  // namespace

std::string hamming_plan_problem(const HammingPlan& plan) {
  if (plan.bits != 64 && plan.bits != 128) return fmt::format("bits must be 64 or 128, not {}", plan.bits);
  if (plan.radius > plan.bits) return fmt::format("the distance must be at most {}, not {}", plan.bits, plan.radius);
  if (!plan.order.empty() && !permutes(plan.order, plan.bits)) return fmt::format("order must have each of {} bits once", plan.bits);
  if (plan.blocks.empty()) return {};
  if (plan.blocks.size() > kMaxHammingBlocks) {
    return fmt::format("at most {} blocks are possible, not {}", kMaxHammingBlocks, plan.blocks.size());
  }
  uint32_t end = 0;
  uint32_t reach = 0;
  uint64_t probes = 0;
  for (size_t b = 0; b < plan.blocks.size(); ++b) {
    const HammingBlock& block = plan.blocks[b];
    if (block.width < 1 || block.width > kMaxHammingBlock) {
      return fmt::format("block {}: width must be 1 to {}, not {}", b, kMaxHammingBlock, block.width);
    }
    if (block.begin < end) return fmt::format("block {}: begins at {}, but the previous one ends at {}", b, block.begin, end);
    if (block.begin > plan.bits - block.width) {
      return fmt::format("block {}: begins at {} with width {}, beyond {} bits", b, block.begin, block.width, plan.bits);
    }
    if (block.flips > block.width) return fmt::format("block {}: flips must be at most {}, not {}", b, block.width, block.flips);
    end = block.begin + block.width;
    reach += block.flips + 1;
    probes += hamming_volume(block.width, block.flips);  // at most 2^36 each
  }
  if (reach <= plan.radius) {
    return fmt::format("distance {} is too large: the blocks find all fingerprints only within {}", plan.radius, reach - 1);
  }
  if (probes > kMaxHammingProbes) return fmt::format("a query may read at most {} buckets, not {}", kMaxHammingProbes, probes);
  return {};
}

uint64_t hamming_probes(const HammingPlan& plan, uint32_t radius) {
  const std::vector<int32_t> flips = hamming_flips(plan, radius);
  uint64_t probes = 0;
  for (size_t t = 0; t < flips.size(); ++t) {
    if (flips[t] != kTableUnused) probes += hamming_volume(plan.blocks[t].width, static_cast<uint32_t>(flips[t]));
  }
  return probes;
}

HammingPlan plan_hamming(const HammingStatistics& statistics, uint32_t radius, const HammingPlanBudget& budget) {
  return Planner(statistics, radius, budget).plan();
}

}  // namespace neardup
