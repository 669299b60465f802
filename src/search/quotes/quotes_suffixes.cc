#include "search/quotes/quotes_suffixes.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "neardup/stop.h"

namespace neardup {
namespace {

constexpr uint32_t kNoSuffix = 0xFFFF'FFFFu;

// One level of induced sorting. A suffix is small if it is less than the next one, else large; a small one after a large one is leftmost.
// If the leftmost small suffixes are sorted, two scans sort all others: large ones from left to right, then small ones from right to left.
class InducedSort {
 public:
  InducedSort(std::span<const uint32_t> symbols, uint32_t alphabet, std::vector<uint32_t>& sorted)
      : symbols_(symbols), sorted_(sorted), small_(symbols.size()), ends_(alphabet + size_t{1}, 0) {
    for (size_t i = symbols.size() - 1; i-- > 0;) {
      small_[i] = symbols[i] != symbols[i + 1] ? symbols[i] < symbols[i + 1] : small_[i + 1];
    }
    for (const uint32_t symbol : symbols) ++ends_[symbol + size_t{1}];
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());  // [s]: where the bucket of s begins, and that of s - 1 ends
  }

  void run() {
    std::vector<uint32_t> leftmost;
    for (size_t i = 1; i < symbols_.size(); ++i) {
      if (is_leftmost(i)) leftmost.push_back(static_cast<uint32_t>(i));
    }
    induce(leftmost);
    if (leftmost.size() > 1) {
      sort_leftmost(leftmost);
      induce(leftmost);
    }
  }

 private:
  [[nodiscard]] bool is_leftmost(size_t i) const { return i > 0 && small_[i] && !small_[i - 1]; }

  void induce(const std::vector<uint32_t>& leftmost) {
    check_stop();
    std::ranges::fill(sorted_, kNoSuffix);
    std::vector<uint32_t> next(ends_.begin() + 1, ends_.end());
    for (size_t i = leftmost.size(); i-- > 0;) sorted_[--next[symbols_[leftmost[i]]]] = leftmost[i];
    next.assign(ends_.begin(), ends_.end() - 1);
    // The last suffix is large: what follows it, the end, is less than every symbol.
    const auto last = static_cast<uint32_t>(symbols_.size() - 1);
    sorted_[next[symbols_[last]]++] = last;
    for (const uint32_t& entry : sorted_) {  // by reference: the scan writes entries that it has still to read
      const uint32_t suffix = entry;
      if (suffix != kNoSuffix && suffix > 0 && !small_[suffix - 1]) sorted_[next[symbols_[suffix - 1]]++] = suffix - 1;
    }
    next.assign(ends_.begin() + 1, ends_.end());
    for (size_t i = sorted_.size(); i-- > 0;) {
      const uint32_t suffix = sorted_[i];
      if (suffix != kNoSuffix && suffix > 0 && small_[suffix - 1]) sorted_[--next[symbols_[suffix - 1]]] = suffix - 1;
    }
  }

  // After the first induce() the parts from one leftmost small suffix to the next are sorted. Numbers them by content, and sorts the
  // sequence of the numbers unless all differ.
  void sort_leftmost(std::vector<uint32_t>& leftmost) {
    // Two of them are at least two places apart, so half as many entries are enough.
    std::vector<uint32_t> number(symbols_.size() / 2 + 1);
    for (size_t i = 0; i < leftmost.size(); ++i) number[leftmost[i] / 2] = static_cast<uint32_t>(i);
    std::vector<uint32_t> order;
    order.reserve(leftmost.size());
    for (const uint32_t suffix : sorted_) {
      if (is_leftmost(suffix)) order.push_back(number[suffix / 2]);
    }
    std::vector<uint32_t> names(leftmost.size());
    uint32_t name = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && !equal_parts(leftmost, order[i - 1], order[i])) ++name;
      names[order[i]] = name;
    }
    if (size_t{name} + 1 < leftmost.size()) {
      std::vector<uint32_t>().swap(number);
      order = suffix_array(names, name + 1);
    }
    for (uint32_t& i : order) i = leftmost[i];
    leftmost = std::move(order);
  }

  [[nodiscard]] bool equal_parts(const std::vector<uint32_t>& leftmost, uint32_t a, uint32_t b) const {
    if (a + size_t{1} == leftmost.size() || b + size_t{1} == leftmost.size()) return false;  // one of them ends with the sequence
    const size_t length = leftmost[a + 1] - leftmost[a];
    if (leftmost[b + 1] - leftmost[b] != length) return false;
    const uint32_t* const first = symbols_.data() + leftmost[a];
    return std::equal(first, first + length + 1, symbols_.data() + leftmost[b]);
  }

  const std::span<const uint32_t> symbols_;
  std::vector<uint32_t>& sorted_;
  std::vector<bool> small_;
  std::vector<uint32_t> ends_;
};

}  // namespace

std::vector<uint32_t> suffix_array(std::span<const uint32_t> symbols, uint32_t alphabet) {
  std::vector<uint32_t> sorted(symbols.size());
  if (!symbols.empty()) InducedSort(symbols, alphabet, sorted).run();
  return sorted;
}

std::vector<uint32_t> common_prefixes(std::span<const uint32_t> symbols, std::span<const uint32_t> suffixes, std::vector<uint32_t>& ranks) {
  const size_t size = symbols.size();
  ranks.resize(size);
  for (size_t i = 0; i < size; ++i) ranks[suffixes[i]] = static_cast<uint32_t>(i);
  std::vector<uint32_t> common(size, 0);
  size_t length = 0;  // one symbol less than that of the suffix before, at least
  for (size_t i = 0; i < size; ++i) {
    if (i % (1u << 20) == 0) check_stop();
    if (ranks[i] == 0) {
      length = 0;
      continue;
    }
    const size_t other = suffixes[ranks[i] - 1];
    while (i + length < size && other + length < size && symbols[i + length] == symbols[other + length]) ++length;
    common[ranks[i]] = static_cast<uint32_t>(length);
    if (length > 0) --length;
  }
  return common;
}

}  // namespace neardup
