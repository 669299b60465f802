#include "text/align/unit_parts.h"

#include <algorithm>

namespace neardup {
namespace {

// Units that a change moves over at most, in each direction.
constexpr uint32_t kMaxSlide = 256;
// What is between two changes is joined with them if each is at least so many times as heavy.
constexpr uint64_t kJoinRatio = 4;

bool ends_sentence(std::string_view folded) noexcept {
  return folded == "." || folded == "!" || folded == "?" || folded == "\u3002" || folded == ";";
}

// How natural it is to cut a text before unit `at`.
int cut_score(std::string_view text, const UnitSequence& units, const UnitNumbers& numbers, uint32_t at) {
  if (at == 0 || at == units.ids.size()) return 4;
  const uint32_t end = units.places[at - 1].end;
  const std::string_view between = text.substr(end, units.places[at].begin - end);
  if (between.find('\n') != std::string_view::npos) return 4;
  const uint32_t before = units.ids[at - 1];
  if (ends_sentence(numbers.folded(before))) return 3;
  if (numbers.kind_of(before) == UnitKind::kOther) return 2;
  return between.empty() ? 0 : 1;
}

// Moves a change of one side, in [begin, end) of `units`, by at most `left` or `right` units; returns by how many, negative to the left.
int64_t best_slide(std::string_view text, const UnitSequence& units, const UnitNumbers& numbers, uint32_t begin, uint32_t end,
                   uint32_t left, uint32_t right) {
  const std::vector<uint32_t>& ids = units.ids;
  int64_t first = 0;
  int64_t last = 0;
  const auto equal = [&](int64_t slide) {  // what a slide past them exchanges
    return ids[static_cast<size_t>(begin + slide)] == ids[static_cast<size_t>(end + slide)];
  };
  while (-first < std::min(left, kMaxSlide) && equal(first - 1)) --first;
  while (last < std::min(right, kMaxSlide) && equal(last)) ++last;
  int64_t best = 0;
  int best_score = -1;
  for (int64_t shift = first; shift <= last; ++shift) {
    const int score = cut_score(text, units, numbers, static_cast<uint32_t>(begin + shift)) +
                      cut_score(text, units, numbers, static_cast<uint32_t>(end + shift));
    if (score >= best_score) {
      best = shift;
      best_score = score;
    }
  }
  return best;
}

// What a reader sees of the units: letters, and twice as much for an ideograph or a sign.
uint64_t weight_of(const UnitNumbers& numbers, const UnitSequence& units, uint32_t begin, uint32_t end) {
  uint64_t weight = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t id = units.ids[i];
    switch (numbers.kind_of(id)) {
      case UnitKind::kWord:
        weight += numbers.length_of(id);
        break;
      case UnitKind::kSingle:
        weight += 2;
        break;
      case UnitKind::kOther:
        weight += 1;
        break;
    }
  }
  return weight;
}

void extend(UnitPart& part, const UnitPart& by) {
  part.units.a_end = by.units.a_end;
  part.units.b_end = by.units.b_end;
}

}  // namespace

std::vector<UnitPart> parts_of_runs(const std::vector<CommonRun>& runs, uint32_t size_a, uint32_t size_b) {
  std::vector<UnitPart> parts;
  uint32_t a = 0;
  uint32_t b = 0;
  const auto change_to = [&](uint32_t a_end, uint32_t b_end) {
    if (a_end > a || b_end > b) parts.push_back({false, {a, a_end, b, b_end}});
  };
  for (const CommonRun& run : runs) {
    change_to(run.a, run.b);
    a = run.a + run.length;
    b = run.b + run.length;
    parts.push_back({true, {run.a, a, run.b, b}});
  }
  change_to(size_a, size_b);
  return parts;
}

void slide_changes(const UnitTexts& texts, std::vector<UnitPart>& parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    SequenceGap& here = parts[i].units;
    if (parts[i].same || !here.one_sided()) continue;
    UnitPart* const before = i > 0 ? &parts[i - 1] : nullptr;
    UnitPart* const after = i + 1 < parts.size() ? &parts[i + 1] : nullptr;
    // One unit remains between two changes, so that they stay apart.
    const uint32_t left = before == nullptr ? 0 : before->units.size_a() - static_cast<uint32_t>(i > 1);
    const uint32_t right = after == nullptr ? 0 : after->units.size_a() - static_cast<uint32_t>(i + 2 < parts.size());
    const bool in_a = here.size_b() == 0;
    const int64_t shift = in_a ? best_slide(texts.a, texts.units_a, texts.numbers, here.a_begin, here.a_end, left, right)
                               : best_slide(texts.b, texts.units_b, texts.numbers, here.b_begin, here.b_end, left, right);
    if (shift == 0) continue;
    const auto moved = [shift](uint32_t& end) { end = static_cast<uint32_t>(end + shift); };
    moved(here.a_begin);
    moved(here.a_end);
    moved(here.b_begin);
    moved(here.b_end);
    // A part that is missing at an end of the texts appears, and one that is used up there vanishes below.
    if (before != nullptr) {
      before->units.a_end = here.a_begin;
      before->units.b_end = here.b_begin;
    }
    if (after != nullptr) {
      after->units.a_begin = here.a_end;
      after->units.b_begin = here.b_end;
    }
    if (before == nullptr && shift > 0) {
      const UnitPart first{true, {0, here.a_begin, 0, here.b_begin}};
      parts.insert(parts.begin(), first);
      ++i;
    } else if (after == nullptr && shift < 0) {
      const UnitPart last{
          true, {here.a_end, static_cast<uint32_t>(texts.units_a.ids.size()), here.b_end, static_cast<uint32_t>(texts.units_b.ids.size())}};
      parts.push_back(last);
    }
  }
  std::erase_if(parts, [](const UnitPart& part) { return part.units.size() == 0; });
}

void join_changes(const UnitTexts& texts, std::vector<UnitPart>& parts) {
  const auto weight = [&](const UnitPart& part) {
    return std::max(weight_of(texts.numbers, texts.units_a, part.units.a_begin, part.units.a_end),
                    weight_of(texts.numbers, texts.units_b, part.units.b_begin, part.units.b_end));
  };
  // The weights of the parts kept so far: each part is weighed once, and joined ones add up.
  std::vector<uint64_t> weights;
  size_t count = 0;
  for (const UnitPart& part : parts) {
    parts[count++] = part;
    weights.push_back(weight(part));
    while (count >= 3 && !parts[count - 1].same) {
      const uint64_t between = weights[count - 2] * kJoinRatio;
      if (between > weights[count - 3] || between > weights[count - 1]) break;
      extend(parts[count - 3], parts[count - 1]);
      weights[count - 3] += weights[count - 2] + weights[count - 1];
      weights.resize(count -= 2);
    }
  }
  parts.resize(count);
}

}  // namespace neardup
