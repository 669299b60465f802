#include "index/hamming_build.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "base/page_buffer.h"
#include "index/count_lines_writer.h"
#include "index/hamming_image.h"
#include "index/side_bytes.h"
#include "index/sorted_keys.h"
#include "kernels/kernels.h"
#include "neardup/hamming_planner.h"

namespace neardup {
namespace {

template <typename T>
std::string_view bytes_of(const T& value) noexcept {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <typename T>
std::string_view bytes_of(const std::vector<T>& values) noexcept {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Fills what stands at `size` up to where a section may begin.
void pad(ByteSink& sink, uint64_t size) {
  static constexpr char kZeros[kSectionBytes] = {};
  sink.append({kZeros, (kSectionBytes - size % kSectionBytes) % kSectionBytes});
}

template <typename Code>
class Builder {
 public:
  using Word = CodeWord<Code>;

  Builder(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan, const HammingBuildRun& run,
          ByteSink& sink, uint32_t depth)
      : codes_(codes),
        kind_(kind),
        ids_(ids),
        plan_(plan),
        order_(plan.order),
        run_(run),
        sink_(sink),
        depth_(depth),
        begin_(sink.size()),
        waiting_ids_(share(kSideShare), run.temp_directory),
        nested_bytes_(share(kSideShare), run.temp_directory) {}

  void build() {
    end_.id_bytes = id_bytes();
    if (plan_.blocks.empty()) {
      write_flat();
    } else {
      for (const HammingBlock& block : plan_.blocks) write_table(block);
    }
    write_ids();
    write_nested();
    write_end();
  }

 private:
  // Sixteenths of the memory: what waits in each of five places or builds a nested image, and sorting. One is left for odds and ends.
  static constexpr uint64_t kSideShare = 1;
  static constexpr uint64_t kSortShare = 10;
  static constexpr uint64_t kLeastShare = 4096;  // less would only be slow
  [[nodiscard]] uint64_t share(uint64_t sixteenths) const {
    return run_.memory_bytes == 0 ? 0 : std::max(run_.memory_bytes / 16 * sixteenths, kLeastShare);
  }

  [[nodiscard]] uint32_t id_bytes() const {
    if (kind_ == HammingIds::kNone) return 0;
    uint64_t most = codes_.empty() ? 0 : codes_.size() - 1;
    if (kind_ == HammingIds::kGiven && !ids_.empty()) most = *std::ranges::max_element(ids_);
    return std::max(1u, (static_cast<uint32_t>(std::bit_width(most)) + 7) / 8);
  }
  [[nodiscard]] uint64_t id_of(size_t row) const noexcept { return kind_ == HammingIds::kGiven ? ids_[row] : row; }

  [[nodiscard]] uint64_t here() const noexcept { return sink_.size() - begin_; }
  uint64_t begin_section() {
    pad(sink_, here());
    return here();
  }
  void append_zeros(size_t bytes) { sink_.append(std::string(bytes, '\0')); }

  CountSection write_counts(CountLinesWriter& counts) {
    CountSection section{.count_bytes = counts.count_bytes()};
    section.lines = begin_section();
    counts.move_lines_to(sink_);
    section.spill = begin_section();
    section.spill_count = counts.spill_count();
    counts.move_spill_to(sink_);
    return section;
  }

  // What becomes of a cell. Its packed codes stand at the begin of its room, and its packed ids behind room for whole words.
  struct LargeBucket {
    uint64_t bucket = 0;  // in the range
    uint64_t count = 0;
  };
  struct Cell {
    uint64_t distinct = 0;
    std::vector<uint64_t> equal = {};     // how many ids each code has, where some have several
    std::vector<LargeBucket> large = {};  // buckets that a byte cannot count, ascending
  };

  // Sorts all entries by a key and packs the `kept_bits` low bits of the distinct keys into whole bytes. In parallel, note(range, cell,
  // distinct key); then, for each cell in order, write(range, number of the cell, cell, packed codes); then end(). Ids go to the waiting
  // ones. `other_bytes`: what the caller keeps of all cells.
  template <typename Entry, typename KeyOf, typename Begin, typename Note, typename Write, typename End>
  void sweep(uint32_t most_cell_bits, uint64_t other_bytes, uint32_t kept_bits, const KeyOf& key_of_word, const Begin& begin,
             const Note& note, const Write& write, const End& end) {
    constexpr bool kWithIds = !std::is_same_v<Entry, Word>;
    SortedKeys<Code, Entry> keys(codes_, order_, most_cell_bits, run_.threads, share(kSortShare), kWithIds ? sizeof(uint32_t) : 0,
                                 other_bytes);
    const Word kept = low_mask<Word>(kept_bits);
    const size_t stride = (kept_bits + 7) / 8;
    std::vector<Cell> cells;
    uint64_t distinct = 0;
    keys.run(
        [&](Word word, [[maybe_unused]] size_t row) {
          if constexpr (kWithIds) {
            return Entry{key_of_word(word), id_of(row)};
          } else {
            return key_of_word(word);
          }
        },
        [&](const SortedRange<Entry>& range) {
          cells.assign(range.cells.size(), {});
          begin(range, keys.cell_bits());
        },
        [&](const SortedRange<Entry>& range, size_t number, std::span<const Entry> sorted) {
          Cell& cell = cells[number];
          char* const room = reinterpret_cast<char*>(range.cells[number].data());
          [[maybe_unused]] char* id_at = room + sorted.size() * sizeof(Word);
          for (size_t i = 0; i < sorted.size(); ++i) {
            const Word key = key_in(sorted[i]);
            if (i == 0 || key != key_in(sorted[i - 1])) {
              note(range, cell, key);
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
              id_at += end_.id_bytes;
            }
          }
        },
        [&](const SortedRange<Entry>& range) {
          for (size_t number = 0; number < cells.size(); ++number) {
            const char* const room = reinterpret_cast<const char*>(range.cells[number].data());
            const size_t entries = range.cells[number].size();
            if constexpr (kWithIds) {
              waiting_ids_.append({room + entries * sizeof(Word), entries * end_.id_bytes});
              count_ids(distinct, cells[number]);
            }
            distinct += cells[number].distinct;
            write(range, number, cells[number], std::string_view(room, cells[number].distinct * stride));
          }
          cells.clear();  // the next range wants the memory
          end();
        });
    end_.distinct = distinct;
    end_.rows = kind_ == HammingIds::kNone ? distinct : codes_.size();
  }

  // The counts begin with the first code that has a second id.
  void count_ids(uint64_t before, const Cell& cell) {
    if (!id_counts_ && cell.equal.empty()) return;
    if (!id_counts_) {
      id_counts_.emplace(1, share(kSideShare), run_.temp_directory);
      for (uint64_t code = 0; code < before; ++code) id_counts_->add(code, 1);
    }
    for (uint64_t code = 0; code < cell.distinct; ++code) id_counts_->add(before + code, cell.equal.empty() ? 1 : cell.equal[code]);
  }

  void write_flat() {
    std::string words;
    const auto collect = [&](const auto&, size_t, const Cell&, std::string_view packed) { words += packed; };
    const auto ignore = [](const auto&...) {};
    const auto same = [](Word word) { return word; };
    if (kind_ == HammingIds::kNone) {
      sweep<Word>(Code::kBits, 0, Code::kBits, same, ignore, ignore, collect, ignore);
    } else {
      sweep<KeyAndId<Word>>(Code::kBits, 0, Code::kBits, same, ignore, ignore, collect, ignore);
    }
    end_.flat = begin_section();
    const size_t padding = (kernels::kCodeBlock - end_.distinct % kernels::kCodeBlock) % kernels::kCodeBlock;
    for (size_t half = 0; half < sizeof(Word); half += 8) {
      std::string halves;
      for (uint64_t i = 0; i < end_.distinct; ++i) halves.append(words, i * sizeof(Word) + half, 8);
      sink_.append(halves);
      append_zeros(padding * 8);
    }
  }

  void write_table(const HammingBlock& block) {
    const uint32_t stride = remainder_bytes<Word>(block);
    const uint32_t below = remainder_bits<Word>(block);
    const uint64_t buckets = uint64_t{1} << block.width;
    TableEntry entry{.begin = block.begin, .width = block.width, .flips = block.flips};
    entry.remainders = begin_section();
    CountLinesWriter directory(CountLines::suitable_count_bytes(buckets, codes_.size()), share(kSideShare), run_.temp_directory);

    uint32_t cell_width = 0;  // a cell has 2^cell_width buckets
    PageBuffer counts;        // a byte each, of the buckets of a range: 2^32 of them are usual for a billion codes
    const auto count_of = [&](uint64_t bucket) -> uint8_t& { return reinterpret_cast<uint8_t*>(counts.data())[bucket]; };
    const auto begin = [&](const auto& range, uint32_t cell_bits) {
      cell_width = block.width - cell_bits;
      counts.reset(range.cells.size() << cell_width);
      std::memset(counts.data(), 0, counts.size());
    };
    const auto note = [&](const auto& range, Cell& cell, Word key) {
      const uint64_t bucket = static_cast<uint64_t>(shift_right(key, below)) - (range.first_cell << cell_width);
      uint8_t& count = count_of(bucket);
      if (count < kLargeBucket) ++count;
      if (count < kLargeBucket) return;
      if (cell.large.empty() || cell.large.back().bucket != bucket) {
        cell.large.push_back({bucket, kLargeBucket});
      } else {
        ++cell.large.back().count;
      }
    };
    const auto write = [&](const auto& range, size_t number, const Cell& cell, std::string_view packed) {
      const uint64_t first = (range.first_cell + number) << cell_width;
      const char* at = packed.data();
      auto large = cell.large.begin();
      for (uint64_t bucket = 0; bucket < uint64_t{1} << cell_width; ++bucket) {
        uint64_t count = count_of((uint64_t{number} << cell_width) + bucket);
        if (count == 0) continue;
        if (count == kLargeBucket) count = large++->count;
        directory.add(first + bucket, count);
        if (count > kHotBucket) add_nested(block, first + bucket, {at, count * size_t{stride}}, stride);
        at += count * size_t{stride};
      }
      sink_.append(packed);
    };
    const auto key = [&](Word word) { return key_of(word, block); };
    const auto end = [&] {
      counts.reset(0);
      counts.shrink();
    };
    if (tables_.empty() && kind_ != HammingIds::kNone) {
      sweep<KeyAndId<Word>>(block.width, buckets, below, key, begin, note, write, end);
    } else {
      sweep<Word>(block.width, buckets, below, key, begin, note, write, end);
    }
    append_zeros(kernels::kPackedSlack);
    directory.finish(buckets);
    entry.directory = write_counts(directory);
    tables_.push_back(entry);
  }

  void add_nested(const HammingBlock& block, uint64_t prefix, std::string_view packed, uint32_t stride) {
    if (depth_ + 1 >= kMaxNesting) return;
    std::vector<Code> codes;
    for (size_t at = 0; at < packed.size(); at += stride) {
      Word remainder = 0;
      std::memcpy(&remainder, packed.data() + at, stride);
      codes.push_back(code_of(order_.restore(join_parts(prefix, remainder, block))));
    }
    const std::span<const Code> all(codes);
    const HammingPlan plan = plan_hamming(hamming_statistics(all), plan_.radius, {});
    if (plan.blocks.empty()) return;  // nothing to win
    nested_list_.push_back({tables_.size(), prefix, nested_bytes_.size(), 0});
    Builder(all, HammingIds::kNone, {}, plan, {run_.threads, share(kSideShare), run_.temp_directory}, nested_bytes_, depth_ + 1).build();
    nested_list_.back().bytes = nested_bytes_.size() - nested_list_.back().image;
    pad(nested_bytes_, nested_bytes_.size());
  }

  void write_ids() {
    if (end_.id_bytes == 0) return;
    end_.ids = begin_section();
    waiting_ids_.move_to(sink_);
    append_zeros(kIdSlack);
    if (!id_counts_) return;
    id_counts_->finish(end_.distinct);
    end_.id_counts = write_counts(*id_counts_);
  }

  void write_nested() {
    const uint64_t begin = begin_section();
    nested_bytes_.move_to(sink_);
    for (HotBucket& hot : nested_list_) hot.image += begin;
    end_.hot = begin_section();
    end_.hot_count = nested_list_.size();
    sink_.append(bytes_of(nested_list_));
  }

  void write_end() {
    begin_section();
    sink_.append({reinterpret_cast<const char*>(plan_.order.data()), plan_.order.size()});
    sink_.append(bytes_of(tables_));
    end_.bits = Code::kBits;
    end_.radius = plan_.radius;
    end_.tables = static_cast<uint32_t>(tables_.size());
    end_.ordered = plan_.order.empty() ? 0 : 1;
    end_.version = kImageVersion;
    end_.magic = kImageMagic;
    end_.bytes = here() + sizeof end_;
    sink_.append(bytes_of(end_));
  }

  static constexpr uint8_t kLargeBucket = 255;

  std::span<const Code> codes_;
  HammingIds kind_;
  std::span<const uint64_t> ids_;
  const HammingPlan& plan_;
  BitOrder<Word> order_;
  const HammingBuildRun& run_;
  ByteSink& sink_;
  uint32_t depth_;
  uint64_t begin_;  // of the image in the sink

  ImageEnd end_;
  std::vector<TableEntry> tables_;
  SideBytes waiting_ids_;
  std::optional<CountLinesWriter> id_counts_;  // once codes are equal
  SideBytes nested_bytes_;
  std::vector<HotBucket> nested_list_;
};

}  // namespace

template <typename Code>
void build_hamming_image(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan,
                         const HammingBuildRun& run, ByteSink& sink) {
  Builder<Code>(codes, kind, ids, plan, run, sink, 0).build();
}

template void build_hamming_image<Fingerprint64>(std::span<const Fingerprint64>, HammingIds, std::span<const uint64_t>, const HammingPlan&,
                                                 const HammingBuildRun&, ByteSink&);
template void build_hamming_image<Fingerprint128>(std::span<const Fingerprint128>, HammingIds, std::span<const uint64_t>,
                                                  const HammingPlan&, const HammingBuildRun&, ByteSink&);

}  // namespace neardup
