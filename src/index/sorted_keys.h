// SortedKeys: all codes in the order of their keys in one table, a range of keys at a time.
//
// The codes are counted by the highest bits of their keys (cells). Then, for as many consecutive cells as fit in the memory, one sweep over
// the codes collects the entries of these cells, and every cell is sorted by itself. So memory bounds the entries, not the codes, which may
// be a mapped file; entries of one cell always go together. The result depends on the codes only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "index/bit_order.h"
#include "index/code_word.h"
#include "neardup/raw_vector.h"

namespace neardup {

/// With the entry's row or id, so that equal codes are in the order of those.
template <typename Word>
struct KeyAndId {
  Word key;
  uint64_t id;
  friend bool operator<(const KeyAndId& a, const KeyAndId& b) noexcept { return a.key != b.key ? a.key < b.key : a.id < b.id; }
};

struct SortRun {
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;  ///< for entries; 0: all at once
};

/// Calls visit(entries) for consecutive ranges of the sorted entries, on the calling thread. make(word of the reordered code, row) gives an
/// Entry; cell bits are taken from the top of key(entry).
template <typename Code, typename Entry, typename Make, typename Key, typename Visit>
void for_each_sorted(std::span<const Code> codes, const BitOrder<CodeWord<Code>>& order, const SortRun& run, const Make& make,
                     const Key& key, const Visit& visit) {
  constexpr uint64_t kCellEntries = 4096;
  constexpr uint32_t kMaxCellBits = 14;
  const uint32_t cell_bits = std::min(static_cast<uint32_t>(std::bit_width(codes.size() / kCellEntries)), kMaxCellBits);
  const size_t cells = size_t{1} << cell_bits;
  const size_t sections = cell_bits == 0 ? 1 : size_t{run.threads} * 4;
  const auto cell_of = [&](const Entry& entry) { return static_cast<size_t>(shift_right(key(entry), Code::kBits - cell_bits)); };
  const auto for_section = [&](size_t section, const auto& body) {
    const size_t end = codes.size() * (section + 1) / sections;
    for (size_t row = codes.size() * section / sections; row < end; ++row) body(make(order.reorder(word_of(codes[row])), row));
  };

  std::vector<std::vector<uint64_t>> counts(sections, std::vector<uint64_t>(cells, 0));
  parallel_for(run.threads, sections, 1,
               [&](uint32_t, size_t section) { for_section(section, [&](const Entry& entry) { ++counts[section][cell_of(entry)]; }); });
  std::vector<uint64_t> sizes(cells, 0);
  for (const auto& of_section : counts) {
    for (size_t cell = 0; cell < cells; ++cell) sizes[cell] += of_section[cell];
  }

  const uint64_t fits = run.memory_bytes == 0 ? codes.size() : std::max<uint64_t>(run.memory_bytes / sizeof(Entry), 1);
  RawVector<Entry> entries;
  for (size_t first = 0, end = 0; first < cells; first = end) {
    uint64_t total = 0;
    std::vector<uint64_t> begins;  // of the cells of this range
    for (end = first; end < cells && (end == first || total + sizes[end] <= fits); ++end) {
      begins.push_back(total);
      total += sizes[end];
    }
    begins.push_back(total);
    if (total == 0) continue;
    std::vector<std::vector<uint64_t>> places(sections, std::vector<uint64_t>(end - first));
    for (size_t cell = first; cell < end; ++cell) {
      uint64_t at = begins[cell - first];
      for (size_t section = 0; section < sections; ++section) places[section][cell - first] = std::exchange(at, at + counts[section][cell]);
    }
    entries.resize(total);
    parallel_for(run.threads, sections, 1, [&](uint32_t, size_t section) {
      for_section(section, [&](const Entry& entry) {
        const size_t cell = cell_of(entry);
        if (cell >= first && cell < end) entries[places[section][cell - first]++] = entry;
      });
    });
    parallel_for(run.threads, end - first, 1, [&](uint32_t, size_t cell) {
      std::sort(entries.begin() + static_cast<ptrdiff_t>(begins[cell]), entries.begin() + static_cast<ptrdiff_t>(begins[cell + 1]));
    });
    visit(std::span<const Entry>(entries));
  }
}

}  // namespace neardup
