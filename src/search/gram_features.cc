#include "search/gram_features.h"

#include <algorithm>

namespace neardup {
namespace {

constexpr size_t kMuchLonger = 16;

}  // namespace

void gram_features(std::string_view form, const AnchorShape& shape, std::vector<uint64_t>& out) {
  out.clear();
  for_each_gram(form, shape, [&](size_t begin, size_t end) { out.push_back(gram_feature(form, begin, end)); });
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

uint32_t count_common(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) noexcept {
  if (a.size() > b.size()) return count_common(b, a);
  uint32_t common = 0;
  if (b.size() / kMuchLonger > a.size()) {  // a clue and a long text: each value is looked up
    auto from = b.begin();
    for (const uint64_t value : a) {
      from = std::lower_bound(from, b.end(), value);
      if (from == b.end()) break;
      common += static_cast<uint32_t>(*from == value);
    }
    return common;
  }
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i < *j) {
      ++i;
    } else if (*j < *i) {
      ++j;
    } else {
      ++common;
      ++i;
      ++j;
    }
  }
  return common;
}

}  // namespace neardup
