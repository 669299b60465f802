#include "text/align/units.h"

#include <unicode/bytestream.h>

#include <array>

#include "text/normalize/unicode_form.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// The lower-case form of an ASCII letter or digit; 0 for all other bytes.
constexpr std::array<char, 256> make_word_bytes() {
  std::array<char, 256> bytes{};
  for (char c = '0'; c <= '9'; ++c) bytes[static_cast<uint8_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    bytes[static_cast<uint8_t>(c)] = c;
    bytes[static_cast<uint8_t>(c - 'a' + 'A')] = c;
  }
  return bytes;
}
constexpr std::array<char, 256> kWordBytes = make_word_bytes();

UnitKind kind_of(char32_t c) noexcept {
  const WordClass word = c < 0x10000 ? word_classes()[c] : word_class(c);
  if (word == WordClass::kSingle) return UnitKind::kSingle;
  return word == WordClass::kSeparator ? UnitKind::kOther : UnitKind::kWord;
}

// Of a form with several code points: that of all of them, or kOther. Marks after an ideograph belong to it.
UnitKind kind_of(std::string_view form) noexcept {
  UnitKind kind = UnitKind::kOther;
  for (size_t at = 0; at < form.size();) {
    const Decoded decoded = decode_quickly(form, at);
    const UnitKind here = kind_of(decoded.code_point);
    if (at == 0) {
      kind = here;
    } else if (here != kind && !(kind == UnitKind::kSingle && word_class(decoded.code_point) == WordClass::kMark)) {
      return UnitKind::kOther;
    }
    at += decoded.length;
  }
  return kind;
}

}  // namespace

UnitCutter::UnitCutter(std::string_view text) : text_(text) {}

void UnitCutter::skip_white() {
  while (at_ < text_.size()) {
    const Decoded decoded = decode_quickly(text_, at_);
    if (!is_white_space(decoded.code_point)) return;
    at_ += decoded.length;
  }
}

UnitCutter::Piece UnitCutter::take_piece(size_t at) {
  static const UnicodeForm& form = UnicodeForm::of(NormalizerKind::kCasefold);
  const Decoded first = decode_quickly(text_, at);
  size_t end = at + first.length;
  const size_t form_begin = folded_.size();
  bool alone = true;
  while (end < text_.size()) {
    const Decoded decoded = decode_quickly(text_, end);
    const char32_t c = decoded.code_point;
    if (c < 0x80 || is_white_space(c) || form.is_plain(c) || form.has_boundary_before(c)) break;
    if (alone) {
      piece_.clear();
      append_utf8(first.code_point, piece_);
      alone = false;
    }
    append_utf8(c, piece_);
    end += decoded.length;
  }
  const char32_t c = first.code_point;
  if (alone && c >= 0x80 && c < 0x10000 && form.is_plain(c)) {
    const UnicodeForm::Image image = form.image(c);
    if (image >= UnicodeForm::kFirstExpansion) {
      const UnicodeForm::Expansion& expansion = form.expansion(image);
      folded_.append(expansion.bytes, expansion.length);
    } else {
      char bytes[4];
      store_four(image, bytes);
      folded_.append(bytes, image >> UnicodeForm::kLengthShift);
    }
  } else if (alone && c < 0x80) {
    const char lower = kWordBytes[c];
    folded_.push_back(lower != 0 ? lower : static_cast<char>(c));
  } else {
    if (alone) {
      piece_.clear();
      append_utf8(c, piece_);
    }
    icu::StringByteSink<std::string> sink(&folded_);
    form.compose(piece_, sink);
  }
  const std::string_view formed = std::string_view(folded_).substr(form_begin);
  return {end, kind_of(formed), formed.empty()};
}

bool UnitCutter::next(Unit& unit) {
  folded_.clear();
  size_t begin = 0;
  UnitKind kind = UnitKind::kOther;
  // The first piece that folds to anything decides the kind.
  while (true) {
    skip_white();
    if (at_ == text_.size()) return false;
    begin = at_;
    const Piece piece = take_piece(at_);
    at_ = piece.end;
    kind = piece.kind;
    if (!piece.empty) break;
  }
  while (at_ < text_.size()) {
    // ASCII letters; the last one goes into the next piece if it composes with what follows.
    const auto byte = static_cast<uint8_t>(text_[at_]);
    const bool ascii_next = at_ + 1 == text_.size() || static_cast<uint8_t>(text_[at_ + 1]) < 0x80;
    if (byte < 0x80 && ascii_next) {
      if (kind != UnitKind::kWord || kWordBytes[byte] == 0) break;
      folded_.push_back(kWordBytes[byte]);
      ++at_;
      continue;
    }
    const char32_t c = decode_quickly(text_, at_).code_point;
    if (is_white_space(c)) break;
    // Only what folds to nothing continues an ideograph or a sign, and plain characters fold to something.
    if (kind != UnitKind::kWord && UnicodeForm::of(NormalizerKind::kCasefold).is_plain(c)) break;
    const size_t size_before = folded_.size();
    const Piece piece = take_piece(at_);
    if (!piece.empty && !(kind == UnitKind::kWord && piece.kind == UnitKind::kWord)) {
      folded_.resize(size_before);
      break;
    }
    at_ = piece.end;
  }
  unit = {begin, at_, kind, folded_};
  return true;
}

uint64_t count_code_points(std::string_view text) noexcept {
  uint64_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) at += decode_quickly(text, at).length;
  return count;
}

}  // namespace neardup
