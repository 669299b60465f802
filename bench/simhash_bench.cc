// Speed of fingerprints: counting per feature, the compatible text path in bytes a second, the Hamming kernel and the self-join.
// The first argument of a kernel's benchmark is its place in the list of kernels that this processor has.
#include <benchmark/benchmark.h>

#include <random>
#include <span>
#include <string>
#include <vector>

#include "index/hamming/hamming_connect.h"
#include "index/hamming/hamming_scan.h"
#include "kernels/kernels.h"
#include "neardup/tools/hamming_plan.h"
#include "sketch/python_simhash.h"
#include "sketch/simhash.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

const kernels::Kernels* unit(benchmark::State& state) {
  size_t available = 0;
  const kernels::Kernels* const* units = kernels::available(&available);
  const auto place = static_cast<size_t>(state.range(0));
  if (place >= available) {
    state.SkipWithError("this processor has no such kernels");
    return nullptr;
  }
  state.SetLabel(units[place]->name);
  return units[place];
}

// Nanoseconds per item, printed by the library with its unit (2n = 2 ns).
void per_item(benchmark::State& state, uint64_t items) {
  state.counters["s/item"] = benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(items),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Fresh data for every call: a branch predictor must not learn it.
template <typename Feature, typename Make>
std::vector<Feature> fresh(size_t count, Make&& make) {
  std::vector<Feature> features(std::max<size_t>(count, 1 << 14));
  for (Feature& feature : features) feature = make();
  return features;
}

void BM_count(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  const auto n = static_cast<size_t>(state.range(1));
  std::mt19937_64 random(1);
  const auto features = fresh<uint64_t>(n, random);
  size_t at = 0;
  for (auto _ : state) {
    uint64_t levels[kernels::kCountLevels] = {};
    kernels->simhash_count(features.data() + at, n, state.range(2) != 0, levels);
    benchmark::DoNotOptimize(levels);
    at = at + 2 * n > features.size() ? 0 : at + n;
  }
  per_item(state, n);
}
BENCHMARK(BM_count)->ArgNames({"unit", "n", "second"})->ArgsProduct({{0, 1, 2}, {10, 100, 1000, 10000}, {0, 1}});

void BM_weigh(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  const auto n = static_cast<size_t>(state.range(1));
  std::mt19937_64 random(2);
  const int32_t most = state.range(2) != 0 ? 1 << 30 : 1 << 16;
  const auto features = fresh<WeightedFeature>(n, [&] {
    return WeightedFeature{random(), static_cast<int32_t>(random() % static_cast<uint64_t>(most)) + 1};
  });
  size_t at = 0;
  for (auto _ : state) {
    int64_t sums[65] = {};
    kernels->simhash_weigh(features.data() + at, n, false, sums);
    benchmark::DoNotOptimize(sums);
    at = at + 2 * n > features.size() ? 0 : at + n;
  }
  per_item(state, n);
}
BENCHMARK(BM_weigh)->ArgNames({"unit", "n", "huge"})->ArgsProduct({{0, 1, 2}, {10, 100, 1000, 10000}, {0, 1}});

void BM_simhash(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  std::mt19937_64 random(3);
  const auto features = fresh<uint64_t>(n, random);
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(state.range(1) == 64 ? simhash64({features.data() + at, n})->low
                                                  : simhash128({features.data() + at, n})->high);
    at = at + 2 * n > features.size() ? 0 : at + n;
  }
  per_item(state, n);
}
BENCHMARK(BM_simhash)->ArgNames({"n", "bits"})->ArgsProduct({{10, 100, 1000, 10000}, {64, 128}});

void BM_simhash_weighted(benchmark::State& state) {
  const auto n = static_cast<size_t>(state.range(0));
  std::mt19937_64 random(4);
  const auto features = fresh<WeightedFeature>(n, [&] { return WeightedFeature{random(), static_cast<int32_t>(random() % 1000) + 1}; });
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(state.range(1) == 64 ? simhash64({features.data() + at, n})->low
                                                  : simhash128({features.data() + at, n})->high);
    at = at + 2 * n > features.size() ? 0 : at + n;
  }
  per_item(state, n);
}
BENCHMARK(BM_simhash_weighted)->ArgNames({"n", "bits"})->ArgsProduct({{10, 100, 1000, 10000}, {64, 128}});

void BM_hamming_near(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  std::mt19937_64 random(5);
  const auto low = fresh<uint64_t>(4096, random);
  const auto high = fresh<uint64_t>(4096, random);
  const bool wide = state.range(1) == 128;
  for (auto _ : state) {
    for (size_t at = 0; at < 4096; at += kernels::kCodeBlock) {
      benchmark::DoNotOptimize(kernels->hamming_near(low.data() + at, wide ? high.data() + at : nullptr, 1, 2, 3));
    }
  }
  per_item(state, 4096);
}
BENCHMARK(BM_hamming_near)->ArgNames({"unit", "bits"})->ArgsProduct({{0, 1, 2}, {64, 128}});

void BM_md5_short(benchmark::State& state) {
  const kernels::Kernels* kernels = unit(state);
  if (kernels == nullptr) return;
  std::mt19937_64 random(6);
  const auto words = fresh<uint32_t>(0, [&] { return static_cast<uint32_t>(random()); });
  uint32_t digests[4 * kernels::kMd5Lanes];
  for (auto _ : state) {
    kernels->md5_short(words.data(), digests);
    benchmark::DoNotOptimize(digests);
  }
  per_item(state, kernels::kMd5Lanes);
}
BENCHMARK(BM_md5_short)->ArgNames({"unit"})->DenseRange(0, 2);

// A million code points: words of ASCII, or ideographs with a full stop now and then.
void BM_python_text(benchmark::State& state) {
  std::mt19937_64 random(7);
  const bool chinese = state.range(0) != 0;
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) {
    const bool pause = random() % (chinese ? 15 : 6) == 0;
    if (chinese) {
      append_utf8(pause ? 0x3002 : static_cast<char32_t>(0x4E00 + random() % 0x1000), text);
    } else {
      text.push_back(pause ? ' ' : static_cast<char>('a' + random() % 26));
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(python_simhash_text(text).low);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(text.size()));
  state.SetLabel(chinese ? "chinese" : "english");
}
BENCHMARK(BM_python_text)->DenseRange(0, 1)->Unit(benchmark::kMillisecond);

void BM_python_tokens(benchmark::State& state) {
  std::mt19937_64 random(8);
  std::vector<std::string> words(1000);
  for (std::string& word : words) word = std::to_string(random() % 1'000'000);
  const std::vector<std::string_view> tokens(words.begin(), words.end());
  for (auto _ : state) benchmark::DoNotOptimize(python_simhash_tokens(tokens).low);
  per_item(state, tokens.size());
}
BENCHMARK(BM_python_tokens);

// One thread; random codes, half of them within 2 bits of another. What a run over fingerprints does: plan, build, connect.
void BM_hamming_connect(benchmark::State& state) {
  std::mt19937_64 random(9);
  std::vector<Fingerprint64> codes(static_cast<size_t>(state.range(0)));
  for (size_t i = 0; i < codes.size(); ++i) {
    codes[i].low = random();
    if (i % 2 == 1) codes[i].low = codes[i - 1].low ^ uint64_t { 1 } << (random() % 64) ^ uint64_t { 1 } << (random() % 64);
  }
  const auto radius = static_cast<uint32_t>(state.range(1));
  uint64_t pairs = 0;
  size_t tables = 0;
  for (auto _ : state) {
    const auto statistics = hamming_statistics(std::span<const Fingerprint64>(codes));
    const HammingPlan plan = plan_hamming(statistics, radius, {.use = HammingUse::kSelfJoin});
    const auto index = HammingIndex64::build(codes, {}, {.radius = radius, .plan = plan, .threads = 1});
    hamming_connect(index, radius, 1, [&](std::span<const HammingPair> some) { pairs += some.size(); });
    tables = plan.blocks.size();
  }
  per_item(state, codes.size());
  state.SetLabel(std::to_string(tables) + " tables, " + std::to_string(pairs / static_cast<uint64_t>(state.iterations())) + " pairs");
}
BENCHMARK(BM_hamming_connect)
    ->ArgNames({"codes", "radius"})
    ->ArgsProduct({{100'000, 1'000'000, 4'000'000}, {3}})
    ->Args({1'000'000, 5})
    ->Args({100'000, 10})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace neardup
