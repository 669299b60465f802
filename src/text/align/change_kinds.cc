#include <unicode/uchar.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "neardup/tools/align.h"
#include "text/align/moved_passages.h"
#include "text/align/units.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// Longer sides are never a few letters inside words.
constexpr size_t kMaxLetters = 64;

bool is_digit(char32_t c) noexcept {
  return c < 0x80 ? c >= '0' && c <= '9' : u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
}

bool is_ideographic_number(char32_t c) noexcept {
  return std::u32string_view(
             U"\u3007\u4E00\u4E8C\u4E09\u56DB\u4E94\u516D\u4E03\u516B\u4E5D\u5341\u767E\u5343\u4E07\u842C\u4EBF\u5104\u96F6")
             .find(c) != std::u32string_view::npos;
}

// The hash of a run of code points: sides may be as long as texts, and only have to be compared.
struct PointsHash {
  uint64_t count = 0;
  uint64_t hash = 0;
  void add(char32_t c) noexcept {
    ++count;
    hash = mix64(hash ^ c);
  }
  friend bool operator==(const PointsHash&, const PointsHash&) = default;
};

// One side of a change, folded and without white space.
struct ChangedSide {
  uint64_t units = 0;
  PointsHash folded;
  PointsHash words;            // without signs
  PointsHash letters;          // without signs and digits
  std::u32string first_words;  // of words, as many as differ_in_letters() needs
  bool ideographs = false;
  bool only_ideographic_numbers = true;  // signs aside, and there is one
};

ChangedSide changed_side(std::string_view text) {
  ChangedSide side;
  UnitCutter cutter(text);
  for (Unit unit; cutter.next(unit);) {
    ++side.units;
    side.ideographs |= unit.kind == UnitKind::kSingle;
    for (size_t at = 0; at < unit.folded.size();) {
      const Decoded decoded = decode_quickly(unit.folded, at);
      const char32_t c = decoded.code_point;
      at += decoded.length;
      side.folded.add(c);
      if (word_class(c) == WordClass::kSeparator) continue;
      side.words.add(c);
      if (side.first_words.size() < kMaxLetters) side.first_words.push_back(c);
      side.only_ideographic_numbers &= is_ideographic_number(c);
      if (!is_digit(c)) side.letters.add(c);
    }
  }
  side.only_ideographic_numbers &= side.words.count > 0;
  return side;
}

// Insertions, deletions and substitutions of code points.
size_t edit_distance(std::u32string_view a, std::u32string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + static_cast<size_t>(a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

// One ideograph for another, or at most a third of the characters of words that are not too short to say.
bool differ_in_letters(const ChangedSide& a, const ChangedSide& b) {
  const uint64_t longer = std::max(a.words.count, b.words.count);
  if (a.words.count == 0 || b.words.count == 0 || longer > kMaxLetters) return false;
  if (longer == 1) return a.ideographs && b.ideographs;
  return longer >= 3 && edit_distance(a.first_words, b.first_words) <= longer / 3;
}

ChangeKind kind_of_change(const ChangedSide& a, const ChangedSide& b) {
  if (a.folded == b.folded) return ChangeKind::kSpacing;
  if (a.words == b.words) return ChangeKind::kPunctuation;
  if (a.letters == b.letters || (a.only_ideographic_numbers && b.only_ideographic_numbers)) return ChangeKind::kDigits;
  if (differ_in_letters(a, b)) return ChangeKind::kLetters;
  if (b.units >= kMinBlockUnits && b.units >= 4 * a.units) return ChangeKind::kBlockInserted;
  if (a.units >= kMinBlockUnits && a.units >= 4 * b.units) return ChangeKind::kBlockDeleted;
  return ChangeKind::kWords;
}

uint64_t longer_side(std::string_view a, std::string_view b) noexcept {
  return std::max(count_code_points(a), count_code_points(b));
}

// Adjacent units of a part that is the same that have other bytes, or other white space before them, are one change.
void count_spacing(std::string_view a, std::string_view b, ChangeCounts::Count& count) {
  if (a == b) return;
  UnitCutter cutter_a(a);
  UnitCutter cutter_b(b);
  Unit unit_a;
  Unit unit_b;
  size_t done_a = 0;
  size_t done_b = 0;
  bool in_change = false;
  const auto compare = [&](size_t end_a, size_t end_b) {
    const std::string_view piece_a = a.substr(done_a, end_a - done_a);
    const std::string_view piece_b = b.substr(done_b, end_b - done_b);
    const bool differs = piece_a != piece_b;
    if (differs && !in_change) ++count.changes;
    if (differs) count.characters += longer_side(piece_a, piece_b);
    in_change = differs;
    done_a = end_a;
    done_b = end_b;
  };
  while (cutter_a.next(unit_a) && cutter_b.next(unit_b)) compare(unit_a.end, unit_b.end);
  compare(a.size(), b.size());
}

// The kind of a changed part: what is moved does not count as inserted or deleted here.
ChangeKind kind_of_part(std::string_view a, std::string_view b, MovedSides moved) {
  const bool moved_a = moved.a || a.empty();
  const bool moved_b = moved.b || b.empty();
  if (moved_a && moved_b) return ChangeKind::kMoved;
  return kind_of_change(changed_side(moved.a ? std::string_view() : a), changed_side(moved.b ? std::string_view() : b));
}

std::vector<std::optional<ChangeKind>> kinds_of(std::string_view a, std::string_view b, const Alignment& alignment,
                                                const std::vector<MovedSides>& moved) {
  std::vector<std::optional<ChangeKind>> kinds(alignment.parts.size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    const AlignedPart& part = alignment.parts[i];
    const std::string_view text_a = part.text_of_a(a);
    const std::string_view text_b = part.text_of_b(b);
    if (part.kind == AlignedPart::kChanged) {
      kinds[i] = kind_of_part(text_a, text_b, moved[i]);
    } else if (text_a != text_b) {
      kinds[i] = ChangeKind::kSpacing;
    }
  }
  return kinds;
}

}  // namespace

std::string_view name_of(ChangeKind kind) noexcept {
  switch (kind) {
    case ChangeKind::kDigits:
      return "digits";
    case ChangeKind::kLetters:
      return "letters";
    case ChangeKind::kWords:
      return "words";
    case ChangeKind::kPunctuation:
      return "punctuation";
    case ChangeKind::kSpacing:
      return "spacing";
    case ChangeKind::kBlockInserted:
      return "inserted";
    case ChangeKind::kBlockDeleted:
      return "deleted";
    case ChangeKind::kMoved:
      return "moved";
  }
  return "";
}

std::vector<std::optional<ChangeKind>> kinds_of_parts(std::string_view a, std::string_view b, const Alignment& alignment) {
  return kinds_of(a, b, alignment, find_moved(a, b, alignment));
}

ChangeCounts classify_changes(std::string_view a, std::string_view b, const Alignment& alignment) {
  const std::vector<MovedSides> moved = find_moved(a, b, alignment);
  const std::vector<std::optional<ChangeKind>> kinds = kinds_of(a, b, alignment, moved);
  ChangeCounts counts;
  ChangeCounts::Count moved_from;
  ChangeCounts::Count moved_to;
  for (size_t i = 0; i < kinds.size(); ++i) {
    const AlignedPart& part = alignment.parts[i];
    std::string_view text_a = part.text_of_a(a);
    std::string_view text_b = part.text_of_b(b);
    if (part.kind == AlignedPart::kSame) {
      count_spacing(text_a, text_b, counts.of(ChangeKind::kSpacing));
      continue;
    }
    if (moved[i].a) {
      ++moved_from.changes;
      moved_from.characters += count_code_points(text_a);
      text_a = {};
    }
    if (moved[i].b) {
      ++moved_to.changes;
      moved_to.characters += count_code_points(text_b);
      text_b = {};
    }
    if (kinds[i] == ChangeKind::kMoved) continue;
    ChangeCounts::Count& count = counts.of(*kinds[i]);
    ++count.changes;
    count.characters += longer_side(text_a, text_b);
  }
  counts.of(ChangeKind::kMoved) = {std::max(moved_from.changes, moved_to.changes), std::max(moved_from.characters, moved_to.characters)};
  return counts;
}

}  // namespace neardup
