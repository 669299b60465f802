#include "jobs/generate/text_units.h"

#include <algorithm>

#include "text/utf8/code_points.h"
#include "text/utf8/utf8.h"

namespace neardup::generate_detail {
namespace {

// A full stop inside a number or an abbreviation ends nothing: what follows is not white space.
bool ends_sentence(std::string_view gap) {
  for (size_t at = 0; at < gap.size();) {
    const Decoded next = decode_utf8(gap, at);
    at += next.length;
    switch (next.code_point) {
      case U'\n':
      case U'。':
      case U'！':
      case U'？':
      case U'；':
        return true;
      case U'.':
      case U'!':
      case U'?':
      case U';':
        if (at == gap.size() || is_white_space(decode_utf8(gap, at).code_point)) return at < gap.size();
        break;
      default:
        break;
    }
  }
  return false;
}

// Calls `begin` for the first character of every unit, until it returns false, and `extend` with the new end for every further one.
template <typename Begin, typename Extend>
void walk_units(std::string_view text, const Begin& begin, const Extend& extend) {
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode_quickly(text, at);
    const size_t end = at + next.length;
    switch (word_class(next.code_point)) {
      case WordClass::kSingle:
        if (!begin(TextUnits::Unit{at, end, true})) return;
        inside = false;
        break;
      case WordClass::kLetter:
        if (inside) {
          extend(end);
        } else if (!begin(TextUnits::Unit{at, end, false})) {
          return;
        }
        inside = true;
        break;
      case WordClass::kMark:
        if (inside) extend(end);
        break;
      case WordClass::kSeparator:
        inside = false;
        break;
    }
    at = end;
  }
}

}  // namespace

TextUnits::TextUnits(std::string_view text) : text_(text) {
  size_t singles = 0;
  walk_units(
      text,
      [&](const Unit& unit) {
        units_.push_back(unit);
        singles += unit.single;
        return true;
      },
      [&](size_t end) { units_.back().end = end; });
  unspaced_ = singles * 2 > units_.size();
  size_t first = 0;
  for (size_t i = 1; i <= units_.size(); ++i) {
    if (i < units_.size() && !ends_sentence(gap(i))) continue;
    sentences_.push_back({first, i});
    first = i;
  }
}

std::string_view TextUnits::gap(size_t i) const noexcept {
  const size_t begin = i == 0 ? 0 : units_[i - 1].end;
  const size_t end = i == units_.size() ? text_.size() : units_[i].begin;
  return text_.substr(begin, end - begin);
}

bool has_units(std::string_view text, size_t units) {
  size_t found = 0;
  walk_units(
      text, [&](const TextUnits::Unit&) { return ++found < units; }, [](size_t) {});
  return found >= units;
}

}  // namespace neardup::generate_detail
