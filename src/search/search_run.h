// SearchRun: one question to one view of an index, while it is answered: its candidates, texts read, hits and trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/clue_index.h"
#include "search/hit_collector.h"
#include "search/indexed_texts.h"
#include "search/question.h"
#include "search/text_matcher.h"

namespace neardup {

struct Candidate {
  uint32_t part = 0;
  uint32_t text = 0;
};

class SearchRun {
 public:
  /// `workers`: one for each thread. All must outlive it.
  SearchRun(const SearchView& view, const Question& question, std::span<SearchWorker> workers);

  [[nodiscard]] const SearchView& view() const noexcept { return view_; }
  [[nodiscard]] const Question& question() const noexcept { return question_; }
  [[nodiscard]] const TextMatcher& matcher() const noexcept { return matcher_; }
  [[nodiscard]] HitCollector& hits() noexcept { return hits_; }
  [[nodiscard]] uint32_t threads() const noexcept { return static_cast<uint32_t>(workers_.size()); }
  [[nodiscard]] SearchWorker& worker(uint32_t number) noexcept { return workers_[number]; }
  [[nodiscard]] bool counts_only() const noexcept { return question_.options().count_only; }
  /// More hits than are reported are known.
  [[nodiscard]] bool overfull() const { return !counts_only() && hits_.count() > question_.options().limit; }

  /// Reads these texts and adds those that match to the hits. Cheapest when they are sorted by part and text.
  void verify(std::span<const Candidate> candidates);
  /// Reads every text that is not removed.
  void verify_all();

  ClueTrace trace;
  bool capped = false;          ///< see ClueAnswer
  double predicted_recall = 1;  ///< see ClueAnswer

 private:
  /// Whether the text of a hit, of so many bytes, is kept for its passage, which needs it again.
  [[nodiscard]] bool keeps(uint64_t bytes);
  void verify_one(const Candidate& candidate, SearchWorker& worker);

  const SearchView& view_;
  const Question& question_;
  const std::span<SearchWorker> workers_;
  const TextMatcher matcher_;
  HitCollector hits_;
  std::vector<uint32_t> fetched_;
  std::atomic<uint64_t> kept_bytes_ = 0;  // of hits, found so far
};

}  // namespace neardup
