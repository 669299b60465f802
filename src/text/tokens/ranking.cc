#include "text/tokens/ranking.h"

#include <algorithm>

namespace neardup {
namespace {

using Item = Ranking::Item;

constexpr int kLeadingShift = 48;  // the sign, the exponent and four bits of the mantissa remain

// Both sequences are sorted; of equal keys those of the first one come first.
Item* merge(const Item* a, const Item* a_end, const Item* b, const Item* b_end, Item* to) {
  while (a != a_end && b != b_end) {
    const bool second = b->key < a->key;
    *to++ = *(second ? b : a);
    b += static_cast<size_t>(second);
    a += static_cast<size_t>(!second);
  }
  to = std::copy(a, a_end, to);
  return std::copy(b, b_end, to);
}

}  // namespace

std::span<const Item> Ranking::take(size_t top) {
  if (top == 0 || top > size_) top = size_;
  if (top < size_) drop_excluded(top);
  sort();
  return {items_.data(), top};
}

// Keeps all candidates for the first `top`: everything up to the bucket of the last of them.
void Ranking::drop_excluded(size_t top) {
  uint64_t lowest = ~uint64_t{0};
  for (size_t i = 0; i < size_; ++i) lowest = std::min(lowest, items_[i].key);
  const auto bucket_of = [lowest](uint64_t key) {
    return static_cast<size_t>(std::min<uint64_t>((key >> kLeadingShift) - (lowest >> kLeadingShift), kBuckets - 1));
  };
  histogram_.fill(0);
  for (size_t i = 0; i < size_; ++i) ++histogram_[bucket_of(items_[i].key)];
  size_t last = 0;
  for (size_t seen = histogram_[0]; seen < top; seen += histogram_[++last]) {
  }
  size_t kept = 0;
  for (size_t i = 0; i < size_; ++i) {
    items_[kept] = items_[i];
    kept += static_cast<size_t>(bucket_of(items_[i].key) <= last);
  }
  size_ = kept;
}

void Ranking::sort() {
  if (other_.size() < items_.size()) other_.resize(items_.size());
  // Full groups: the place of an item is the number of those that belong before it. Items without weight fill up the last one.
  const size_t padded = (size_ + kGroup - 1) / kGroup * kGroup;
  std::fill(items_.begin() + static_cast<std::ptrdiff_t>(size_), items_.begin() + static_cast<std::ptrdiff_t>(padded),
            Item{~uint64_t{0}, ~uint32_t{0}});
  for (size_t group = 0; group < padded; group += kGroup) {
    const Item* from = items_.data() + group;
    std::array<uint32_t, kGroup> place{};
    for (uint32_t i = 1; i < kGroup; ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        const auto before = static_cast<uint32_t>(from[i].key < from[j].key);
        place[j] += before;
        place[i] += 1 - before;
      }
    }
    for (size_t i = 0; i < kGroup; ++i) other_[group + place[i]] = from[i];
  }
  items_.swap(other_);
  for (size_t width = kGroup; width < size_; width *= 2) {
    for (size_t begin = 0; begin < size_; begin += 2 * width) {
      const Item* from = items_.data();
      const size_t middle = std::min(begin + width, size_);
      const size_t end = std::min(begin + 2 * width, size_);
      merge(from + begin, from + middle, from + middle, from + end, other_.data() + begin);
    }
    items_.swap(other_);
  }
}

}  // namespace neardup
