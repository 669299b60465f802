#include "search/scan/piece_filter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "search/scan/extension.h"
#include "search/scan/hash_counts.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

// Of a long piece, as many windows are considered.
constexpr size_t kMaxConsidered = 256;

uint64_t key_mask(size_t length) noexcept {
  return length == sizeof(uint64_t) ? ~uint64_t{0} : (uint64_t{1} << 8 * length) - 1;
}
// The bytes as a number, the first one lowest. Requires 8 bytes.
uint64_t load_eight(const char* bytes) noexcept {
  uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  if constexpr (std::endian::native == std::endian::big) number = __builtin_bswap64(number);
  return number;
}
uint64_t key_of(std::string_view bytes) noexcept {
  char padded[sizeof(uint64_t)] = {};
  std::copy(bytes.begin(), bytes.end(), padded);
  return load_eight(padded);
}

// Calls visit(offset, hash) for the windows of a piece among which one is chosen.
template <typename Visit>
void for_each_window(std::string_view piece, const Visit& visit) {
  for (size_t offset = 0; offset + sizeof(uint64_t) <= piece.size() && offset < kMaxConsidered; ++offset) {
    visit(offset, mix64(load_eight(piece.data() + offset)));
  }
}

bool begins_character(char byte) noexcept {
  return (static_cast<uint8_t>(byte) & 0xC0) != 0x80;
}

}  // namespace

PieceFilter::PieceFilter(std::span<const Clue> clues) : clues_(clues) {
  size_t windows = 0;
  for (uint32_t clue = 0; clue < clues.size(); ++clue) {
    add_pieces(clue);
    windows += clues[clue].form().size();
  }
  const auto bytes_of = [&](const Piece& piece) {
    return std::string_view(clues_[piece.clue].form()).substr(piece.begin, piece.end - piece.begin);
  };
  // Windows that many clues have are likely to be frequent in texts, too.
  HashCounts counts(windows);
  for (const Piece& piece : pieces_) for_each_window(bytes_of(piece), [&](size_t, uint64_t hash) { counts.add(hash); });
  std::array<std::vector<KeyTable<Window>::Entry>, kWindow + 1> entries;
  for (uint32_t i = 0; i < pieces_.size(); ++i) {
    const std::string_view bytes = bytes_of(pieces_[i]);
    size_t rarest = 0;
    uint32_t least = UINT32_MAX;
    for_each_window(bytes, [&](size_t offset, uint64_t hash) {
      if (counts[hash] < least) rarest = offset;
      least = std::min(counts[hash], least);
    });
    const size_t length = std::min(bytes.size(), kWindow);
    entries[length].emplace_back(key_of(bytes.substr(rarest, length)), Window{i, static_cast<uint32_t>(pieces_[i].begin + rarest)});
  }
  for (size_t length = 1; length <= kWindow; ++length) by_length_[length] = KeyTable<Window>(std::move(entries[length]));
}

// Whole code points, about as many in each piece.
void PieceFilter::add_pieces(uint32_t clue) {
  const std::string& form = clues_[clue].form();
  const size_t points = clues_[clue].points().size();
  const size_t count = clues_[clue].max_edits() + size_t{1};
  const size_t first = pieces_.size();
  size_t byte = 0;
  size_t point = 0;
  for (size_t i = 1; i <= count; ++i) {
    Piece piece{.clue = clue, .begin = static_cast<uint32_t>(byte), .point = static_cast<uint32_t>(point)};
    for (const size_t end = points * i / count; point < end; ++point) {
      for (++byte; byte < form.size() && !begins_character(form[byte]);) ++byte;
    }
    piece.end = static_cast<uint32_t>(byte);
    piece.end_point = static_cast<uint32_t>(point);
    pieces_.push_back(piece);
  }
  const bool short_pieces =
      std::ranges::any_of(std::span(pieces_).subspan(first), [](const Piece& piece) { return piece.end - piece.begin < kMinPieceBytes; });
  if (count == 1) return;
  if (short_pieces) {
    pieces_.resize(first);
    unfiltered_.push_back(clue);
  } else {
    find_siblings(std::span(pieces_).subspan(first));
  }
}

// Halves as long as there are more than three; of three, the first is a leaf. So siblings of leaves have one piece or two.
void PieceFilter::find_siblings(std::span<Piece> pieces) {
  if (pieces.size() > 3) {
    find_siblings(pieces.first(pieces.size() / 2));
    find_siblings(pieces.subspan(pieces.size() / 2));
    return;
  }
  const auto edits = static_cast<uint32_t>(pieces.size() - 1);
  pieces[0].sibling = pieces.back().end_point;
  pieces[0].sibling_edits = edits;
  if (pieces.size() == 3) return find_siblings(pieces.subspan(1));
  pieces[1].sibling = pieces[0].point;
  pieces[1].sibling_edits = edits;
}

void PieceFilter::find(std::string_view form, Scratch& scratch, std::vector<Candidate>& candidates) const {
  scratch.spent.next_text();
  for (const uint32_t clue : unfiltered_) candidates.push_back({clue, 0});
  for (size_t length = 1; length <= kWindow; ++length) {
    if (!by_length_[length].empty()) find_windows(length, form, scratch, candidates);
  }
}

void PieceFilter::find_windows(size_t length, std::string_view form, Scratch& scratch, std::vector<Candidate>& candidates) const {
  const KeyTable<Window>& table = by_length_[length];
  const uint64_t mask = key_mask(length);
  const auto look_up = [&](size_t place, uint64_t key) {
    if (!table.may_have(key)) [[likely]]
      return;
    for (const Window& window : table.find(key).values) look_at(form, place, window, scratch, candidates);
  };
  size_t place = 0;
  for (; place + kWindow <= form.size(); ++place) look_up(place, load_eight(form.data() + place) & mask);
  // A form has no zero bytes, so no window is found across its end.
  for (; place < form.size(); ++place) look_up(place, key_of(form.substr(place)) & mask);
}

void PieceFilter::look_at(std::string_view form, size_t place, const Window& window, Scratch& scratch,
                          std::vector<Candidate>& candidates) const {
  const Piece& piece = pieces_[window.piece];
  uint32_t& spent = scratch.spent[piece.clue];
  const size_t before = window.offset - piece.begin;
  if (spent == kDecided || place < before) return;
  const size_t begin = place - before;
  const std::string& clue = clues_[piece.clue].form();
  if (form.compare(begin, piece.end - piece.begin, clue, piece.begin, piece.end - piece.begin) != 0) return;
  const bool edited = clues_[piece.clue].max_edits() > 0;
  if (edited && !(close_sibling(form, begin, piece, scratch) && close_passage(form, begin, piece, scratch, spent))) return;
  spent = kDecided;
  candidates.push_back({piece.clue, begin});
}

// Whether the sibling is next to the piece at this place.
bool PieceFilter::close_sibling(std::string_view form, size_t place, const Piece& piece, Scratch& scratch) const {
  const std::vector<char32_t>& clue = clues_[piece.clue].points();
  if (piece.sibling < piece.point) {
    size_t at = place;
    const auto next_point = [&]() -> std::optional<char32_t> {
      if (at == 0) return std::nullopt;
      for (--at; at > 0 && !begins_character(form[at]);) --at;
      return decode_quickly(form, at).code_point;
    };
    const auto pattern = [&](size_t i) { return clue[piece.point - 1 - i]; };
    return extends(piece.point - piece.sibling, piece.sibling_edits, pattern, next_point, scratch.points);
  }
  size_t at = place + (piece.end - piece.begin);
  const auto next_point = [&]() -> std::optional<char32_t> {
    if (at == form.size()) return std::nullopt;
    const Decoded decoded = decode_quickly(form, at);
    at += decoded.length;
    return decoded.code_point;
  };
  const auto pattern = [&](size_t i) { return clue[piece.end_point + i]; };
  return extends(piece.sibling - piece.end_point, piece.sibling_edits, pattern, next_point, scratch.points);
}

// Whether a passage that has the piece at this place is within the edits. It begins at most e code points before or after the place where
// it would begin without edits, and so for its end. Also true when pieces of the clue were found so often that the text is better aligned
// once.
bool PieceFilter::close_passage(std::string_view form, size_t place, const Piece& piece, Scratch& scratch, uint32_t& spent) const {
  const Clue& clue = clues_[piece.clue];
  const size_t edits = clue.max_edits();
  size_t begin = place;
  for (size_t left = piece.point + edits; left > 0 && begin > 0; --left) {
    for (--begin; begin > 0 && !begins_character(form[begin]);) --begin;
  }
  scratch.points.clear();
  size_t end = place;
  const auto take_to = [&](size_t& at, size_t points, size_t stop) {
    for (; points > 0 && at < stop; --points) {
      const Decoded decoded = decode_quickly(form, at);
      scratch.points.push_back(decoded.code_point);
      at += decoded.length;
    }
  };
  take_to(begin, SIZE_MAX, place);
  take_to(end, clue.points().size() - piece.point + edits, form.size());
  spent += static_cast<uint32_t>(scratch.points.size());
  if (spent > form.size()) return true;
  return clue.aligner().distance(scratch.points, clue.max_edits(), scratch.align).has_value();
}

}  // namespace neardup
