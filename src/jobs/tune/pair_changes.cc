#include "jobs/tune/pair_changes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr uint64_t kFewFacts = 6;  // replaced passages
constexpr size_t kFactBytes = 60;  // of one side

bool has_letters(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    if (word_class(decoded.code_point) != WordClass::kSeparator) return true;
    at += decoded.length;
  }
  return false;
}

// A replacement of one fact by another: "1944" by "1964", one name by another.
bool is_fact(ChangeKind kind, std::string_view a, std::string_view b) {
  if (kind != ChangeKind::kDigits && kind != ChangeKind::kWords && kind != ChangeKind::kLetters) return false;
  return a.size() <= kFactBytes && b.size() <= kFactBytes && has_letters(a) && has_letters(b);
}

// A mark or a space that breaks a word: "limited" and "lim ited". Both sides have the word.
bool breaks_word(ChangeKind kind, std::string_view a, std::string_view b) {
  return (kind == ChangeKind::kPunctuation || kind == ChangeKind::kSpacing) && has_letters(a) && has_letters(b);
}

}  // namespace

PairChanges count_changes(std::string_view a, std::string_view b, const Alignment& alignment) {
  const ChangeCounts counts = classify_changes(a, b, alignment);
  PairChanges changes;
  changes.digits = counts.of(ChangeKind::kDigits).changes;
  changes.letters = counts.of(ChangeKind::kLetters).changes;
  changes.words = counts.of(ChangeKind::kWords).changes;
  changes.marks = counts.of(ChangeKind::kPunctuation).changes + counts.of(ChangeKind::kSpacing).changes;
  for (const ChangeKind kind : {ChangeKind::kBlockInserted, ChangeKind::kBlockDeleted, ChangeKind::kMoved}) {
    changes.block_characters += counts.of(kind).characters;
  }
  for (const ChangeCounts::Count& count : counts.kinds) changes.characters += count.characters;
  // Spacing does not change the contents, and a page with other line ends would have nothing else.
  changes.characters -= counts.of(ChangeKind::kSpacing).characters;

  const std::vector<std::optional<ChangeKind>> kinds = kinds_of_parts(a, b, alignment);
  uint64_t replaced = 0;
  bool only_facts = true;
  for (size_t i = 0; i < kinds.size(); ++i) {
    const AlignedPart& part = alignment.parts[i];
    if (!kinds[i] || part.kind == AlignedPart::kSame) continue;
    const std::string_view side_a = part.text_of_a(a);
    const std::string_view side_b = part.text_of_b(b);
    ++replaced;
    only_facts = only_facts && is_fact(*kinds[i], side_a, side_b);
    if (breaks_word(*kinds[i], side_a, side_b)) {
      ++changes.letters;
      changes.marks -= changes.marks > 0;
    }
  }
  // Errors inside words are replacements too; facts are whole words and numbers.
  changes.facts = only_facts && replaced > 0 && replaced <= kFewFacts && changes.digits + changes.words > 0 &&
                  changes.letters <= changes.digits + changes.words;
  return changes;
}

PairKind PairChanges::kind() const noexcept {
  if (characters > 0 && block_characters * 2 >= characters) return PairKind::kBlocks;
  if (facts) return PairKind::kFacts;
  if (digits + letters + words == 0) return PairKind::kPunctuation;
  if (letters >= words && letters >= digits) return PairKind::kLetters;
  return words >= digits ? PairKind::kWords : PairKind::kDigits;
}

std::string_view name_of(PairKind kind) noexcept {
  constexpr std::array<std::string_view, kPairKinds> kNames{"facts", "numbers", "letters", "words", "punctuation", "passages"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace neardup
