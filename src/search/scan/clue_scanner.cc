#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "neardup/error.h"
#include "neardup/tools/clue_scan.h"
#include "search/clue.h"
#include "search/hit_passage.h"
#include "search/scan/gram_filter.h"
#include "search/scan/piece_filter.h"
#include "search/text_matcher.h"

namespace neardup {
namespace {

const ClueRecipe& checked(const ClueRecipe& recipe) {
  recipe.check();
  return recipe;
}

std::vector<std::string> texts_of(std::span<const ScanClue> clues) {
  if (clues.size() > ClueScanner::kMaxClues) {
    throw Error(ErrorCode::kUsage, fmt::format("there are {} clues; expected at most {}", clues.size(), ClueScanner::kMaxClues));
  }
  std::vector<std::string> texts;
  texts.reserve(clues.size());
  for (const ScanClue& clue : clues) texts.emplace_back(clue.text);
  return texts;
}

std::vector<Clue> ask_all(std::span<const ScanClue> given, const std::vector<std::string>& texts, const ClueMaker& maker,
                          const ClueSearch& options) {
  std::vector<Clue> clues;
  clues.reserve(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    try {
      clues.emplace_back(maker, texts[i], options);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("clue '{}': {}", given[i].name, error.what()));
    }
  }
  return clues;
}

}  // namespace

struct ClueScanner::Impl {
  Impl(std::span<const ScanClue> given, const ClueRecipe& recipe, const ClueSearch& search)
      : options(search),
        maker(checked(recipe)),
        texts(texts_of(given)),
        clues(ask_all(given, texts, maker, options)),
        pieces(resembles() ? std::span<const Clue>() : std::span<const Clue>(clues)),
        grams(resembles() ? std::span<const Clue>(clues) : std::span<const Clue>()) {}

  [[nodiscard]] bool resembles() const noexcept { return options.mode == ClueSearch::Mode::kResembles; }

  const ClueSearch options;
  const ClueMaker maker;
  const std::vector<std::string> texts;
  const std::vector<Clue> clues;
  const PieceFilter pieces;  // of kContains
  const GramFilter grams;    // of kResembles
};

struct ClueScanner::Scratch::Impl {
  explicit Impl(const ClueScanner::Impl& scanner) : pieces(scanner.resembles() ? 0 : scanner.clues.size()), grams(scanner.grams) {}

  SearchWorker worker;
  PieceFilter::Scratch pieces;
  GramFilter::Scratch grams;
  std::vector<PieceFilter::Candidate> candidates;
  std::vector<uint32_t> similar;
  bool placed = false;  // the worker has the places of the last text
};

ClueScanner::Scratch::Scratch(const ClueScanner& scanner) : impl_(std::make_unique<Impl>(*scanner.impl_)) {}
ClueScanner::Scratch::~Scratch() = default;
ClueScanner::Scratch::Scratch(Scratch&&) noexcept = default;
ClueScanner::Scratch& ClueScanner::Scratch::operator=(Scratch&&) noexcept = default;

ClueScanner::ClueScanner(std::span<const ScanClue> clues, const ClueRecipe& recipe, const ClueSearch& options)
    : impl_(std::make_unique<Impl>(clues, recipe, options)) {}
ClueScanner::~ClueScanner() = default;
ClueScanner::ClueScanner(ClueScanner&&) noexcept = default;
ClueScanner& ClueScanner::operator=(ClueScanner&&) noexcept = default;

size_t ClueScanner::size() const noexcept {
  return impl_->clues.size();
}

const ClueSearch& ClueScanner::options() const noexcept {
  return impl_->options;
}

void ClueScanner::scan(std::string_view text, Scratch& scratch, std::vector<ScanMatch>& matches) const {
  Scratch::Impl& own = *scratch.impl_;
  matches.clear();
  own.placed = false;
  own.candidates.clear();
  form_text(impl_->maker, text, own.worker);
  if (impl_->resembles()) {
    own.similar.clear();
    impl_->grams.find(own.worker.form, impl_->maker.shape, own.grams, own.similar);
    for (const uint32_t clue : own.similar) own.candidates.push_back({clue, 0});
  } else {
    impl_->pieces.find(own.worker.form, own.pieces, own.candidates);
  }
  std::ranges::sort(own.candidates, {}, &PieceFilter::Candidate::clue);
  for (const PieceFilter::Candidate& candidate : own.candidates) {
    const TextMatcher matcher(impl_->clues[candidate.clue]);
    const std::optional<TextMatch> match = matcher.match_form(own.worker, candidate.from);
    if (match) matches.push_back({candidate.clue, match->edits, match->overlap, matcher.order(*match)});
  }
}

ClueHit ClueScanner::describe(std::string_view text, const ScanMatch& match, Scratch& scratch) const {
  Scratch::Impl& own = *scratch.impl_;
  const Clue& clue = impl_->clues[match.clue];
  ClueHit hit;
  hit.edits = match.edits;
  hit.overlap = match.overlap;
  hit.similarity = TextMatcher(clue).similarity({match.edits, match.overlap});
  if (!impl_->options.passages) return hit;
  if (!own.placed) place_form(impl_->maker, text, own.worker);
  own.placed = true;
  describe_passage(clue, text, own.worker, hit);
  return hit;
}

}  // namespace neardup
