// align_texts(): what two original texts share and where they differ. classify_changes(): what kinds of change the differences are.
//
//   const neardup::Alignment alignment = neardup::align_texts(a, b);
//   for (const neardup::AlignedPart& part : alignment.parts) {
//     if (part.kind == neardup::AlignedPart::kSame) std::cout << part.text_of_a(a);
//   }
//
// Texts are compared unit by unit. A unit is a run of letters, marks and digits; one ideograph, kana or Hangul syllable; or one other
// character that is not white space. Two units are equal if NFKC_Casefold makes the same of both, so case, width and white space between
// units make no difference here: they are ChangeKind::kSpacing inside a part that is the same.
//
// Pure functions, safe to call from several threads. Total: any bytes are a text, and malformed UTF-8 reads as U+FFFD; the only error is
// kStopped (stop.h). The result is a function of the arguments. Time is O(n log n) in the texts with a bounded amount for the search inside
// differences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace neardup {

/// A passage of each text, in bytes of the original. Boundaries never cut a character that both texts have whole.
struct AlignedPart {
  enum Kind : uint8_t {
    kSame,     ///< the same units
    kChanged,  ///< other units; one side may be empty: an insertion or a deletion
  };
  Kind kind = kSame;
  size_t a_begin = 0;
  size_t a_end = 0;
  size_t b_begin = 0;
  size_t b_end = 0;

  [[nodiscard]] std::string_view text_of_a(std::string_view a) const noexcept { return a.substr(a_begin, a_end - a_begin); }
  [[nodiscard]] std::string_view text_of_b(std::string_view b) const noexcept { return b.substr(b_begin, b_end - b_begin); }
  friend bool operator==(const AlignedPart&, const AlignedPart&) = default;
};

struct Alignment {
  /// In order, without gaps, and together both texts. Neighbours differ in kind. None is empty on both sides; no parts: two empty texts.
  std::vector<AlignedPart> parts;
  /// Some difference was too large to search for its smallest form, so more may be marked as changed than had to be. Of texts with more
  /// than a million units together, less of each difference is searched.
  bool coarse = false;
};

struct AlignOptions {
  /// Joins changes that are separated by much less than they change themselves, for readers: two rewritten sentences that have "the"
  /// and a comma in common are one change. Without it as few units as possible are changed, unless the alignment is coarse.
  bool join_changes = true;
};

Alignment align_texts(std::string_view a, std::string_view b, const AlignOptions& options = {});

/// What a change is, from a to b.
enum class ChangeKind : uint8_t {
  kDigits,         ///< other numbers
  kLetters,        ///< a few letters inside words (typing and recognition errors, endings), or one ideograph for another
  kWords,          ///< other words
  kPunctuation,    ///< punctuation and symbols only
  kSpacing,        ///< white space, width, case and other variants of the same character
  kBlockInserted,  ///< a passage of eight units or more that only b has
  kBlockDeleted,   ///< the same of a
  kMoved,          ///< a passage of eight units or more that stands elsewhere in the other text
};
inline constexpr size_t kChangeKinds = 8;

/// "digits", "letters", "words", "punctuation", "spacing", "inserted", "deleted", "moved"
std::string_view name_of(ChangeKind kind) noexcept;

struct ChangeCounts {
  struct Count {
    uint64_t changes = 0;
    uint64_t characters = 0;  ///< code points, of the longer side of each change
    friend bool operator==(const Count&, const Count&) = default;
  };
  std::array<Count, kChangeKinds> kinds{};

  [[nodiscard]] const Count& of(ChangeKind kind) const noexcept { return kinds[static_cast<size_t>(kind)]; }
  [[nodiscard]] Count& of(ChangeKind kind) noexcept { return kinds[static_cast<size_t>(kind)]; }
  friend bool operator==(const ChangeCounts&, const ChangeCounts&) = default;
};

/// Requires the alignment of these texts. A moved passage counts once, although two parts show it.
ChangeCounts classify_changes(std::string_view a, std::string_view b, const Alignment& alignment);

/// The kind of each part: empty for a part that is the same byte for byte, kSpacing for any other kSame part.
std::vector<std::optional<ChangeKind>> kinds_of_parts(std::string_view a, std::string_view b, const Alignment& alignment);

}  // namespace neardup
