// KeySweep: all codes in the order of their keys in one table of an image, the distinct ones packed, and their ids with the first table.
//
// It reads SortedKeys, a range of keys at a time. The codes are counted by the highest bits of their keys, which define the cells. Then,
// for as many consecutive cells as fit in memory, one sweep over the codes collects the entries of these cells, and every cell, which fits
// in a processor's cache, is sorted separately. So memory limits the entries, not the codes, which may be a mapped file; but all entries of
// a cell are held together, twice while it is sorted, so a cell of equal keys may exceed the limit. The result depends on the codes only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/page_buffer.h"
#include "base/parallel.h"
#include "base/raw_vector.h"
#include "index/hamming/code_word.h"
#include "index/hamming/image_sections.h"
#include "index/hamming_plan/bit_order.h"

namespace neardup {

/// A key with the entry's id, so that equal codes are in the order of their ids.
template <typename Word>
struct KeyAndId {
  Word key;
  uint64_t id;
  friend bool operator<(const KeyAndId& a, const KeyAndId& b) noexcept { return a.key != b.key ? a.key < b.key : a.id < b.id; }
};
constexpr uint64_t key_in(uint64_t entry) noexcept {
  return entry;
}
constexpr Uint128 key_in(Uint128 entry) noexcept {
  return entry;
}
template <typename Word>
constexpr Word key_in(const KeyAndId<Word>& entry) noexcept {
  return entry.key;
}

/// Sorts entries whose keys agree in their highest `known` bits, for one thread.
template <typename Entry>
class CellSorter {
 public:
  /// The sorted entries are valid until the next call.
  std::span<const Entry> sort(std::span<const Entry> entries, uint32_t known) {
    constexpr uint32_t kBits = 8 * sizeof(key_in(Entry{}));
    if (entries.size() < kFew || known >= kBits) {
      sorted_.assign(entries.begin(), entries.end());
      std::sort(sorted_.begin(), sorted_.end());
      return sorted_;
    }
    // By the next bits, about one entry per value; then within each value, which has few entries.
    const uint32_t bits = std::min({static_cast<uint32_t>(std::bit_width(entries.size() - 1)), kMaxBits, kBits - known});
    const auto digit = [&](const Entry& entry) {
      return static_cast<size_t>(key_in(entry) >> (kBits - known - bits)) & ((size_t{1} << bits) - 1);
    };
    ends_.assign((size_t{1} << bits) + 1, 0);
    for (const Entry& entry : entries) ++ends_[digit(entry) + 1];
    uint64_t total = 0;
    for (uint64_t& end : ends_) end = total += end;
    sorted_.resize(entries.size());
    for (const Entry& entry : entries) sorted_[ends_[digit(entry)]++] = entry;  // ends_ now has the ends
    for (size_t begin = 0, value = 0; begin < sorted_.size(); begin = ends_[value++]) {
      const size_t end = ends_[value];
      if (end - begin > kFew) {
        std::sort(sorted_.begin() + static_cast<ptrdiff_t>(begin), sorted_.begin() + static_cast<ptrdiff_t>(end));
        continue;
      }
      for (size_t i = begin + 1; i < end; ++i) {
        const Entry entry = sorted_[i];
        size_t at = i;
        for (; at > begin && entry < sorted_[at - 1]; --at) sorted_[at] = sorted_[at - 1];
        sorted_[at] = entry;
      }
    }
    return sorted_;
  }

 private:
  static constexpr size_t kFew = 24;
  static constexpr uint32_t kMaxBits = 15;
  std::vector<uint64_t> ends_;
  RawVector<Entry> sorted_;
};

/// A range of consecutive cells.
template <typename Entry>
struct SortedRange {
  uint64_t first_cell = 0;
  std::vector<std::span<Entry>> cells;
};

template <typename Code, typename Entry>
class SortedKeys {
 public:
  /// At most `max_cell_bits` highest bits define a cell. The caller keeps per range: `entry_bytes` for each entry, and the cells' share of
  /// `all_cells_bytes`. memory_bytes: for everything; 0: no bound.
  SortedKeys(std::span<const Code> codes, const BitOrder<CodeWord<Code>>& order, uint32_t max_cell_bits, uint32_t threads,
             uint64_t memory_bytes, uint64_t entry_bytes, uint64_t all_cells_bytes)
      : codes_(codes),
        order_(order),
        threads_(threads),
        cell_bits_(std::min(static_cast<uint32_t>(std::bit_width(codes.size() / kCellEntries)), std::min(max_cell_bits, kMaxCellBits))),
        memory_bytes_(memory_bytes),
        entry_bytes_(sizeof(Entry) + entry_bytes),
        cell_bytes_((all_cells_bytes >> cell_bits_) + kCellBytes),
        sections_(cell_bits_ == 0 ? 1 : size_t{threads} * 4) {
    const uint64_t section_bytes = uint64_t{kSectionCellBytes} << cell_bits_;
    if (memory_bytes != 0) sections_ = std::clamp<uint64_t>(memory_bytes / 8 / section_bytes, 1, sections_);
  }

  [[nodiscard]] uint32_t cell_bits() const noexcept { return cell_bits_; }

  /// make(word of the reordered code, row) gives an entry. For each range: begin(range); in parallel each(range, number of the cell in it,
  /// its sorted entries, which are outside the cell's space, so that it can be reused); visit(range).
  template <typename Make, typename Begin, typename Each, typename Visit>
  void run(const Make& make, const Begin& begin, const Each& each, const Visit& visit) {
    const size_t cells = size_t{1} << cell_bits_;
    const auto cell_of = [&](const Entry& entry) { return static_cast<size_t>(shift_right(key_in(entry), Code::kBits - cell_bits_)); };
    const auto for_section = [&](size_t section, const auto& body) {
      const size_t end = codes_.size() * (section + 1) / sections_;
      for (size_t row = codes_.size() * section / sections_; row < end; ++row) body(make(order_.reorder(word_of(codes_[row])), row));
    };
    std::vector<std::vector<uint64_t>> counts(sections_, std::vector<uint64_t>(cells, 0));
    parallel_for(threads_, sections_, 1, [&](uint32_t, size_t section) {
      auto& mine = counts[section];
      for_section(section, [&](const Entry& entry) { ++mine[cell_of(entry)]; });
    });
    std::vector<uint64_t> sizes(cells, 0);
    for (const auto& of_section : counts) {
      for (size_t cell = 0; cell < cells; ++cell) sizes[cell] += of_section[cell];
    }

    const uint64_t fits = range_bytes(sizes);
    PageBuffer room;
    std::vector<CellSorter<Entry>> sorters(threads_);
    for (size_t first = 0, end = 0; first < cells; first = end) {
      uint64_t total = 0;
      uint64_t bytes = 0;
      for (end = first; end < cells; ++end) {
        bytes += sizes[end] * entry_bytes_ + cell_bytes_;
        if (end != first && bytes > fits) break;
        total += sizes[end];
      }
      room.reset(total * sizeof(Entry));
      room.shrink();  // it may have been larger when others used less
      auto* entries = reinterpret_cast<Entry*>(room.data());
      SortedRange<Entry> range;
      range.first_cell = first;
      std::vector<std::vector<Entry*>> places(sections_, std::vector<Entry*>(end - first));
      for (size_t cell = first; cell < end; ++cell) {
        range.cells.emplace_back(entries, sizes[cell]);
        for (size_t section = 0; section < sections_; ++section) {
          places[section][cell - first] = entries;
          entries += counts[section][cell];
        }
      }
      parallel_for(threads_, sections_, 1, [&](uint32_t, size_t section) {
        auto& mine = places[section];
        for_section(section, [&](const Entry& entry) {
          const size_t cell = cell_of(entry) - first;
          if (cell < mine.size()) *mine[cell]++ = entry;
        });
      });
      begin(range);
      parallel_for(threads_, range.cells.size(), 1,
                   [&](uint32_t worker, size_t cell) { each(range, cell, sorters[worker].sort(range.cells[cell], cell_bits_)); });
      visit(range);
    }
  }

 private:
  static constexpr uint64_t kCellEntries = 1 << 14;
  static constexpr uint32_t kMaxCellBits = 16;
  static constexpr uint64_t kManyCodes = 1 << 24;
  static constexpr uint64_t kCellBytes = 128;        // spans and such
  static constexpr uint64_t kSectionCellBytes = 16;  // a count and a place

  // Memory for ranges: all but the counts of the sections and the copies of the cells being sorted. Never so little that a few large cells
  // cause thousands of sweeps.
  [[nodiscard]] uint64_t range_bytes(const std::vector<uint64_t>& sizes) const {
    if (memory_bytes_ == 0) {  // two sweeps over many codes cost little more than one, and half the memory
      return codes_.size() < kManyCodes ? UINT64_MAX : codes_.size() / 16 * 9 * entry_bytes_ + (cell_bytes_ << cell_bits_);
    }
    std::vector<uint64_t> largest(std::min<size_t>(threads_, sizes.size()));
    std::ranges::partial_sort_copy(sizes, largest, std::greater<>());
    uint64_t others = (sections_ * kSectionCellBytes) << cell_bits_;
    for (const uint64_t size : largest) others += size * sizeof(Entry);
    return std::max(memory_bytes_ / 4, memory_bytes_ - std::min(memory_bytes_, others));
  }

  std::span<const Code> codes_;
  const BitOrder<CodeWord<Code>>& order_;
  uint32_t threads_;
  uint32_t cell_bits_;
  uint64_t memory_bytes_;
  uint64_t entry_bytes_;
  uint64_t cell_bytes_;
  size_t sections_;
};

/// The result of a cell. Its packed codes are at the start of its space, and its packed ids after the space for whole words.
struct SweptCell {
  struct LargeBucket {
    uint64_t bucket = 0;  // in the range
    uint64_t count = 0;
  };
  uint64_t distinct = 0;
  std::vector<uint64_t> equal = {};     // number of ids of each code, if some have several
  std::vector<LargeBucket> large = {};  // buckets that a byte cannot count, ascending
};

template <typename Code>
class KeySweep {
 public:
  using Word = CodeWord<Code>;

  /// `memory_bytes`: see SortedKeys. `codes` and `order` are not owned.
  KeySweep(std::span<const Code> codes, const BitOrder<Word>& order, uint32_t threads, uint64_t memory_bytes)
      : codes_(codes), order_(order), threads_(threads), memory_bytes_(memory_bytes) {}

  /// Sorts all entries by a key and packs the low bits of the distinct keys into whole bytes; returns how many those are. Entry: Word, or
  /// KeyAndId<Word>, whose ids go to `ids`. The table provides:
  ///   max_cell_bits(), kept_bits(); other_bytes(): its memory for all cells; key(word);
  ///   begin(range, cell bits) for each range; in parallel note(range, cell, distinct key); then write(range, number of the cell, cell,
  ///   packed codes) for each cell in order; then end().
  template <typename Entry, typename Table>
  uint64_t run(Table& table, ImageIds& ids) const {
    constexpr bool kWithIds = !std::is_same_v<Entry, Word>;
    SortedKeys<Code, Entry> keys(codes_, order_, table.max_cell_bits(), threads_, memory_bytes_, kWithIds ? sizeof(uint32_t) : 0,
                                 table.other_bytes());
    const Word kept = low_mask<Word>(table.kept_bits());
    const size_t stride = (table.kept_bits() + 7) / 8;
    std::vector<SweptCell> cells;
    uint64_t distinct = 0;
    keys.run(
        [&](Word word, [[maybe_unused]] size_t row) {
          if constexpr (kWithIds) {
            return Entry{table.key(word), ids.id_of(row)};
          } else {
            return table.key(word);
          }
        },
        [&](const SortedRange<Entry>& range) {
          cells.assign(range.cells.size(), {});
          table.begin(range, keys.cell_bits());
        },
        [&](const SortedRange<Entry>& range, size_t number, std::span<const Entry> sorted) {
          SweptCell& cell = cells[number];
          char* const room = reinterpret_cast<char*>(range.cells[number].data());
          [[maybe_unused]] char* id_at = room + sorted.size() * sizeof(Word);
          for (size_t i = 0; i < sorted.size(); ++i) {
            const Word key = key_in(sorted[i]);
            if (i == 0 || key != key_in(sorted[i - 1])) {
              table.note(range, cell, key);
              const Word low = key & kept;
              std::memcpy(room + cell.distinct++ * stride, &low, sizeof low);  // the next one overwrites the excess bytes
              if (!cell.equal.empty()) cell.equal.push_back(1);
            } else if constexpr (kWithIds) {
              if (cell.equal.empty()) {
                cell.equal.reserve(sorted.size());
                cell.equal.assign(cell.distinct, 1);
              }
              ++cell.equal.back();
            }
            if constexpr (kWithIds) {
              std::memcpy(id_at, &sorted[i].id, sizeof(uint64_t));
              id_at += ids.id_bytes();
            }
          }
        },
        [&](const SortedRange<Entry>& range) {
          for (size_t number = 0; number < cells.size(); ++number) {
            const SweptCell& cell = cells[number];
            const char* const room = reinterpret_cast<const char*>(range.cells[number].data());
            const size_t entries = range.cells[number].size();
            if constexpr (kWithIds) {
              ids.append({room + entries * sizeof(Word), entries * ids.id_bytes()}, cell.distinct, cell.equal);
            }
            distinct += cell.distinct;
            table.write(range, number, cell, std::string_view(room, cell.distinct * stride));
          }
          cells.clear();  // the next range needs the memory
          table.end();
        });
    return distinct;
  }

 private:
  std::span<const Code> codes_;
  const BitOrder<Word>& order_;
  uint32_t threads_;
  uint64_t memory_bytes_;
};

}  // namespace neardup
