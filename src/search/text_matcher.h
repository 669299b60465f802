// TextMatcher: decides on its text whether a candidate matches a clue. SearchWorker: what one thread needs for that.
//
// The one place where "matches" is decided: index searches and scans call the same function. Immutable, shared by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/anchors/anchors.h"
#include "search/alignment.h"
#include "search/clue.h"
#include "search/indexed_texts.h"
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
  bool has_points = false;    ///< `points` are those of `form`
  bool has_features = false;  ///< `features` are those of `form`
};

/// Sets the form of the worker, about which clues are asked.
void form_text(const ClueMaker& maker, std::string_view text, SearchWorker& worker);

class TextMatcher {
 public:
  /// The clue must outlive it.
  explicit TextMatcher(const Clue& clue) : clue_(clue) {}

  /// Uses text, form and what is computed from them in `worker`.
  [[nodiscard]] std::optional<TextMatch> match(std::string_view text, SearchWorker& worker) const;
  /// The same for the text of the last form_text(), by the maker of the clue: many clues share the form and what is computed from it.
  /// `from`: of a clue without edits, no passage begins before this byte of the form.
  [[nodiscard]] std::optional<TextMatch> match_form(SearchWorker& worker, size_t from = 0) const;

  /// The order of hits: the better match first, then the smaller id.
  [[nodiscard]] bool before(const FoundText& a, const FoundText& b) const noexcept;
  /// A number that is not negative, and smaller for the better match, so that matches can be sorted where the clue is not known. Equal for
  /// equal matches; different for different ones, as long as clue and text together have fewer than 2^31 distinct grams.
  [[nodiscard]] int64_t order(const TextMatch& match) const noexcept;
  [[nodiscard]] double similarity(const TextMatch& match) const noexcept;

 private:
  [[nodiscard]] bool similar(const Overlap& overlap) const noexcept;

  const Clue& clue_;
};

}  // namespace neardup
