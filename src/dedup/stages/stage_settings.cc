#include "dedup/stages/stage_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/hash.h"
#include "dedup/fit/corpus_frequencies.h"
#include "index/lsh/band_keys.h"
#include "neardup/error.h"
#include "neardup/tools/run_recipe.h"

namespace neardup {
namespace {

constexpr size_t kExactBytes = 16;

[[noreturn]] void refuse(std::string_view option, std::string_view value, std::string_view why) {
  throw Error(ErrorCode::kUsage, fmt::format("{}: '{}' is not available in runs over several machines{}", option, value, why));
}

// Options that would be ignored are refused, too.
void check_options(const Options& options) {
  constexpr std::array<std::string_view, 19> kRefused{
      "also",        "block_on", "protect", "batch",   "max_removed", "max_cluster",    "min_contained",
      "min_jaccard", "format",   "where",   "key",     "charset",     "duckdb_library", "max_record_bytes",
      "max_rejects", "strict",   "memory",  "threads", "temp_dir"};
  const Options presets;
  for (const OptionRow& row : option_table()) {
    if (std::ranges::find(kRefused, row.name) == kRefused.end()) continue;
    const std::string value = row.get(options);
    if (value != row.get(presets)) refuse(row.name, value, "");
  }
  if (options.measure == Measure::kContainment) refuse("measure", "containment", "");
  if (options.search == Search::kExact) refuse("search", "exact", ", which find candidates by lsh or hamming");
  if (options.weighs_features())
    refuse("verify", options.verify == Verify::kCosine ? "cosine" : "weighted-jaccard", ", which verify by jaccard or the distance");
  if (options.threshold.millionths() == 0) throw Error(ErrorCode::kUsage, "threshold: 0 is below the minimum of 0.000001");
}

Recipe checked_recipe(const Options& options) {
  check_options(options);
  Recipe recipe = run_recipe(options);
  if (!recipe.fingerprints() && options.max_distance != Options().max_distance) {
    throw Error(ErrorCode::kUsage,
                fmt::format("max_distance: {} is for fingerprints, and recipe '{}' makes none", options.max_distance, recipe.name));
  }
  return recipe;
}

Recipe ready_recipe(const Options& options) {
  Recipe recipe = checked_recipe(options);
  if (recipe.needs_fitting()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe: '{}' weighs by the IDF of the corpus, which must be counted first: it needs a table", recipe.name));
  }
  return recipe;
}

uint64_t settings_id(const Options& options, const PairStrategy& strategy) {
  const PairRule& rule = strategy.rule;
  return hash64(fmt::format("threshold {} bands {} rows {} bits {} distance {} judge {} unverified {} min_length {} cluster {} cap {}",
                            options.threshold.millionths(), rule.lsh.bands, rule.lsh.rows, rule.bits, rule.max_distance,
                            static_cast<int>(strategy.judge), strategy.unverified, options.min_length, static_cast<int>(options.cluster),
                            options.max_candidates));
}

}  // namespace

StageSettings::StageSettings(const Options& options, const Recipe& recipe, const Recipe& sketched)
    : options_(options),
      sketcher_(sketched),
      strategy_(choose_pair_strategy(options, recipe, nullptr)),
      measure_(removal_measure(options, strategy_)),
      blocks_(strategy_.rule.bits, strategy_.rule.max_distance),
      stamp_{.recipe = sketched.id(), .settings = settings_id(options, strategy_)} {}

StageSettings::StageSettings(const Options& options, const Recipe& recipe) : StageSettings(options, recipe, recipe) {}

StageSettings::StageSettings(const Options& options) : StageSettings(options, ready_recipe(options)) {}

StageSettings StageSettings::to_count(const Options& options) {
  const Recipe recipe = checked_recipe(options);
  if (!recipe.needs_fitting())
    throw Error(ErrorCode::kUsage, fmt::format("recipe: '{}' does not weigh by the IDF of the corpus: it needs no table", recipe.name));
  return StageSettings(options, recipe, tokens_only(recipe));
}

size_t StageSettings::sketch_bytes() const noexcept {
  return BandKeys::row_bytes(rule().lsh) + rule().bits / 8;
}

uint32_t StageSettings::sections() const noexcept {
  return rule().bits != 0 ? blocks_.count() : rule().lsh.bands;
}

size_t StageSettings::key_bytes() const noexcept {
  return rule().bits != 0 ? rule().bits / 8 : BandKeys::kKeyBytes;
}

size_t StageSettings::record_bytes(BlobKind kind, size_t rank_bytes) const noexcept {
  switch (kind) {
    case BlobKind::kDocuments:
      return kExactBytes + rank_bytes + sketch_bytes();
    case BlobKind::kShortDocuments:
      return kExactBytes + rank_bytes;
    case BlobKind::kIds:
    case BlobKind::kShorts:
      return rank_bytes;
    case BlobKind::kKeys:
      return key_bytes() + rank_bytes;
    case BlobKind::kCopies:
    case BlobKind::kEdges:
    case BlobKind::kHalves:
      return 2 * rank_bytes;
    case BlobKind::kCodes:
      return rank_bytes + rule().bits / 8;
    case BlobKind::kTally:
      return 2 * sizeof(uint64_t);
    case BlobKind::kFrequencies:
      return sizeof(uint64_t) + sizeof(uint32_t);
    case BlobKind::kCounts:
      break;
  }
  return 0;
}

}  // namespace neardup
