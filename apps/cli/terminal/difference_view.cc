#include "cli/terminal/difference_view.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <vector>

#include "cli/terminal/character_counter.h"
#include "cli/terminal/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr std::string_view kOnlyAColor = "\033[31m";
constexpr std::string_view kOnlyBColor = "\033[32m";
constexpr std::string_view kLeftOutColor = "\033[2m";
constexpr std::string_view kNoColor = "\033[0m";

// Places in a text; `shown` is the text, too.
std::string json_range(std::string_view text, size_t begin, size_t end, CharacterCounter& counter, bool shown) {
  const uint64_t char_begin = counter.before(begin);
  const uint64_t char_end = counter.before(end);
  std::string json = fmt::format(R"({{"begin":{},"end":{},"char_begin":{},"char_end":{})", begin, end, char_begin, char_end);
  if (shown) json += fmt::format(",\"text\":{}", json_quote(text.substr(begin, end - begin)));
  return json + "}";
}

}  // namespace

DifferenceView::DifferenceView(std::string_view a, std::string_view b) : a_(a), b_(b), alignment_(align_texts(a, b)) {}

std::string DifferenceView::summary() const {
  const ChangeCounts counts = classify_changes(a_, b_, alignment_);
  uint64_t changes = 0;
  std::string kinds;
  for (size_t i = 0; i < kChangeKinds; ++i) {
    const uint64_t count = counts.kinds[i].changes;
    if (count == 0) continue;
    changes += count;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", name_of(static_cast<ChangeKind>(i)), grouped(count));
  }
  return changes == 0 ? "none" : fmt::format("{}: {}", counted(changes, "change"), kinds);
}

std::string DifferenceView::to_text(bool colored, const ExcerptLimits& limits) const {
  std::string text;
  const auto marked = [&](std::string_view color, std::string_view open, std::string_view close, std::string_view shown) {
    text += colored ? color : open;
    text += shown;
    text += colored ? kNoColor : close;
  };
  for (const ExcerptPiece& piece : aligned_excerpt(a_, b_, alignment_, limits)) {
    const std::string shown = printable(piece.text, Escapes::kLines);
    switch (piece.kind) {
      case ExcerptPiece::kSame:
        text += shown;
        break;
      case ExcerptPiece::kOnlyA:
        marked(kOnlyAColor, "[-", "-]", shown);
        break;
      case ExcerptPiece::kOnlyB:
        marked(kOnlyBColor, "{+", "+}", shown);
        break;
      case ExcerptPiece::kLeftOut:
        marked(kLeftOutColor, "", "", fmt::format("[... {} ...]", counted(piece.characters, "character")));
        break;
      case ExcerptPiece::kMore:
        marked(kLeftOutColor, "", "", fmt::format("[... {} more]", counted(piece.characters, "character")));
        break;
    }
  }
  if (!text.empty() && text.back() != '\n') text.push_back('\n');
  return text;
}

std::string DifferenceView::to_json() const {
  std::string text = "\"parts\":[";
  const auto out = std::back_inserter(text);
  CharacterCounter in_a(a_);
  CharacterCounter in_b(b_);
  const std::vector<std::optional<ChangeKind>> kinds = kinds_of_parts(a_, b_, alignment_);
  for (size_t i = 0; i < kinds.size(); ++i) {
    const AlignedPart& part = alignment_.parts[i];
    const bool changed = part.kind == AlignedPart::kChanged;
    fmt::format_to(out, R"({}{{"kind":"{}",)", i == 0 ? "" : ",", changed ? "changed" : "same");
    if (kinds[i]) fmt::format_to(out, R"("change":"{}",)", name_of(*kinds[i]));
    fmt::format_to(out, R"("a":{},"b":{}}})", json_range(a_, part.a_begin, part.a_end, in_a, changed),
                   json_range(b_, part.b_begin, part.b_end, in_b, changed));
  }
  text += "],\"changes\":{";
  const ChangeCounts counts = classify_changes(a_, b_, alignment_);
  for (size_t i = 0; i < kChangeKinds; ++i) {
    fmt::format_to(out, R"({}"{}":{{"changes":{},"characters":{}}})", i == 0 ? "" : ",", name_of(static_cast<ChangeKind>(i)),
                   counts.kinds[i].changes, counts.kinds[i].characters);
  }
  fmt::format_to(out, "}},\"coarse\":{}", alignment_.coarse);
  return text;
}

}  // namespace neardup::cli
