#include "neardup/tools/aligned_excerpt.h"

#include "text/align/units.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

WordClass class_at(std::string_view text, size_t at, size_t& length) noexcept {
  const Decoded decoded = decode_quickly(text, at);
  length = decoded.length;
  return word_class(decoded.code_point);
}

// Words are cut by the same classes as in units.h. Ideographs part from each other; marks from nothing.
bool parts_from(WordClass before, WordClass after) noexcept {
  if (after == WordClass::kMark) return false;
  const auto of_word = [](WordClass word) { return word != WordClass::kSeparator && word != WordClass::kSingle; };
  return !of_word(before) || !of_word(after);
}

// The bytes of the first `characters` code points of the text or a few fewer, so that they end between words. A word that is longer is cut.
size_t bytes_of_first(std::string_view text, size_t characters) noexcept {
  size_t between_words = 0;
  WordClass before = WordClass::kSeparator;
  size_t at = 0;
  for (size_t length = 0; at < text.size(); at += length, --characters) {
    const WordClass here = class_at(text, at, length);
    if (at > 0 && parts_from(before, here)) between_words = at;
    if (characters == 0) return between_words > 0 ? between_words : at;
    before = here;
  }
  return at;
}

// Where the last `characters` code points of a text with `all` of them begin, or a few fewer, so that they begin between words. A word that
// is longer is cut.
size_t begin_of_last(std::string_view text, uint64_t all, size_t characters) noexcept {
  if (all <= characters) return 0;
  uint64_t skipped = all - characters;
  WordClass before = WordClass::kSeparator;
  size_t at = 0;
  for (size_t length = 0; skipped > 0 && at < text.size(); at += length, --skipped) before = class_at(text, at, length);
  for (size_t later = at, length = 0; later < text.size(); later += length) {
    const WordClass here = class_at(text, later, length);
    if (parts_from(before, here)) return later;
    before = here;
  }
  return at;
}

class ExcerptWriter {
 public:
  ExcerptWriter(std::string_view a, std::string_view b, const ExcerptLimits& limits) : a_(a), b_(b), limits_(limits) {}

  std::vector<ExcerptPiece> write(const Alignment& alignment) {
    const std::vector<AlignedPart>& parts = alignment.parts;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (shown_ >= limits_.characters) {
        add_rest(parts[i]);
        break;
      }
      if (parts[i].kind == AlignedPart::kSame) {
        add_same(parts[i], i > 0, i + 1 < parts.size());
      } else {
        add_changed(ExcerptPiece::kOnlyA, parts[i].text_of_a(a_), parts[i]);
        add_changed(ExcerptPiece::kOnlyB, parts[i].text_of_b(b_), parts[i]);
      }
    }
    return std::move(pieces_);
  }

 private:
  void add(ExcerptPiece::Kind kind, std::string_view text, uint64_t characters, size_t a_begin, size_t b_begin) {
    if (characters == 0) return;
    const bool shown = kind != ExcerptPiece::kLeftOut && kind != ExcerptPiece::kMore;
    pieces_.push_back({kind, shown ? text : std::string_view(), characters, a_begin, b_begin});
    if (shown) shown_ += characters;
  }

  // Places in b are those of the same character only if the bytes are: otherwise that of the part.
  void add_same(const AlignedPart& part, bool after_change, bool before_change) {
    const std::string_view text = part.text_of_a(a_);
    const uint64_t characters = count_code_points(text);
    const size_t head = after_change ? bytes_of_first(text, limits_.context) : 0;
    const size_t tail = before_change ? begin_of_last(text, characters, limits_.context) : text.size();
    const bool same_bytes = text == part.text_of_b(b_);
    const auto place_in_b = [&](size_t at) { return same_bytes ? part.b_begin + at : part.b_begin; };
    // A note of what is left out takes about as much room as a few words.
    constexpr size_t kNote = 24;
    const uint64_t left_out = tail > head ? count_code_points(text.substr(head, tail - head)) : 0;
    if (left_out <= kNote) return add(ExcerptPiece::kSame, text, characters, part.a_begin, part.b_begin);
    const std::string_view first = text.substr(0, head);
    const std::string_view last = text.substr(tail);
    add(ExcerptPiece::kSame, first, count_code_points(first), part.a_begin, part.b_begin);
    add(ExcerptPiece::kLeftOut, {}, left_out, part.a_begin + head, place_in_b(head));
    add(ExcerptPiece::kSame, last, count_code_points(last), part.a_begin + tail, place_in_b(tail));
  }

  void add_changed(ExcerptPiece::Kind kind, std::string_view text, const AlignedPart& part) {
    const size_t bytes = bytes_of_first(text, limits_.passage);
    const uint64_t rest = count_code_points(text.substr(bytes));
    add(kind, text.substr(0, bytes), count_code_points(text.substr(0, bytes)), part.a_begin, part.b_begin);
    add(ExcerptPiece::kLeftOut, {}, rest, part.a_begin + (kind == ExcerptPiece::kOnlyA ? bytes : 0),
        part.b_begin + (kind == ExcerptPiece::kOnlyB ? bytes : 0));
  }

  void add_rest(const AlignedPart& first) {
    add(ExcerptPiece::kMore, {}, count_code_points(a_.substr(first.a_begin)) + count_code_points(b_.substr(first.b_begin)), first.a_begin,
        first.b_begin);
  }

  std::string_view a_;
  std::string_view b_;
  const ExcerptLimits limits_;
  std::vector<ExcerptPiece> pieces_;
  uint64_t shown_ = 0;
};

}  // namespace

std::vector<ExcerptPiece> aligned_excerpt(std::string_view a, std::string_view b, const Alignment& alignment, const ExcerptLimits& limits) {
  return ExcerptWriter(a, b, limits).write(alignment);
}

}  // namespace neardup
