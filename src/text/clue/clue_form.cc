#include "text/clue/clue_form.h"

#include <unicode/bytestream.h>

#include <algorithm>

#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// What step 3 does with a code point. The order counts: everything above kSeparator is kept.
enum class ClueClass : uint8_t { kSeparator, kNarrow, kWide };

ClueClass clue_class(WordClass word_class) noexcept {
  if (word_class == WordClass::kSeparator) return ClueClass::kSeparator;
  return word_class == WordClass::kSingle ? ClueClass::kWide : ClueClass::kNarrow;
}

ClueClass clue_class(char32_t c, const std::array<WordClass, 0x10000>& classes) noexcept {
  return clue_class(c < 0x10000 ? classes[c] : word_class(c));
}

// The byte that an ASCII character becomes: itself, or a blank for a separator. Texts are in lower case here.
constexpr std::array<char, 0x80> make_ascii_images() {
  std::array<char, 0x80> images{};
  for (size_t c = 0; c < images.size(); ++c) {
    const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    images[c] = kept ? static_cast<char>(c) : ' ';
  }
  return images;
}
constexpr std::array<char, 0x80> kAsciiImages = make_ascii_images();

// Step 3 over normalized text. The bytes after `end` are overwritten, so the output has kSlack bytes more than its text can need.
class Compaction {
 public:
  static constexpr size_t kSlack = 4;

  Compaction(std::string_view text, std::string& out) : text_(text), classes_(word_classes()), out_(out) {
    out_.resize(text.size() + kSlack);
  }

  void run() {
    size_t at = 0;
    while (at < text_.size()) {
      at = static_cast<uint8_t>(text_[at]) < 0x80 ? ascii_run(at) : wide_run(at);
      if (at < text_.size() && static_cast<uint8_t>(text_[at]) >= 0x80) at = other(at);
    }
    if (end_ > 0 && out_[end_ - 1] == ' ') --end_;
    out_.resize(end_);
  }

 private:
  // No branch depends on the character: a separator writes a blank, and the end moves over it only after a kept narrow character.
  size_t ascii_run(size_t at) noexcept {
    const char* const in = text_.data();
    const size_t size = text_.size();
    char* const out = out_.data();
    size_t end = end_;
    bool takes_blank = takes_blank_;
    for (; at < size && static_cast<uint8_t>(in[at]) < 0x80; ++at) {
      const char image = kAsciiImages[static_cast<uint8_t>(in[at])];
      const bool kept = image != ' ';
      out[end] = image;
      end += static_cast<size_t>(kept | takes_blank);
      takes_blank = kept;
    }
    end_ = end;
    takes_blank_ = takes_blank;
    return at;
  }

  // Three-byte sequences, which are nearly all Chinese: wide characters and separators.
  size_t wide_run(size_t at) noexcept {
    const size_t size = text_.size();
    for (; size - at >= 4; at += 3) {
      const uint32_t four = load_four(text_.data() + at);
      if (!looks_like_three(four)) break;
      const char32_t c = value_of_three(four);
      const WordClass word_class = classes_[c];
      if (word_class == WordClass::kSingle) {
        drop_blank();
        store_four(four, out_.data() + end_);
        end_ += 3;
        takes_blank_ = false;
      } else if (word_class == WordClass::kSeparator) {
        separate();
      } else {
        break;
      }
    }
    return at;
  }

  // One code point of any kind.
  size_t other(size_t at) noexcept {
    const Decoded decoded = decode_quickly(text_, at);
    const ClueClass kind = clue_class(decoded.code_point, classes_);
    if (kind == ClueClass::kSeparator) {
      separate();
    } else {
      if (kind == ClueClass::kWide) drop_blank();
      std::copy_n(text_.data() + at, decoded.length, out_.data() + end_);
      end_ += decoded.length;
      takes_blank_ = kind == ClueClass::kNarrow;
    }
    return at + decoded.length;
  }

  void separate() noexcept {
    out_[end_] = ' ';
    end_ += static_cast<size_t>(takes_blank_);
    takes_blank_ = false;
  }
  void drop_blank() noexcept {
    if (end_ > 0 && out_[end_ - 1] == ' ') --end_;
  }

  const std::string_view text_;
  const std::array<WordClass, 0x10000>& classes_;
  std::string& out_;
  size_t end_ = 0;
  bool takes_blank_ = false;  // the output ends with a narrow code point
};

// Step 3 for one code point after the other, with their places.
class PlacedCompaction {
 public:
  PlacedCompaction(std::string& out, std::vector<ClueForm::Place>& places) : out_(out), places_(places), classes_(word_classes()) {
    out_.clear();
    places_.clear();
  }

  void add(char32_t c, ClueForm::Place place) {
    const ClueClass kind = clue_class(c, classes_);
    if (kind == ClueClass::kSeparator) {
      if (!separated_) blank_ = place;
      blank_.end = place.end;
      separated_ = true;
      return;
    }
    if (separated_ && last_ == ClueClass::kNarrow && kind == ClueClass::kNarrow) append(' ', blank_);
    append(c, place);
    last_ = kind;
    separated_ = false;
  }

 private:
  void append(char32_t c, ClueForm::Place place) {
    append_utf8(c, out_);
    places_.push_back(place);
  }

  std::string& out_;
  std::vector<ClueForm::Place>& places_;
  const std::array<WordClass, 0x10000>& classes_;
  ClueClass last_ = ClueClass::kSeparator;  // the last kept code point; at the beginning a separator, after which no blank is written
  bool separated_ = false;
  ClueForm::Place blank_{};
};

// Steps 1 and 2 piece by piece: a piece is one code point with those after it that have no boundary before them. White space between two
// CJK characters is removed before the form, so a piece may continue after it.
class PlacedPieces {
 public:
  PlacedPieces(std::string_view text, const UnicodeForm& form, const HanFold* fold, std::string& piece, std::string& composed,
               PlacedCompaction& to)
      : text_(text), form_(form), fold_(fold), piece_(piece), composed_(composed), to_(to) {}

  void run() {
    while (at_ < text_.size()) {
      const Decoded first = decode_quickly(text_, at_);
      if (is_white_space(first.code_point)) {
        const size_t end = end_of_white(at_);
        if (!removed(end)) {
          to_.add(' ', place_to(end));
          previous_ = ' ';
        }
        at_ = end;
      } else {
        take_piece(first);
      }
    }
  }

 private:
  [[nodiscard]] ClueForm::Place place_to(size_t end) const noexcept { return {static_cast<uint32_t>(at_), static_cast<uint32_t>(end)}; }

  [[nodiscard]] size_t end_of_white(size_t at) const noexcept {
    while (at < text_.size()) {
      const Decoded decoded = decode_quickly(text_, at);
      if (!is_white_space(decoded.code_point)) break;
      at += decoded.length;
    }
    return at;
  }

  // Of white space after `previous_` that ends at `end`.
  [[nodiscard]] bool removed(size_t end) const noexcept {
    return is_cjk(previous_) && end < text_.size() && is_cjk(decode_quickly(text_, end).code_point);
  }

  void take_piece(const Decoded& first) {
    size_t end = at_ + first.length;
    previous_ = first.code_point;
    bool alone = true;
    while (const size_t more = length_of_next(end)) {
      if (alone) {
        piece_.clear();
        append_utf8(first.code_point, piece_);
        alone = false;
      }
      append_utf8(previous_, piece_);
      end += more;
    }
    if (alone && form_.is_plain(first.code_point)) {
      add_plain(first.code_point, end);
    } else {
      if (alone) {
        piece_.clear();
        append_utf8(first.code_point, piece_);
      }
      composed_.clear();
      icu::StringByteSink<std::string> sink(&composed_);
      form_.compose(piece_, sink);
      add_all(composed_, end);
    }
    at_ = end;
  }

  // Bytes of the next code point of the piece that goes to `end`, with removed white space before it, and that code point in `previous_`;
  // 0 if the piece is complete.
  size_t length_of_next(size_t end) noexcept {
    const size_t next = end_of_white(end);
    if (next == text_.size() || (next != end && !removed(next))) return 0;
    const Decoded decoded = decode_quickly(text_, next);
    if (decoded.code_point < 0x80 || form_.is_plain(decoded.code_point) || form_.has_boundary_before(decoded.code_point)) return 0;
    previous_ = decoded.code_point;
    return next + decoded.length - end;
  }

  void add_plain(char32_t c, size_t end) {
    if (c < 0x80) {
      add(c >= 'A' && c <= 'Z' ? c + 32 : c, end);
    } else if (c >= 0x10000) {
      add(c, end);
    } else if (const UnicodeForm::Image image = form_.image(c); image >= UnicodeForm::kFirstExpansion) {
      const UnicodeForm::Expansion& expansion = form_.expansion(image);
      add_all({expansion.bytes, expansion.length}, end);
    } else {
      char bytes[4];
      store_four(image, bytes);
      add_all({bytes, image >> UnicodeForm::kLengthShift}, end);
    }
  }

  void add_all(std::string_view formed, size_t end) {
    for (size_t at = 0; at < formed.size();) {
      const Decoded decoded = decode_quickly(formed, at);
      add(decoded.code_point, end);
      at += decoded.length;
    }
  }
  void add(char32_t c, size_t end) { to_.add(fold_ != nullptr ? fold_->fold(c) : c, place_to(end)); }

  const std::string_view text_;
  const UnicodeForm& form_;
  const HanFold* const fold_;
  std::string& piece_;
  std::string& composed_;
  PlacedCompaction& to_;
  size_t at_ = 0;
  char32_t previous_ = 0;  // the code point before, removed white space aside
};

}  // namespace

uint32_t columns_of(char32_t c) noexcept {
  return is_single_token(c) ? 2 : 1;
}

ClueForm::ClueForm(bool fold_han)
    : normalizer_(make_normalizer(NormalizerKind::kCasefold)),
      unicode_form_(UnicodeForm::of(NormalizerKind::kCasefold)),
      fold_(fold_han ? &HanFold::traditional_to_simplified() : nullptr) {}

void ClueForm::form(std::string_view text, std::string& out, Scratch& scratch) const {
  normalizer_->normalize(text, scratch.normalized, scratch.piece);
  std::string_view normalized = view_of(scratch.normalized);
  if (fold_ != nullptr) {
    fold_->fold(normalized, scratch.folded);
    normalized = scratch.folded;
  }
  Compaction(normalized, out).run();
}

void ClueForm::form_with_places(std::string_view text, std::string& out, std::vector<Place>& places, Scratch& scratch) const {
  PlacedCompaction compaction(out, places);
  PlacedPieces(text, unicode_form_, fold_, scratch.piece, scratch.folded, compaction).run();
}

}  // namespace neardup
