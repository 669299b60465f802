#include "neardup/tools/nearest_names.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kMinPart = 3;      // bytes that a name begins with or ends in
constexpr size_t kMaxShown = 1024;  // a name is a line in a message

bool part_of(std::string_view part, std::string_view whole) {
  return part.size() >= kMinPart && (whole.starts_with(part) || whole.ends_with(part));
}

// How many bytes both begin with.
size_t common_bytes(std::string_view a, std::string_view b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t same = 0;
  uint64_t word_a = 0;
  uint64_t word_b = 0;
  for (; same + sizeof word_a <= shorter; same += sizeof word_a) {
    std::memcpy(&word_a, a.data() + same, sizeof word_a);
    std::memcpy(&word_b, b.data() + same, sizeof word_b);
    if (word_a != word_b) break;
  }
  while (same < shorter && a[same] == b[same]) ++same;
  return same;
}

}  // namespace

NearestNames::NearestNames(std::string name, size_t most)
    : name_(std::move(name)), most_(most), max_edits_(std::clamp<size_t>(name_.size() / 3, 1, kMaxEdits)) {}

// For each number of edits and each diagonal of the table (the place in the candidate less that in the name), how far in the name they
// lead (Ukkonen 1985; Landau and Vishkin 1989). Names that have much in common are passed over word by word, and others end soon, so the
// time hardly depends on their lengths. A swap of neighbours that begins before the furthest place leads no further than a replacement.
size_t NearestNames::distance_to(std::string_view candidate, size_t bound) const noexcept {
  const std::string_view name = name_;
  const auto size = static_cast<ptrdiff_t>(name.size());
  const auto other = static_cast<ptrdiff_t>(candidate.size());
  const auto most = static_cast<ptrdiff_t>(bound);
  const ptrdiff_t goal = other - size;
  if (goal > most || -goal > most) return bound + 1;
  constexpr ptrdiff_t kNever = std::numeric_limits<ptrdiff_t>::min() / 2;
  constexpr auto kMiddle = static_cast<ptrdiff_t>(kMaxEdits) + 1;
  std::array<ptrdiff_t, 2 * kMaxEdits + 3> rows[2];
  rows[0].fill(kNever);
  rows[1].fill(kNever);
  for (ptrdiff_t edits = 0; edits <= most; ++edits) {
    // A diagonal outside of these cannot reach the end any more. What is left of it from earlier rows is reached all the same.
    const ptrdiff_t first = std::max(-edits, goal - (most - edits));
    const ptrdiff_t last = std::min(edits, goal + (most - edits));
    const auto& before = rows[(edits + 1) % 2];
    auto& here = rows[edits % 2];
    for (ptrdiff_t d = first; d <= last; ++d) {
      const auto at = static_cast<size_t>(d + kMiddle);
      const ptrdiff_t from = before[at];
      ptrdiff_t reached = edits == 0 ? 0 : std::max({from + 1, before[at - 1], before[at + 1] + 1});
      if (from >= 0 && from + 1 < size && from + d + 1 < other &&
          name[static_cast<size_t>(from)] == candidate[static_cast<size_t>(from + d + 1)] &&
          name[static_cast<size_t>(from + 1)] == candidate[static_cast<size_t>(from + d)]) {
        reached = std::max(reached, from + 2);
      }
      reached = std::min({reached, size, other - d});
      if (reached < 0) continue;
      reached += static_cast<ptrdiff_t>(
          common_bytes(name.substr(static_cast<size_t>(reached)), candidate.substr(static_cast<size_t>(reached + d))));
      if (d == goal && reached == size) return static_cast<size_t>(edits);
      here[at] = reached;
    }
  }
  return bound + 1;
}

void NearestNames::look(std::string_view candidate) {
  if (most_ == 0 || candidate.size() > kMaxShown) return;
  size_t bound = max_edits_;
  // Only a nearer one replaces the last.
  if (nearest_.size() == most_) {
    if (nearest_.back().distance == 0) return;
    bound = std::min(bound, nearest_.back().distance - 1);
  }
  size_t distance = distance_to(candidate, bound);
  if (distance > 1 && bound >= 1 && (part_of(name_, candidate) || part_of(candidate, name_))) distance = 1;
  if (distance > bound || std::ranges::find(nearest_, candidate, &Near::name) != nearest_.end()) return;
  if (nearest_.size() == most_) nearest_.pop_back();
  const auto at = std::ranges::upper_bound(nearest_, distance, {}, &Near::distance);
  nearest_.insert(at, {distance, std::string(candidate)});
}

std::vector<std::string> NearestNames::names() const {
  std::vector<std::string> names;
  names.reserve(nearest_.size());
  for (const Near& near : nearest_) names.push_back(near.name);
  return names;
}

}  // namespace neardup
