#include "text/align/moved_passages.h"

#include <unordered_map>

#include "base/hash.h"
#include "text/align/units.h"

namespace neardup {
namespace {

constexpr uint32_t kInSeveralParts = UINT32_MAX;
// All windows count while both texts have fewer changed units than this; else one in kSample.
constexpr size_t kSampledUnits = size_t{1} << 17;
constexpr uint64_t kSample = 16;

// Windows are compared by a hash of these, so nothing has to tell all units apart.
std::vector<uint32_t> unit_hashes(std::string_view text) {
  std::vector<uint32_t> hashes;
  UnitCutter cutter(text);
  for (Unit unit; cutter.next(unit);) hashes.push_back(static_cast<uint32_t>(hash64(unit.folded)));
  return hashes;
}

// The changed sides of one text that are long enough, by part.
struct ChangedSides {
  std::vector<std::vector<uint32_t>> ids;
  size_t units = 0;

  void add(uint32_t part, std::vector<uint32_t> side) {
    if (side.size() < kMinBlockUnits) return;
    units += side.size();
    ids[part] = std::move(side);
  }

  // Calls visit(hash) for each window of a part that counts.
  template <typename Visit>
  void for_each_window(uint32_t part, uint64_t sample, const Visit& visit) const {
    const std::vector<uint32_t>& side = ids[part];
    for (size_t i = 0; i + kMinBlockUnits <= side.size(); ++i) {
      const uint64_t hash = hash64({reinterpret_cast<const char*>(&side[i]), kMinBlockUnits * sizeof(uint32_t)});
      if (hash % sample == 0) visit(hash);
    }
  }
};

// The part that has each window, or kInSeveralParts.
using WindowParts = std::unordered_map<uint64_t, uint32_t>;

WindowParts parts_of_windows(const ChangedSides& sides, uint64_t sample) {
  WindowParts parts;
  for (uint32_t part = 0; part < sides.ids.size(); ++part) {
    sides.for_each_window(part, sample, [&](uint64_t hash) {
      const auto [row, is_new] = parts.try_emplace(hash, part);
      if (!is_new && row->second != part) row->second = kInSeveralParts;
    });
  }
  return parts;
}

bool is_moved(const ChangedSides& sides, uint32_t part, const WindowParts& others, uint64_t sample) {
  size_t windows = 0;
  size_t found = 0;
  sides.for_each_window(part, sample, [&](uint64_t hash) {
    ++windows;
    const auto row = others.find(hash);
    found += static_cast<size_t>(row != others.end() && row->second != part);
  });
  return windows > 0 && found * 2 >= windows;
}

}  // namespace

std::vector<MovedSides> find_moved(std::string_view a, std::string_view b, const Alignment& alignment) {
  const std::vector<AlignedPart>& parts = alignment.parts;
  std::vector<MovedSides> moved(parts.size());
  ChangedSides sides_a;
  ChangedSides sides_b;
  sides_a.ids.resize(parts.size());
  sides_b.ids.resize(parts.size());
  for (uint32_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == AlignedPart::kSame) continue;
    // A unit has at least one byte.
    if (parts[i].a_end - parts[i].a_begin >= kMinBlockUnits) sides_a.add(i, unit_hashes(parts[i].text_of_a(a)));
    if (parts[i].b_end - parts[i].b_begin >= kMinBlockUnits) sides_b.add(i, unit_hashes(parts[i].text_of_b(b)));
  }
  if (sides_a.units == 0 || sides_b.units == 0) return moved;
  const uint64_t sample = sides_a.units + sides_b.units < kSampledUnits ? 1 : kSample;
  const WindowParts windows_a = parts_of_windows(sides_a, sample);
  const WindowParts windows_b = parts_of_windows(sides_b, sample);
  for (uint32_t i = 0; i < parts.size(); ++i) moved[i] = {is_moved(sides_a, i, windows_b, sample), is_moved(sides_b, i, windows_a, sample)};
  return moved;
}

}  // namespace neardup
