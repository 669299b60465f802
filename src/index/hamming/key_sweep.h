// KeySweep: all codes in the order of a table's keys, the distinct ones packed, cell by cell (see sorted_keys.h).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "index/hamming/image_ids.h"
#include "index/hamming/sorted_keys.h"

namespace neardup {

/// What becomes of a cell. Its packed codes stand at the beginning of its room, and its packed ids after room for whole words.
struct SweptCell {
  struct LargeBucket {
    uint64_t bucket = 0;  // in the range
    uint64_t count = 0;
  };
  uint64_t distinct = 0;
  std::vector<uint64_t> equal = {};     // how many ids each code has, where some have several
  std::vector<LargeBucket> large = {};  // buckets that a byte cannot count, ascending
};

template <typename Code>
class KeySweep {
 public:
  using Word = CodeWord<Code>;

  /// `memory_bytes`: see SortedKeys. None of them is owned.
  KeySweep(std::span<const Code> codes, const BitOrder<Word>& order, uint32_t threads, uint64_t memory_bytes)
      : codes_(codes), order_(order), threads_(threads), memory_bytes_(memory_bytes) {}

  /// Sorts all entries by a key and packs the low bits of the distinct keys into whole bytes; returns how many those are. Entry: Word, or
  /// KeyAndId<Word>, whose ids go to `ids`. The table says and gets:
  ///   most_cell_bits(), kept_bits(); other_bytes(): what it keeps of all cells; key(word);
  ///   begin(range, cell bits) for each range; in parallel note(range, cell, distinct key); then write(range, number of the cell, cell,
  ///   packed codes) for each cell in order; then end().
  template <typename Entry, typename Table>
  uint64_t run(Table& table, ImageIds& ids) const {
    constexpr bool kWithIds = !std::is_same_v<Entry, Word>;
    SortedKeys<Code, Entry> keys(codes_, order_, table.most_cell_bits(), threads_, memory_bytes_, kWithIds ? sizeof(uint32_t) : 0,
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
              std::memcpy(room + cell.distinct++ * stride, &low, sizeof low);  // the next one overwrites what is too much
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
          cells.clear();  // the next range wants the memory
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
