#include "search/find/gram_evidence.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "neardup/stop.h"

namespace neardup {
namespace {

// Of a gram that one text has; of one that 2^n have, n less. Not the true number of texts, which removals and merges change.
constexpr int32_t kRareGramBits = 24;
// Few of the guesses for a gram are right, so one that some text has is by chance more often.
constexpr int32_t kGuessBits = 8;
constexpr int32_t kAgreeingCellBits = kContextCellBits;
constexpr int32_t kOtherCellBits = 1;  // an edit nearby changes cells, too

struct Neighbourhood {
  int32_t bits = 0;
  uint32_t agreeing = 0;  // cells
};

Neighbourhood compare_cells(const ClueAnchor& place, uint16_t context) noexcept {
  Neighbourhood compared;
  for (uint32_t cell = 0; cell < kContextCells; ++cell) {
    const uint32_t mask = ((1u << kContextCellBits) - 1) << cell * kContextCellBits;
    if ((place.known & mask) != mask) continue;
    const bool agrees = ((context ^ place.context) & mask) == 0;
    compared.bits += agrees ? kAgreeingCellBits : -kOtherCellBits;
    compared.agreeing += agrees ? 1 : 0;
  }
  return compared;
}

// The best that the posting gives; none: it does not count.
std::optional<int32_t> cell_bits(const AskedGram& gram, uint16_t context, bool unchanged) noexcept {
  if (unchanged && !gram.fits(context)) return std::nullopt;
  std::optional<int32_t> best;
  for (const ClueAnchor& place : gram.places) {
    const Neighbourhood compared = compare_cells(place, context);
    if (gram.kind == GramKind::kGuess && compared.agreeing == 0) continue;
    best = std::max(best.value_or(compared.bits), compared.bits);
  }
  return best;
}

}  // namespace

GramEvidence::GramEvidence(const SearchView& view, const std::vector<AskedGram>& asked, bool unchanged)
    : view_(view), asked_(asked), unchanged_(unchanged), found_(view.parts.size()), texts_with_(asked.size(), 0) {}

void GramEvidence::read_list(uint32_t part, uint32_t gram) {
  const AskedGram& asked = asked_[gram];
  for (AnchorImage::Cursor cursor(view_.parts[part].texts->anchors(), asked.lists[part]); !cursor.done();) {
    const uint32_t text = cursor.text();
    std::optional<int32_t> best;
    for (; !cursor.done() && cursor.text() == text; cursor.next()) {
      const std::optional<int32_t> bits = cell_bits(asked, cursor.context(), unchanged_);
      if (bits) best = std::max(best.value_or(*bits), *bits);
    }
    if (view_.removed(view_.parts[part], text)) continue;
    if (!best) {
      ++settled_;
      continue;
    }
    found_[part].push_back({text, gram, *best});
    ++texts_with_[gram];
  }
}

void GramEvidence::read() {
  for (uint32_t part = 0; part < view_.parts.size(); ++part) {
    const AnchorImage& image = view_.parts[part].texts->anchors();
    for (const AskedGram& gram : asked_) image.fetch_list(gram.lists[part]);
    for (uint32_t gram = 0; gram < asked_.size(); ++gram) {
      read_list(part, gram);
      check_stop();
    }
  }
}

std::vector<ScoredText> GramEvidence::take_texts() {
  std::vector<int32_t> gram_bits;
  for (size_t gram = 0; gram < asked_.size(); ++gram) {
    const int32_t bits = kRareGramBits - static_cast<int32_t>(std::bit_width(texts_with_[gram]));
    gram_bits.push_back(bits - (asked_[gram].kind == GramKind::kGuess ? kGuessBits : 0));
  }
  std::vector<ScoredText> texts;
  std::vector<uint64_t> entries;
  for (uint32_t part = 0; part < view_.parts.size(); ++part) {
    for (const Found& found : found_[part]) {
      entries.push_back(scored_entry(found.text, static_cast<uint32_t>(std::max(1, gram_bits[found.gram] + found.cells))));
    }
    found_[part] = {};
    append_scored(part, entries, texts);
  }
  return texts;
}

}  // namespace neardup
