// Journals: what a run stores in its checkpoint directory, from which a later process resumes it: sketches, candidates, features and
// decisions. Without a directory nothing is stored, and nothing is found.
//
// The directory also has the tables of fitted recipes, made before the id that marks all other files is known (sketchers.h).
//
// One thread, but for what PassJournal allows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/checkpoint/pass_journal.h"
#include "dedup/corpus_state.h"
#include "dedup/decisions.h"
#include "dedup/slice_candidates.h"

namespace neardup {

/// What an earlier process decided: leading slices without a gap.
struct DecidedSlices {
  std::vector<Decisions> slices;
  std::vector<uint32_t> copy_of;  ///< find_exact_copies(), of their documents

  [[nodiscard]] uint64_t end_batch() const noexcept { return slices.empty() ? 0 : slices.back().end_batch; }
};

/// Nothing without a directory (null), nor in a shared one, where a task makes missing parts and ignores decisions, nor in one that is only
/// read, whose run is decided anew.
DecidedSlices load_decided(const CheckpointDirectory* directory, uint64_t recipe_id);

/// Of a directory that is only read, sketches alone are used, and nothing is stored.
class Journals {
 public:
  /// `directory`: null without one. `recipe_id`: Sketchers::id(). `decided`: the result of load_decided(); it decides whether thin parts
  /// can be used.
  Journals(std::unique_ptr<const CheckpointDirectory> directory, uint64_t recipe_id, const DecidedSlices& decided);

  /// Null without a directory.
  [[nodiscard]] const CheckpointDirectory* checkpoint_directory() const noexcept { return directory_.get(); }
  /// What pass 1 made of each batch. Null without a directory.
  [[nodiscard]] PassJournal* sketches() const noexcept { return sketches_.get(); }
  /// The number of leading batches whose sketches are stored; 0 if there are gaps.
  [[nodiscard]] uint64_t sketched_batches() const noexcept;
  /// What the pass over features made of each batch. Null without a directory.
  [[nodiscard]] std::unique_ptr<PassJournal> open_features() const;

  /// Candidates of the open slice. Nothing if there are none, or they need sketches that were dropped.
  [[nodiscard]] std::optional<SliceCandidates> load_groups(const CorpusState& corpus) const;
  void save_groups(const CorpusState& corpus, std::span<const IndexMatch> index_matches, const CandidateGroups& groups) const;
  /// Saves the decisions of the open slice in place of its candidates.
  void save_decided(const CorpusState& corpus, const Decisions& slice) const;
  /// After close_slice(): keeps of its documents only the sketches that later slices need.
  void thin_sketches(const CorpusState& corpus) const;

 private:
  // Null also if the directory is only read.
  [[nodiscard]] const CheckpointDirectory* writable() const noexcept;
  [[nodiscard]] SliceBounds bounds_of(const CorpusState& corpus) const;

  std::unique_ptr<const CheckpointDirectory> directory_;
  uint64_t recipe_id_ = 0;
  std::unique_ptr<PassJournal> sketches_;
};

}  // namespace neardup
