#include "neardup/tools/align.h"

#include "text/align/common_sequence.h"
#include "text/align/unit_parts.h"
#include "text/align/unit_sequence.h"

namespace neardup {
namespace {

// Where the text of unit `at` begins: white space belongs to the unit before it, and to the first one at the beginning.
size_t begin_of(std::string_view text, const UnitSequence& units, uint32_t at) {
  if (at == 0) return 0;
  return at == units.places.size() ? text.size() : units.places[at].begin;
}

// The white space before unit `at`, in bytes.
std::string_view white_before(std::string_view text, const UnitSequence& units, uint32_t at) {
  if (at == 0) return {};
  const size_t end = units.places[at - 1].end;
  return text.substr(end, begin_of(text, units, at) - end);
}

}  // namespace

Alignment align_texts(std::string_view a, std::string_view b, const AlignOptions& options) {
  Alignment alignment;
  if (a.empty() && b.empty()) return alignment;
  UnitNumbers numbers;
  const UnitSequence units_a = numbers.number(a);
  const UnitSequence units_b = numbers.number(b);
  if (units_a.ids.empty() && units_b.ids.empty()) {
    alignment.parts.push_back({AlignedPart::kSame, 0, a.size(), 0, b.size()});
    return alignment;
  }
  CommonSequence common = common_sequence(units_a.ids, units_b.ids);
  alignment.coarse = common.coarse;
  std::vector<UnitPart> parts =
      parts_of_runs(common.runs, static_cast<uint32_t>(units_a.ids.size()), static_cast<uint32_t>(units_b.ids.size()));
  const UnitTexts texts{a, b, numbers, units_a, units_b};
  slide_changes(texts, parts);
  if (options.join_changes) join_changes(texts, parts);

  alignment.parts.reserve(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const SequenceGap& units = parts[i].units;
    AlignedPart part{parts[i].same ? AlignedPart::kSame : AlignedPart::kChanged, begin_of(a, units_a, units.a_begin),
                     begin_of(a, units_a, units.a_end), begin_of(b, units_b, units.b_begin), begin_of(b, units_b, units.b_end)};
    if (i > 0) {
      AlignedPart& before = alignment.parts.back();
      std::string_view white_a = white_before(a, units_a, units.a_begin);
      std::string_view white_b = white_before(b, units_b, units.b_begin);
      // White space where a change begins belongs to it if only one text has it there; where it ends, not if both have the same.
      if (before.kind == AlignedPart::kChanged) {
        white_a = white_a.substr(0, before.a_end - before.a_begin);
        white_b = white_b.substr(0, before.b_end - before.b_begin);
      }
      const bool moves = before.kind == AlignedPart::kSame ? white_a.empty() != white_b.empty() : white_a == white_b;
      if (moves) {
        part.a_begin -= white_a.size();
        part.b_begin -= white_b.size();
        before.a_end = part.a_begin;
        before.b_end = part.b_begin;
      }
    }
    alignment.parts.push_back(part);
  }
  // White space of a text without units has no unit to belong to.
  alignment.parts.back().a_end = a.size();
  alignment.parts.back().b_end = b.size();
  return alignment;
}

}  // namespace neardup
