// Journals: what a run leaves in its run folder, so that a later process resumes it: sketches, candidates, features and decisions. Without
// a folder nothing is kept, and nothing is found.
//
// Tables of fitted recipes are there too; they are made before the id is known that marks all the rest (sketchers.h).
//
// One thread, but for what PassJournal allows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dedup/corpus_state.h"
#include "dedup/decisions.h"
#include "dedup/run_folder/pass_journal.h"
#include "dedup/run_folder/run_folder.h"
#include "dedup/slice_candidates.h"

namespace neardup {

/// What an earlier process decided: leading slices without a gap.
struct DecidedSlices {
  std::vector<Decisions> slices;
  std::vector<uint32_t> copy_of;  ///< find_exact_copies(), of their documents

  [[nodiscard]] uint64_t end_batch() const noexcept { return slices.empty() ? 0 : slices.back().end_batch; }
};

/// Nothing without a folder (null), nor in a shared one: a task makes what is missing, and does not look at what was decided.
DecidedSlices load_decided(const RunFolder* folder, uint64_t recipe_id);

class Journals {
 public:
  /// `folder`: null without one. `recipe_id`: Sketchers::id(). `decided`: what load_decided() found, on which it depends whether thin parts
  /// can be used.
  Journals(std::unique_ptr<const RunFolder> folder, uint64_t recipe_id, const DecidedSlices& decided);

  /// Null without a folder.
  [[nodiscard]] const RunFolder* folder() const noexcept { return folder_.get(); }
  /// What pass 1 made of each batch. Null without a folder.
  [[nodiscard]] PassJournal* sketches() const noexcept { return sketches_.get(); }
  /// The number of leading batches whose sketches are all there; 0 if there are gaps.
  [[nodiscard]] uint64_t sketched_batches() const noexcept;
  /// What the pass over features made of each batch. Null without a folder.
  [[nodiscard]] std::unique_ptr<PassJournal> open_features() const;

  /// Candidates of the open slice. Nothing if there are none, or they need sketches that are there no more.
  [[nodiscard]] std::optional<SliceCandidates> load_groups(const CorpusState& corpus) const;
  void save_groups(const CorpusState& corpus, std::span<const IndexMatch> index_matches, const CandidateGroups& groups) const;
  /// Decisions about the open slice; they take the place of its candidates.
  void save_decided(const CorpusState& corpus, const Decisions& slice) const;
  /// After close_slice(): keeps of its documents only the sketches that later slices need.
  void thin_sketches(const CorpusState& corpus) const;

 private:
  [[nodiscard]] SliceBounds bounds_of(const CorpusState& corpus) const;

  std::unique_ptr<const RunFolder> folder_;
  uint64_t recipe_id_ = 0;
  std::unique_ptr<PassJournal> sketches_;
};

}  // namespace neardup
