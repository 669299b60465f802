#include "jobs/tune/change_excerpt.h"

#include <algorithm>

#include "text/utf8/characters.h"
#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr size_t kContext = 30;   // bytes before, between and after changes
constexpr size_t kChange = 48;    // of one side of a change
constexpr size_t kExcerpt = 120;  // after which no further change is shown

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

void append_side(std::string_view opening, std::string_view text, std::string_view closing, std::string& out) {
  if (text.empty()) return;
  out += opening;
  const std::string_view shown = clip_utf8(text, kChange);
  append_line(shown, out);
  if (shown.size() < text.size()) out += "...";
  out += closing;
}

}  // namespace

std::string change_excerpt(std::string_view a, std::string_view b, const Alignment& alignment) {
  std::string out;
  const auto changed = [](const AlignedPart& part) { return part.kind == AlignedPart::kChanged; };
  const auto first = std::ranges::find_if(alignment.parts, changed);
  if (first == alignment.parts.end()) return out;
  if (first != alignment.parts.begin()) {
    const std::string_view before = std::prev(first)->text_of_a(a);
    const std::string_view shown = clip_utf8_front(before, kContext);
    if (shown.size() < before.size()) out += "...";
    append_line(shown, out);
  }
  for (auto part = first; part != alignment.parts.end(); ++part) {
    if (part->kind == AlignedPart::kChanged) {
      append_side("[-", part->text_of_a(a), "-]", out);
      append_side("{+", part->text_of_b(b), "+}", out);
      continue;
    }
    const std::string_view between = part->text_of_a(a);
    const bool last = std::next(part) == alignment.parts.end() || out.size() >= kExcerpt;
    if (last || between.size() > 2 * kContext) {
      const std::string_view shown = clip_utf8(between, kContext);
      append_line(shown, out);
      if (shown.size() < between.size()) out += "...";
      if (last) break;
      append_line(clip_utf8_front(between, kContext), out);
    } else {
      append_line(between, out);
    }
  }
  return out;
}

}  // namespace neardup
