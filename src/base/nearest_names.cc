#include "neardup/tools/nearest_names.h"

#include <algorithm>
#include <utility>

namespace neardup {
namespace {

constexpr size_t kWordBits = 64;
constexpr size_t kMinPart = 3;        // bytes that a name begins with or ends in
constexpr size_t kMaxCompared = 256;  // longer names are near only by their beginning or end: the table would be too large
constexpr size_t kMaxShown = 1024;    // a name is a line in a message

bool part_of(std::string_view part, std::string_view whole) {
  return part.size() >= kMinPart && (whole.starts_with(part) || whole.ends_with(part));
}

}  // namespace

NearestNames::NearestNames(std::string name, size_t most) : name_(std::move(name)), most_(most) {
  for (auto& row : rows_) row.resize(std::min(name_.size(), kMaxCompared) + 1);
  if (name_.size() > kWordBits) return;
  for (size_t i = 0; i < name_.size(); ++i) positions_[static_cast<unsigned char>(name_[i])] |= uint64_t{1} << i;
}

size_t NearestNames::distance_to(std::string_view candidate, size_t bound) {
  const size_t longer = std::max(candidate.size(), name_.size());
  const size_t shorter = std::min(candidate.size(), name_.size());
  if (longer - shorter > bound || longer > kMaxCompared) return bound + 1;
  if (name_.empty()) return candidate.size();
  return name_.size() <= kWordBits ? bit_distance(candidate) : table_distance(candidate, bound);
}

// A column of the table in the bits of two words: where it grows by one to the next row, and where it falls (Myers 1999; with swaps of
// neighbours Hyyro 2003, A bit-vector algorithm for computing Levenshtein and Damerau edit distances).
size_t NearestNames::bit_distance(std::string_view candidate) const noexcept {
  const uint64_t last = uint64_t{1} << (name_.size() - 1);
  uint64_t grows = ~uint64_t{0};
  uint64_t falls = 0;
  uint64_t diagonal = 0;
  uint64_t before = 0;  // the positions of the byte before
  size_t distance = name_.size();
  for (const char byte : candidate) {
    const uint64_t here = positions_[static_cast<unsigned char>(byte)];
    const uint64_t swapped = ((~diagonal & here) << 1) & before;
    diagonal = (((here & grows) + grows) ^ grows) | here | falls | swapped;
    uint64_t right_grows = falls | ~(diagonal | grows);
    uint64_t right_falls = diagonal & grows;
    distance += (right_grows & last) != 0 ? 1 : 0;
    distance -= (right_falls & last) != 0 ? 1 : 0;
    right_grows = (right_grows << 1) | 1;
    right_falls <<= 1;
    grows = right_falls | ~(diagonal | right_grows);
    falls = diagonal & right_grows;
    before = here;
  }
  return distance;
}

// Optimal string alignment, given up once a whole row is beyond the bound.
size_t NearestNames::table_distance(std::string_view candidate, size_t bound) {
  auto& [two_up, up, row] = rows_;
  for (size_t j = 0; j <= name_.size(); ++j) up[j] = j;
  for (size_t i = 1; i <= candidate.size(); ++i) {
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= name_.size(); ++j) {
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, up[j - 1] + (candidate[i - 1] == name_[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && candidate[i - 1] == name_[j - 2] && candidate[i - 2] == name_[j - 1]) {
        row[j] = std::min(row[j], two_up[j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    if (least > bound) return bound + 1;
    two_up.swap(up);
    up.swap(row);
  }
  return up[name_.size()];
}

void NearestNames::look(std::string_view candidate) {
  if (most_ == 0 || candidate.size() > kMaxShown) return;
  size_t bound = std::max<size_t>(1, name_.size() / 3);
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
