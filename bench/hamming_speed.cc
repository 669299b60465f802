// hamming_speed: what HammingIndex does with a CodeSet (see hamming_set.h), through the public interface; one JSON line a part.
//
//   hamming_speed --codes 50000000 --radius 3 --parts limits,sort,build,query,batch,join
//
//   limits   a dependent random read in 256 MB and in as much as the index takes; reading the codes in order, one thread
//   sort     std::sort of the codes, one thread
//   flat     a query that compares with every code
//   build    codes a second; bytes a code: the growth of resident memory, with ids
//   predict  what the plan is predicted to cost on this machine, on one core
//   query    one after the other, each waiting for the last: mean and percentiles; planted codes found; memory is warm
//   batch    the same queries at once, on one thread and on all
//   join     all pairs, on one thread and on all; planted pairs found
//   check    queries against a plain loop over all codes
// Parts run in this order; all but limits, sort and flat need the index, which is built whether `build` is named or not.
#include <functional>
#include <optional>
#include <set>

#include "hamming_limits.h"
#include "hamming_options.h"
#include "hamming_set.h"
#include "measure.h"
#include "neardup/hamming_index.h"
#include "neardup/tools/hamming_plan.h"
#include "neardup/tools/hamming_prediction.h"

namespace neardup {
namespace {

using measure::Line;
using measure::Stopwatch;

template <typename Code>
class Run {
 public:
  explicit Run(const HammingSpeedOptions& options)
      : options_(options), set_(options.set), radius_(options.ask.value_or(options.radius)), codes_(set_.codes()) {
    for (uint64_t i = 0; i < options.queries; ++i) queries_.push_back(set_.query(i));
    for (const auto& query : queries_) asked_.push_back(query.code);
  }

  void all() {
    if (wants("limits")) add_limits<Code>(line("limits"), codes_).print();
    if (wants("sort")) add_sort<Code>(line("sort"), codes_).print();
    if (wants("flat")) add_flat<Code>(line("flat"), codes_, asked_, radius_).print();
    if (!(wants("build") || wants("predict") || wants("query") || wants("batch") || wants("join") || wants("check"))) return;
    build();
    if (wants("predict")) predict();
    std::vector<Code>().swap(codes_);
    if (wants("limits"))
      line("index_read").add("random_read_ns", measure::random_read_ns(std::max<size_t>(index_.bytes(), 1 << 20))).print();
    if (wants("query")) query();
    for (const uint32_t threads : turns()) {
      if (wants("batch")) batch(threads);
    }
    for (const uint32_t threads : turns()) {
      if (wants("join")) join(threads);
    }
    if (wants("check")) check();
  }

 private:
  static constexpr int kRounds = 3;

  [[nodiscard]] bool wants(const char* part) const { return options_.parts.contains(part); }
  [[nodiscard]] std::set<uint32_t> turns() const { return {1, options_.threads}; }
  [[nodiscard]] double count() const { return static_cast<double>(set_.size()); }
  [[nodiscard]] Line line(const char* part) const {
    Line made(part);
    made.add("kind", options_.set.kind).add("codes", set_.size()).add("bits", uint64_t{Code::kBits}).add("radius", uint64_t{radius_});
    return made;
  }

  // The one that was asked for, its blocks one after the other.
  [[nodiscard]] std::optional<HammingPlan> plan() const {
    if (options_.join) return plan_hamming(hamming_statistics<Code>(codes_), options_.radius, {.use = HammingUse::kSelfJoin});
    if (options_.blocks.empty()) return std::nullopt;
    HammingPlan plan{.bits = Code::kBits, .radius = options_.radius, .order = {}, .blocks = {}};
    uint32_t begin = 0;
    for (const std::string& block : options_.blocks) {
      uint32_t width = 0;
      uint32_t flips = 0;
      if (std::sscanf(block.c_str(), "%u/%u", &width, &flips) != 2) throw std::invalid_argument("no block: " + block);
      plan.blocks.push_back({begin, width, flips});
      begin += width;
    }
    return plan;
  }

  void build() {
    measure::forget_peak();
    const int64_t before = measure::resident();
    const Stopwatch clock;
    index_ = HammingIndex<Code>::build(codes_, {}, {.radius = options_.radius, .plan = plan(), .threads = options_.threads});
    const double wall = clock.wall();
    const double cpu = clock.cpu();
    const int64_t after = measure::resident();
    const auto per_code = [this](int64_t bytes) { return static_cast<double>(bytes) / count(); };
    std::string plan;
    for (const HammingBlock& block : index_.plan().blocks)
      plan += fmt::format("{}{}/{}", plan.empty() ? "" : " ", block.width, block.flips);
    Line made = line("build");
    made.add("plan", plan).add("probes", hamming_probes(index_.plan(), radius_)).add("threads", uint64_t{options_.threads});
    made.add("wall_s", wall).add("cpu_s", cpu).add("Mcodes_per_s", count() / wall / 1e6).add("bytes_per_code", per_code(after - before));
    made.add("image_bytes_per_code", per_code(static_cast<int64_t>(index_.bytes()))).add("distinct", index_.distinct());
    made.add("peak_growth_bytes_per_code", per_code(measure::peak() - before))
        .add("peak_MB", static_cast<double>(measure::peak()) / 1e6)
        .print();
  }

  void predict() {
    const HammingPrediction costs = predict_hamming(index_.plan(), hamming_statistics<Code>(codes_), MachineSpeed::measured());
    Line made = line("predict");
    made.add("query_us", costs.query_ns / 1000).add("batched_us", costs.batched_query_ns / 1000).add("build_s", costs.build_seconds);
    made.add("join_s", costs.self_join_seconds).add("bytes_per_code", costs.bytes_per_code).add("candidates", costs.candidates).print();
  }

  // The best of some rounds, by the mean.
  void query() {
    HammingScratch scratch;
    std::vector<HammingHit> hits;
    std::vector<double> best;
    double least = 1e30;
    uint64_t wanted = 0;
    uint64_t found = 0;
    uint64_t total = 0;
    for (int round = 0; round <= kRounds; ++round) {  // the first one warms up
      std::vector<double> times(queries_.size());
      double sum = 0;
      wanted = found = total = 0;
      for (size_t i = 0; i < queries_.size(); ++i) {
        measure::finish_loads();
        const double begin = measure::seconds(CLOCK_MONOTONIC);
        index_.query(queries_[i].code, radius_, scratch, hits);
        measure::finish_loads();
        times[i] = measure::seconds(CLOCK_MONOTONIC) - begin;
        sum += times[i];
        total += hits.size();
        if (queries_[i].target == kNoTarget || queries_[i].flips > radius_) continue;
        ++wanted;
        found += std::ranges::find(hits, HammingHit{queries_[i].flips, queries_[i].target}) != hits.end() ? 1 : 0;
      }
      if (round > 0 && sum < least) {
        least = sum;
        best.swap(times);
      }
    }
    line("query")
        .add_times(best)
        .add("queries", uint64_t{queries_.size()})
        .add("hits", total)
        .add("planted", wanted)
        .add("found", found)
        .print();
  }

  void batch(uint32_t threads) {
    uint64_t total = 0;
    double wall = 1e30;
    double cpu = 1e30;
    for (int round = 0; round < kRounds; ++round) {
      total = 0;
      const Stopwatch clock;
      index_.query_all(asked_, radius_, threads, [&](size_t, std::span<const HammingHit> hits) { total += hits.size(); });
      wall = std::min(wall, clock.wall());
      cpu = std::min(cpu, clock.cpu());
    }
    const double each = 1e6 / static_cast<double>(asked_.size());
    Line made = line("batch");
    made.add("threads", uint64_t{threads}).add("us", wall * each).add("cpu_us", cpu * each);
    made.add("queries", uint64_t{asked_.size()}).add("hits", total).print();
  }

  void join(uint32_t threads) {
    uint64_t pairs = 0;
    uint64_t digest = 0;
    uint64_t found = 0;
    measure::forget_peak();
    const Stopwatch clock;
    index_.self_join(radius_, threads, [&](std::span<const HammingPair> some) {
      pairs += some.size();
      for (const HammingPair& pair : some) {
        digest += (pair.a * 0x9E3779B97F4A7C15u ^ pair.b * 0xD1342543DE82EF95u ^ pair.distance) * 0xBF58476D1CE4E5B9u;
        if (pair.b >= set_.base() && pair.a == set_.original(pair.b) && pair.distance == set_.distance(pair.b)) ++found;
      }
    });
    const double wall = clock.wall();
    const double cpu = clock.cpu();
    uint64_t wanted = 0;
    for (uint64_t row = set_.base(); row < set_.size(); ++row) wanted += set_.distance(row) <= radius_ ? 1 : 0;
    Line made = line("join");
    made.add("threads", uint64_t{threads})
        .add("wall_s", wall)
        .add("cpu_s", cpu)
        .add("pairs", pairs)
        .add("digest", fmt::format("{:016x}", digest));
    made.add("planted", wanted).add("found", found).add("peak_MB", static_cast<double>(measure::peak()) / 1e6).print();
  }

  void check() {
    const std::vector<Code> codes = set_.codes();
    const size_t sample = std::clamp<size_t>(size_t{4'000'000'000} / codes.size(), 10, asked_.size());
    HammingScratch scratch;
    std::vector<HammingHit> hits;
    std::vector<HammingHit> expected;
    uint64_t wrong = 0;
    for (size_t i = 0; i < sample; ++i) {
      expected.clear();
      for (uint64_t row = 0; row < codes.size(); ++row) {
        const uint32_t distance = hamming_distance(codes[row], asked_[i]);
        if (distance <= radius_) expected.push_back({distance, row});
      }
      std::ranges::sort(expected);
      index_.query(asked_[i], radius_, scratch, hits);
      wrong += hits == expected ? 0 : 1;
    }
    line("check").add("queries", uint64_t{sample}).add("wrong", wrong).print();
  }

  const HammingSpeedOptions& options_;
  const CodeSet<Code> set_;
  const uint32_t radius_;
  std::vector<Code> codes_;
  std::vector<typename CodeSet<Code>::Query> queries_;
  std::vector<Code> asked_;
  HammingIndex<Code> index_;
};

}  // namespace
}  // namespace neardup

int main(int argc, char** argv) {
  neardup::HammingSpeedOptions options;
  if (const std::optional<int> code = neardup::parse(argc, argv, options)) return *code;
  try {
    if (options.bits == 64) {
      neardup::Run<neardup::Fingerprint64>(options).all();
    } else {
      neardup::Run<neardup::Fingerprint128>(options).all();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hamming_speed: %s\n", error.what());
    return 1;
  }
}
