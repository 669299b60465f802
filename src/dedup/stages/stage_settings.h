// StageSettings: what all stages of a run share: options, strategy, sketcher, and the stamp of its blobs.
//
// Immutable; shared by threads.
#pragma once

#include <cstdint>
#include <string>

#include "dedup/match/candidates/pair_strategy.h"
#include "dedup/report/removal_tally.h"
#include "dedup/stages/key_blocks.h"
#include "neardup/options.h"
#include "neardup/sketcher.h"
#include "neardup/tools/stages.h"

namespace neardup {

/// Names who made a blob or a payload.
struct StageStamp {
  uint64_t recipe = 0;    ///< Recipe::id()
  uint64_t settings = 0;  ///< of the options that change what stages make or decide
};

class StageSettings {
 public:
  /// Throws as Stages.
  explicit StageSettings(const Options& options);
  /// Of the stages that count tokens for a recipe which needs a table: the sketcher makes its tokens alone, and they name the recipe of the
  /// stamp. Throws as FrequencyStages.
  static StageSettings to_count(const Options& options);

  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const PairStrategy& strategy() const noexcept { return strategy_; }
  [[nodiscard]] const PairRule& rule() const noexcept { return strategy_.rule; }
  [[nodiscard]] const Sketcher& sketcher() const noexcept { return sketcher_; }
  [[nodiscard]] const RemovalMeasure& measure() const noexcept { return measure_; }
  [[nodiscard]] const StageStamp& stamp() const noexcept { return stamp_; }
  /// The blocks of fingerprints whose equality makes candidates.
  [[nodiscard]] const KeyBlocks& blocks() const noexcept { return blocks_; }

  /// The bytes of a sketch in a record: its band keys, or the fingerprint.
  [[nodiscard]] size_t sketch_bytes() const noexcept;
  /// Kinds of keys: bands, or blocks.
  [[nodiscard]] uint32_t sections() const noexcept;
  /// The bytes of a key in a record of kKeys.
  [[nodiscard]] size_t key_bytes() const noexcept;
  /// Of a record with ranks of `rank_bytes`. Not for kCounts.
  [[nodiscard]] size_t record_bytes(BlobKind kind, size_t rank_bytes) const noexcept;
  [[nodiscard]] bool second_scan() const noexcept { return rule().bits == 0 || strategy_.reads_features(); }

 private:
  StageSettings(const Options& options, const Recipe& recipe);
  // Pairs are found by `recipe`; `sketched` is that of the sketcher.
  StageSettings(const Options& options, const Recipe& recipe, const Recipe& sketched);

  Options options_;
  Sketcher sketcher_;
  PairStrategy strategy_;
  RemovalMeasure measure_;
  KeyBlocks blocks_;
  StageStamp stamp_;
};

}  // namespace neardup
