#include "jobs/report/text_parts.h"

#include <string>

#include "neardup/tools/align.h"
#include "neardup/tools/aligned_excerpt.h"
#include "text/utf8/characters.h"

namespace neardup {
namespace {

constexpr size_t kAlignedBytes = 64 << 10;  // of each text; what follows is left out
constexpr ExcerptLimits kPartLimits{.context = 60, .passage = 400, .characters = 1500};
constexpr size_t kExcerptBytes = 600;
constexpr size_t kNameBytes = 300;

std::string_view sign_of(ExcerptPiece::Kind kind) {
  switch (kind) {
    case ExcerptPiece::kSame:
      return "=";
    case ExcerptPiece::kOnlyA:
      return "-";
    case ExcerptPiece::kOnlyB:
      return "+";
    case ExcerptPiece::kLeftOut:
    case ExcerptPiece::kMore:
      break;
  }
  return "~";
}

}  // namespace

void write_text_parts(std::string_view removed, std::string_view keeper, JsonWriter& json) {
  const std::string_view a = clip_utf8(removed, kAlignedBytes);
  const std::string_view b = clip_utf8(keeper, kAlignedBytes);
  uint64_t left_out = 0;  // successive gaps are one
  const auto write_gap = [&] {
    if (left_out > 0) json.begin_array().text("~").whole(left_out).end_array();
    left_out = 0;
  };
  json.begin_array();
  for (const ExcerptPiece& piece : aligned_excerpt(a, b, align_texts(a, b), kPartLimits)) {
    const std::string_view sign = sign_of(piece.kind);
    if (sign == "~") {
      left_out += piece.characters;
      continue;
    }
    write_gap();
    json.begin_array().text(sign).text(piece.text).end_array();
  }
  left_out += count_character_begins(removed.substr(a.size())) + count_character_begins(keeper.substr(b.size()));
  write_gap();
  json.end_array();
}

void write_excerpt(std::string_view text, JsonWriter& json) {
  const std::string_view head = clip_utf8(text, kExcerptBytes);
  json.text(head.size() == text.size() ? std::string(head) : std::string(head) + "…");
}

void write_name(std::string_view name, JsonWriter& json) {
  const std::string_view head = clip_utf8(name, kNameBytes);
  json.text(head.size() == name.size() ? std::string(head) : std::string(head) + "…");
}

}  // namespace neardup
