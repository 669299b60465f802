#include "jobs/tune/change_excerpt.h"

#include "neardup/tools/aligned_excerpt.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr ExcerptLimits kLimits{.context = 20, .passage = 40, .characters = 120};

void append_line(std::string_view text, std::string& out) {
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    if (!is_white_space(decoded.code_point)) {
      append_utf8(decoded.code_point, out);
    } else if (!out.ends_with(' ')) {
      out += ' ';
    }
    at += decoded.length;
  }
}

}  // namespace

std::string change_excerpt(std::string_view a, std::string_view b, const Alignment& alignment) {
  std::string out;
  std::string_view closing;  // of the side that is open
  bool changed = false;
  ExcerptPiece::Kind before = ExcerptPiece::kSame;
  for (const ExcerptPiece& piece : aligned_excerpt(a, b, alignment, kLimits)) {
    // What is left out of a long side belongs to it: "[-a passage...-]". The rest of both texts does not.
    if (piece.kind == ExcerptPiece::kLeftOut) {
      out += "...";
      continue;
    }
    if (piece.kind == ExcerptPiece::kMore) {
      out += closing;
      closing = {};
      out += "...";
      continue;
    }
    changed = changed || piece.kind != ExcerptPiece::kSame;
    if (piece.kind != before) {
      out += closing;
      closing = {};
      if (piece.kind == ExcerptPiece::kOnlyA) out += "[-", closing = "-]";
      if (piece.kind == ExcerptPiece::kOnlyB) out += "{+", closing = "+}";
      before = piece.kind;
    }
    append_line(piece.text, out);
  }
  out += closing;
  return changed ? out : std::string();
}

}  // namespace neardup
