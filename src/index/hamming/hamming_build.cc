#include "index/hamming/hamming_build.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/page_buffer.h"
#include "base/spill_file.h"
#include "index/hamming/bucket_directory.h"
#include "index/hamming/code_word.h"
#include "index/hamming/hamming_image.h"
#include "index/hamming/image_sections.h"
#include "index/hamming/key_sweep.h"
#include "kernels/kernels.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {
namespace {

// Sixteenths of the memory: for each of five waiting buffers or a nested image, and for sorting. One remains for everything else.
constexpr uint64_t kSideShare = 1;
constexpr uint64_t kSortShare = 10;

uint64_t share(const HammingBuildRun& run, uint64_t sixteenths) {
  constexpr uint64_t kMinBytes = 4096;  // less would only be slow
  return run.memory_bytes == 0 ? 0 : std::max(run.memory_bytes / 16 * sixteenths, kMinBytes);
}

// Writes a table of an image from a KeySweep: the remainders, and the directory with the number of codes of each bucket.
template <typename Code>
class TableWriter {
 public:
  using Word = CodeWord<Code>;
  // The prefix of a bucket with more than kHotBucket codes, and their packed remainders.
  using VisitHot = std::function<void(uint64_t prefix, std::string_view packed)>;

  // For `codes` codes. `memory_bytes`: for the waiting directory. The sections are not owned.
  TableWriter(const HammingBlock& block, size_t codes, uint64_t memory_bytes, const std::string& temp_dir, ImageSections& sections,
              VisitHot visit_hot)
      : block_(block),
        stride_(remainder_bytes<Word>(block)),
        buckets_(uint64_t{1} << block.width),
        sections_(sections),
        visit_hot_(std::move(visit_hot)),
        entry_{.begin = block.begin, .width = block.width, .flips = block.flips},
        directory_(BucketDirectory::suitable_count_bytes(buckets_, codes), memory_bytes, temp_dir) {
    entry_.remainders = sections.begin();
  }

  // For the sweep.
  [[nodiscard]] uint32_t max_cell_bits() const noexcept { return block_.width; }
  [[nodiscard]] uint64_t other_bytes() const noexcept { return buckets_; }
  [[nodiscard]] uint32_t kept_bits() const noexcept { return remainder_bits<Word>(block_); }
  [[nodiscard]] Word key(Word word) const noexcept { return key_of(word, block_); }

  template <typename Range>
  void begin(const Range& range, uint32_t cell_bits) {
    cell_width_ = block_.width - cell_bits;
    counts_.reset(range.cells.size() << cell_width_);
    std::memset(counts_.data(), 0, counts_.size());
  }
  template <typename Range>
  void note(const Range& range, SweptCell& cell, Word key) {
    const uint64_t bucket = static_cast<uint64_t>(shift_right(key, kept_bits())) - (range.first_cell << cell_width_);
    uint8_t& count = count_of(bucket);
    if (count < kLargeBucket) ++count;
    if (count < kLargeBucket) return;
    if (cell.large.empty() || cell.large.back().bucket != bucket) {
      cell.large.push_back({bucket, kLargeBucket});
    } else {
      ++cell.large.back().count;
    }
  }
  template <typename Range>
  void write(const Range& range, size_t number, const SweptCell& cell, std::string_view packed) {
    const uint64_t first = (range.first_cell + number) << cell_width_;
    const char* at = packed.data();
    auto large = cell.large.begin();
    for (uint64_t bucket = 0; bucket < uint64_t{1} << cell_width_; ++bucket) {
      uint64_t count = count_of((uint64_t{number} << cell_width_) + bucket);
      if (count == 0) continue;
      if (count == kLargeBucket) count = large++->count;
      directory_.add(first + bucket, count);
      if (count > kHotBucket) visit_hot_(first + bucket, {at, count * size_t{stride_}});
      at += count * size_t{stride_};
    }
    sections_.append(packed);
  }
  void end() {
    counts_.reset(0);
    counts_.shrink();
  }

  // After the sweep.
  TableEntry finish() {
    sections_.append_zeros(kernels::kPackedSlack);
    directory_.finish(buckets_);
    entry_.directory = sections_.append_counts(directory_);
    return entry_;
  }

 private:
  static constexpr uint8_t kLargeBucket = 255;

  [[nodiscard]] uint8_t& count_of(uint64_t bucket) noexcept { return reinterpret_cast<uint8_t*>(counts_.data())[bucket]; }

  const HammingBlock block_;
  const uint32_t stride_;
  const uint64_t buckets_;
  ImageSections& sections_;
  VisitHot visit_hot_;
  TableEntry entry_;
  BucketDirectoryWriter directory_;
  uint32_t cell_width_ = 0;  // a cell has 2^cell_width buckets
  PageBuffer counts_;        // a byte each, of the buckets of a range: 2^32 of them are usual for a billion codes
};

// The table interface of a sweep, for codes that are stored unchanged.
template <typename Word>
struct FullWords {
  static constexpr uint32_t kBits = 8 * sizeof(Word);
  std::string packed = {};

  static uint32_t max_cell_bits() noexcept { return kBits; }
  static uint64_t other_bytes() noexcept { return 0; }
  static uint32_t kept_bits() noexcept { return kBits; }
  static Word key(Word word) noexcept { return word; }
  static void begin(const auto&, uint32_t) noexcept {}
  static void note(const auto&, const SweptCell&, Word) noexcept {}
  void write(const auto&, size_t, const SweptCell&, std::string_view words) { packed += words; }
  static void end() noexcept {}
};

template <typename Code>
class Builder {
 public:
  using Word = CodeWord<Code>;

  Builder(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan, const HammingBuildRun& run,
          ByteSink& sink, uint32_t depth)
      : codes_(codes),
        kind_(kind),
        plan_(plan),
        order_(plan.order),
        run_(run),
        side_bytes_(share(run, kSideShare)),
        depth_(depth),
        sections_(sink),
        sweep_(codes_, order_, run.threads, share(run, kSortShare)),
        ids_(kind, ids, codes.size(), side_bytes_, run.temp_dir),
        nested_bytes_(side_bytes_, run.temp_dir) {}

  void build() {
    if (plan_.blocks.empty()) {
      write_flat();
    } else {
      for (const HammingBlock& block : plan_.blocks) write_table(block);
    }
    end_.rows = kind_ == HammingIds::kNone ? end_.distinct : codes_.size();
    ids_.write(sections_, end_);
    write_nested();
    write_end();
  }

 private:
  // The first table also stores the ids.
  template <typename Table>
  void sweep(Table& table) {
    const bool with_ids = tables_.empty() && kind_ != HammingIds::kNone;
    end_.distinct = with_ids ? sweep_.template run<KeyAndId<Word>>(table, ids_) : sweep_.template run<Word>(table, ids_);
  }

  void write_flat() {
    FullWords<Word> words;
    sweep(words);
    end_.flat = sections_.begin();
    const size_t padding = (kernels::kCodeBlock - end_.distinct % kernels::kCodeBlock) % kernels::kCodeBlock;
    for (size_t half = 0; half < sizeof(Word); half += 8) {
      std::string halves;
      for (uint64_t i = 0; i < end_.distinct; ++i) halves.append(words.packed, i * sizeof(Word) + half, 8);
      sections_.append(halves);
      sections_.append_zeros(padding * 8);
    }
  }

  void write_table(const HammingBlock& block) {
    TableWriter<Code> table(block, codes_.size(), side_bytes_, run_.temp_dir, sections_,
                            [&](uint64_t prefix, std::string_view packed) { add_nested(block, prefix, packed); });
    sweep(table);
    tables_.push_back(table.finish());
  }

  // An image of the codes of a hot bucket.
  void add_nested(const HammingBlock& block, uint64_t prefix, std::string_view packed) {
    if (depth_ + 1 >= kMaxNesting) return;
    const uint32_t stride = remainder_bytes<Word>(block);
    std::vector<Code> codes;
    for (size_t at = 0; at < packed.size(); at += stride) {
      Word remainder = 0;
      std::memcpy(&remainder, packed.data() + at, stride);
      codes.push_back(code_of(order_.restore(join_parts(prefix, remainder, block))));
    }
    const std::span<const Code> all(codes);
    const HammingPlan plan = plan_hamming(hamming_statistics(all), plan_.radius, {});
    if (plan.blocks.empty()) return;  // no tables, so nothing to gain
    nested_list_.push_back({tables_.size(), prefix, nested_bytes_.size(), 0});
    Builder(all, HammingIds::kNone, {}, plan, {run_.threads, side_bytes_, run_.temp_dir}, nested_bytes_, depth_ + 1).build();
    nested_list_.back().bytes = nested_bytes_.size() - nested_list_.back().image;
    ImageSections::pad(nested_bytes_, nested_bytes_.size());
  }

  void write_nested() {
    const uint64_t begin = sections_.begin();
    sections_.append_waiting(nested_bytes_);
    for (HotBucket& hot : nested_list_) hot.image += begin;
    end_.hot = sections_.begin();
    end_.hot_count = nested_list_.size();
    sections_.append_values(nested_list_);
  }

  void write_end() {
    sections_.begin();
    sections_.append({reinterpret_cast<const char*>(plan_.order.data()), plan_.order.size()});
    sections_.append_values(tables_);
    end_.bits = Code::kBits;
    end_.radius = plan_.radius;
    end_.tables = static_cast<uint32_t>(tables_.size());
    end_.ordered = plan_.order.empty() ? 0 : 1;
    end_.version = kImageVersion;
    end_.magic = kImageMagic;
    end_.bytes = sections_.here() + sizeof end_;
    sections_.append({reinterpret_cast<const char*>(&end_), sizeof end_});
  }

  std::span<const Code> codes_;
  HammingIds kind_;
  const HammingPlan& plan_;
  BitOrder<Word> order_;
  const HammingBuildRun& run_;
  const uint64_t side_bytes_;
  uint32_t depth_;
  ImageSections sections_;
  KeySweep<Code> sweep_;
  ImageIds ids_;
  ImageEnd end_;
  std::vector<TableEntry> tables_;
  SpillFile nested_bytes_;
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
