// TextMatcher: decides on its text whether a candidate matches a question. SearchWorker: what one thread needs for that.
//
// The one place where "matches" is decided: index searches and scans call the same function. Immutable, shared by threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/anchors/anchors.h"
#include "search/alignment.h"
#include "search/indexed_texts.h"
#include "search/question.h"
#include "text/clue/clue_form.h"

namespace neardup {

/// Why a text matches.
struct TextMatch {
  uint32_t edits = 0;    ///< of kContains
  Overlap overlap = {};  ///< of kResembles
};

/// A text that matches.
struct FoundText {
  uint64_t id = 0;
  uint32_t part = 0;  ///< of the view
  uint32_t text = 0;
  TextMatch match = {};
  std::string kept = {};  ///< the text, if it is kept for its passage; empty: it is not
};

/// Scratch memory of one thread.
struct SearchWorker {
  ClueForm::Scratch form_scratch;
  AnchorScratch anchor_scratch;
  Aligner::Scratch align_scratch;
  TextScratch text_scratch;
  std::string text;
  std::string form;
  std::string name;
  std::vector<char32_t> points;
  std::vector<uint64_t> features;
  std::vector<ClueForm::Place> places;
  std::vector<Anchor> anchors;
};

class TextMatcher {
 public:
  /// The question must outlive it.
  explicit TextMatcher(const Question& question) : question_(question) {}

  /// Uses text, form and what is computed from them in `worker`.
  [[nodiscard]] std::optional<TextMatch> match(std::string_view text, SearchWorker& worker) const;

  /// The order of hits: the better match first, then the smaller id.
  [[nodiscard]] bool before(const FoundText& a, const FoundText& b) const noexcept;
  [[nodiscard]] double similarity(const TextMatch& match) const noexcept;

 private:
  [[nodiscard]] bool similar(const Overlap& overlap) const noexcept;

  const Question& question_;
};

}  // namespace neardup
