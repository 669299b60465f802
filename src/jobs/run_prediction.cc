#include "neardup/tools/run_prediction.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <utility>

#include "base/hash.h"
#include "dedup/memory_plan.h"
#include "index/lsh/band_keys.h"
#include "index/lsh/signature_filter.h"
#include "neardup/sketcher.h"

namespace neardup {
namespace {

constexpr double kSampleSeconds = 0.15;  // of each measurement
constexpr uint64_t kSampleTexts = 64;
constexpr uint64_t kMaxSampleBytes = uint64_t{1} << 20;  // of a text

// What every document has besides its keys and lanes: its hash, id, state, and its group.
constexpr uint64_t kDocumentBytes = 36;
// The same in the checkpoint directory.
constexpr uint64_t kStoredDocumentBytes = 30;
// A row of the record of a finished run with its places in the two indexes, and the ids of the document and its keeper.
constexpr uint64_t kRecordDocumentBytes = 64 + 16 + 8 + 2 * 16;
// A key with its document, while a band is grouped.
constexpr uint64_t kGroupedKeyBytes = 16;
// Batches on their way.
constexpr uint64_t kThreadBytes = uint64_t{30} << 20;
constexpr uint64_t kFeatureBytes = sizeof(uint64_t);
// Of a byte of text, as JSON Lines: reading it in a pass, and writing those of kept documents.
constexpr double kReadNs = 0.7;
constexpr double kWriteNs = 1.3;
constexpr double kDiskBytesPerSecond = 1e9;
// Of a byte that a checkpoint has: packing and hashing it, next to the disk. One thread writes while others wait for the disk to have it.
constexpr double kCheckpointNs = 1;

double thread_seconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Nanoseconds of work(i), i = 0, 1, ..., on average. Processor time, so that other processes do not count.
template <typename Work>
double mean_ns(const Work& work) {
  work(0);  // fills caches and scratch memory
  const double begin = thread_seconds();
  double end = begin;
  uint64_t count = 0;
  do {
    work(count++);
    end = thread_seconds();
  } while (end - begin < kSampleSeconds);
  return (end - begin) * 1e9 / static_cast<double>(count);
}

// Words of 2 to 9 letters; a word's rank decides its letters, and frequent ranks are frequent words.
std::string made_up_text(uint64_t bytes, uint64_t seed) {
  std::string text;
  for (uint64_t n = 0; text.size() < bytes; ++n) {
    const uint64_t random = splitmix64(seed, n);
    const uint64_t rank = random % ((random >> 32) % 50'000 + 1);
    const uint64_t letters = mix64(rank);
    for (uint64_t i = 0; i < 2 + letters % 8; ++i) text.push_back(static_cast<char>('a' + (letters >> (5 * i + 4)) % 26));
    text += n % 12 == 11 ? ". " : " ";
  }
  text.resize(bytes);
  return text;
}

// P(X >= min) of a binomial distribution.
double binomial_at_least(uint32_t trials, double p, uint32_t min) noexcept {
  if (min == 0 || p >= 1) return 1;
  if (p <= 0) return 0;
  double sum = 0;
  double choices = 0;  // the logarithm of trials over i
  for (uint32_t i = 0; i <= trials; ++i) {
    if (i >= min) sum += std::exp(choices + i * std::log(p) + (trials - i) * std::log1p(-p));
    if (i < trials) choices += std::log(static_cast<double>(trials - i) / (i + 1));
  }
  return std::min(sum, 1.0);
}

uint64_t beyond(uint64_t bytes, uint64_t budget) noexcept {
  return bytes - std::min(bytes, budget);
}

}  // namespace

RunSpeed RunSpeed::measured(const Recipe& recipe, uint64_t text_bytes) {
  const Sketcher sketcher(recipe);
  Sketcher::Scratch scratch;
  std::vector<uint32_t> sketch(sketcher.sketch_words());
  // Longer texts than the sample cost in proportion.
  const uint64_t bytes = std::clamp<uint64_t>(text_bytes, 1, kMaxSampleBytes);
  const double scale = static_cast<double>(text_bytes) / static_cast<double>(bytes);
  std::vector<std::string> texts;
  const uint64_t count = std::clamp<uint64_t>(kMaxSampleBytes / bytes, 1, kSampleTexts);
  for (uint64_t i = 0; i < count; ++i) texts.push_back(made_up_text(bytes, i));
  const auto text = [&](uint64_t i) -> const std::string& { return texts[i % count]; };

  RunSpeed speed;
  speed.sketch_ns = scale * mean_ns([&](uint64_t i) { sketcher.sketch(text(i), scratch, sketch); });
  speed.features_ns = scale * mean_ns([&](uint64_t i) { sketcher.features(text(i), scratch); });
  for (uint64_t i = 0; i < count; ++i) speed.features += scale * static_cast<double>(sketcher.features(text(i), scratch).size());
  speed.features /= static_cast<double>(count);

  constexpr uint64_t kKeys = uint64_t{1} << 16;
  std::vector<std::pair<uint64_t, uint32_t>> keys(kKeys);
  speed.key_ns = mean_ns([&](uint64_t i) {
                   for (uint32_t key = 0; key < kKeys; ++key) keys[key] = {splitmix64(i, key), key};
                   std::ranges::sort(keys);
                 }) /
                 static_cast<double>(kKeys);
  return speed;
}

RunPrediction predict_run(const Options& options, const RunPlan& plan, const RunCorpus& corpus, const RunSpeed& speed) {
  const MemoryPlan memory(options);
  const LshPlan lsh{plan.bands, plan.rows_per_band};
  const SignatureFilter filter(plan.recipe.lanes, options.threshold);
  const uint64_t documents = corpus.documents;
  const uint64_t keys = documents * BandKeys::row_bytes(lsh);
  const uint64_t rows = documents * filter.row_bytes();
  const auto features = static_cast<uint64_t>(static_cast<double>(documents * kFeatureBytes) * speed.features);

  RunPrediction costs;
  costs.memory_bytes = documents * kDocumentBytes + std::min(keys, memory.band_keys) + std::min(rows, memory.filter_rows) +
                       std::min(documents * kGroupedKeyBytes, memory.grouping) + plan.threads * kThreadBytes;
  costs.temporary_bytes = beyond(keys, memory.band_keys) + beyond(rows, memory.filter_rows) + beyond(features, memory.features);
  costs.checkpoint_bytes = documents * kStoredDocumentBytes + keys + rows + features;

  const double ns = static_cast<double>(documents) / 1e9 / plan.threads;
  const auto text = static_cast<double>(corpus.text_bytes);
  costs.sketch_seconds = ns * (speed.sketch_ns + (kReadNs + kWriteNs) * text);
  costs.group_seconds = ns * speed.key_ns * plan.bands;
  costs.features_seconds = ns * (speed.features_ns + kReadNs * text);

  costs.disk_seconds = 2 * static_cast<double>(costs.temporary_bytes) / kDiskBytesPerSecond;  // written once and read once

  costs.record_bytes = documents * kRecordDocumentBytes;
  costs.checkpoint_seconds =
      static_cast<double>(costs.checkpoint_bytes + costs.record_bytes) * (1 / kDiskBytesPerSecond + kCheckpointNs / 1e9);

  const auto count = static_cast<double>(documents);
  for (const double s : {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5}) {
    if (s >= options.threshold.value()) break;
    // Bands agree, and so do the four bits of those lanes; the filter looks at all of them.
    const double proposed = count * (count - 1) / 2 * (1 - lsh.miss_probability(s));
    const uint32_t others = plan.recipe.lanes - plan.rows_per_band;
    const uint32_t needed = filter.row_bytes() == 0 ? 0 : filter.min_agreement();
    const double passes = binomial_at_least(others, s + (1 - s) / 16, needed - std::min(needed, plan.rows_per_band));
    costs.false_candidates.push_back({s, proposed, proposed * passes});
  }
  return costs;
}

EstimateInterval estimate_interval(double s, uint32_t permutations) noexcept {
  constexpr double kNormal975 = 1.959963984540054;
  if (permutations == 0) return {};
  const double half = kNormal975 * std::sqrt(s * (1 - s) / permutations);
  return {std::max(0.0, s - half), std::min(1.0, s + half)};
}

}  // namespace neardup
