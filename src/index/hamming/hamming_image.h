// HammingImage: the bytes of a Hamming index, in memory or in a file, and a view of them. WordWalk: all its distinct codes, in order.
//
// An image is what the builder appended, in this order (everything little-endian, sections begin at multiples of 64 bytes):
//   for each table
//     the remainders of all distinct codes in the order of their keys, kPackedSlack zero bytes
//     the directory: BucketDirectory over the 2^width buckets
//     its spilled counts
//   of a flat image, which has no tables
//     the low words of the codes, ascending by code, padded to kCodeBlock
//     for 128 bits, the high words
//   the ids, id_bytes each, in the order of table 0 (or of the flat codes), equal codes by ascending id, kIdSlack zero bytes
//   if there are equal codes
//     BucketDirectory over the distinct codes that counts their ids
//     its spilled counts
//   the nested images of hot buckets, each complete
//   the list of HotBucket, by table, then prefix
//   the order of the bits (`bits` bytes, or none)
//   one TableEntry per block
//   the ImageEnd
// All offsets count from the beginning of the image.
//
// The view checks the structure when it is made (bounds, plan), not the contents: whatever they are, it reads only inside the image.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/block_guard.h"
#include "index/hamming/bucket_directory.h"
#include "index/hamming/code_word.h"
#include "index/hamming_plan/bit_order.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

/// Bytes after the ids that may be read.
inline constexpr size_t kIdSlack = 8;
/// Buckets with more codes have an image of their own.
inline constexpr uint64_t kHotBucket = 2048;
inline constexpr uint32_t kMaxNesting = 4;
inline constexpr size_t kSectionBytes = 64;

struct DirectorySection {
  uint64_t lines = 0;        // offset
  uint64_t spill = 0;        // offset
  uint64_t spill_count = 0;  // u64
  uint64_t count_bytes = 0;
};

struct TableEntry {
  uint32_t begin = 0;
  uint32_t width = 0;
  uint32_t flips = 0;
  uint32_t unused = 0;
  uint64_t remainders = 0;  // offset
  DirectorySection directory = {};
};

struct HotBucket {
  uint64_t table = 0;
  uint64_t prefix = 0;
  uint64_t image = 0;  // offset
  uint64_t bytes = 0;
};

struct ImageEnd {
  uint64_t rows = 0;
  uint64_t distinct = 0;
  uint64_t flat = 0;           // offset of the low words of a flat image
  uint64_t ids = 0;            // offset
  DirectorySection id_counts;  // count_bytes 0: every code has one id
  uint64_t hot = 0;            // offset
  uint64_t hot_count = 0;
  uint64_t bytes = 0;     // of the image
  uint32_t id_bytes = 0;  // 1 to 8; 0 in a nested image: none
  uint32_t bits = 0;
  uint32_t radius = 0;
  uint32_t tables = 0;
  uint32_t ordered = 0;  // 1: there is an order of the bits
  uint32_t version = 0;
  uint64_t magic = 0;
};
inline constexpr uint64_t kImageMagic = 0x31474D494D414844;  // "DHAMIMG1"
inline constexpr uint32_t kImageVersion = 1;

template <typename Code>
struct HammingTable {
  using Word = CodeWord<Code>;
  HammingBlock block;
  uint32_t stride = 0;  // bytes of a remainder
  const char* remainders = nullptr;
  BucketDirectory directory;

  [[nodiscard]] const char* entry(uint64_t position) const noexcept { return remainders + position * stride; }
  [[nodiscard]] Word remainder(uint64_t position) const noexcept {
    Word word = 0;
    __builtin_memcpy(&word, entry(position), sizeof word);
    return word & low_mask<Word>(8 * stride);
  }
};

template <typename Code>
class HammingImage {
 public:
  using Word = CodeWord<Code>;

  /// Throws Error{kInput} beginning with `name` when the bytes are not an image of this kind. `guard` may be null; both outlive the view.
  /// `depth`: how many images this one is nested in.
  HammingImage(const char* begin, size_t bytes, const BlockGuard* guard, const std::string& name, uint32_t depth = 0);
  ~HammingImage();
  HammingImage(const HammingImage&) = delete;
  HammingImage& operator=(const HammingImage&) = delete;

  [[nodiscard]] const HammingPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const BitOrder<Word>& order() const noexcept { return order_; }
  [[nodiscard]] uint64_t rows() const noexcept { return end_.rows; }
  [[nodiscard]] uint64_t distinct() const noexcept { return end_.distinct; }
  [[nodiscard]] uint64_t bytes() const noexcept { return end_.bytes; }
  [[nodiscard]] std::span<const HammingTable<Code>> tables() const noexcept { return tables_; }

  void check(const void* at, size_t bytes) const {
    if (guard_ != nullptr) guard_->check(at, bytes);
  }
  /// Throws Error{kUsage} when the plan does not reach the radius.
  void require_radius(uint32_t radius) const;
  /// Throws Error{kInput}, beginning with the name of the image.
  [[noreturn]] void refuse(const std::string& why) const;
  /// The codes of a bucket, as positions in its table.
  [[nodiscard]] ItemRange bucket(const HammingTable<Code>& table, uint64_t prefix) const {
    return range(table.directory, table.directory.slot(prefix));
  }
  [[nodiscard]] ItemRange bucket(const HammingTable<Code>& table, BucketSlot slot) const { return range(table.directory, slot); }
  /// The image of a hot bucket, made on first use; null when it has none.
  [[nodiscard]] const HammingImage* nested(size_t table, uint64_t prefix) const;

  /// The word of this image's order for a word of a nested one, and back.
  [[nodiscard]] Word from_nested(const HammingImage& nested, Word word) const noexcept {
    return order_.reorder(nested.order_.restore(word));
  }
  [[nodiscard]] Word to_nested(const HammingImage& nested, Word word) const noexcept { return nested.order_.reorder(order_.restore(word)); }
  /// True if an earlier table also finds a code that differs by this pattern; then the hit belongs to that table.
  [[nodiscard]] bool found_earlier(size_t table, Word difference, std::span<const int32_t> flips) const noexcept {
    for (size_t t = 0; t < table; ++t) {  // does the query read that bucket?
      if (static_cast<int32_t>(bit_count(prefix_of(difference, tables_[t].block))) <= flips[t]) return true;
    }
    return false;
  }

  /// Flat images: the words of all codes, padded to whole blocks of the kernel.
  [[nodiscard]] const uint64_t* flat_low() const noexcept { return flat_low_; }
  [[nodiscard]] const uint64_t* flat_high() const noexcept { return flat_high_; }
  /// Call it before reading all of them.
  void check_flat() const {
    check(flat_low_, flat_padded() * sizeof(uint64_t));
    if (flat_high_ != nullptr) check(flat_high_, flat_padded() * sizeof(uint64_t));
  }
  [[nodiscard]] Word flat_word(uint64_t position) const noexcept {
    if constexpr (Code::kBits == 64)
      return flat_low_[position];
    else
      return Word{flat_high_[position]} << 64 | flat_low_[position];
  }
  /// Which tables serve a radius (at most the plan's), and with how many flips; see hamming_flips.h.
  [[nodiscard]] std::span<const int32_t> flips(uint32_t radius) const noexcept { return flips_[radius]; }
  [[nodiscard]] const BlockGuard* guard() const noexcept { return guard_; }

  /// The places of the ids of the code at a position of table 0.
  [[nodiscard]] ItemRange ids_of(uint64_t position) const {
    return end_.id_counts.count_bytes == 0 ? ItemRange{position, position + 1} : range(id_counts_, id_counts_.slot(position));
  }
  [[nodiscard]] bool has_ids() const noexcept { return end_.id_bytes != 0; }
  [[nodiscard]] bool has_equal_codes() const noexcept { return end_.id_counts.count_bytes != 0; }
  [[nodiscard]] uint64_t id(uint64_t place) const {
    const char* at = ids_ + place * end_.id_bytes;
    check(at, sizeof(uint64_t));  // the slack is readable
    uint64_t value = 0;
    __builtin_memcpy(&value, at, sizeof value);
    return value & low_mask<uint64_t>(8 * end_.id_bytes);
  }
  void prefetch_ids_of(uint64_t position) const noexcept {
    if (end_.id_counts.count_bytes == 0) return prefetch_id(position);
    __builtin_prefetch(id_counts_.slot(position).line);
  }
  void prefetch_id(uint64_t place) const noexcept { __builtin_prefetch(ids_ + place * end_.id_bytes); }

  /// The position of a word (of the reordered code) in table 0; nothing if it is absent.
  [[nodiscard]] std::optional<uint64_t> find(Word word) const;
  /// The same for a word from another table. Throws Error{kInput} if it is absent: the index is damaged.
  [[nodiscard]] uint64_t require(Word word) const;
  /// The word at a position of table 0 or of the flat codes; takes the time of a search for its bucket.
  [[nodiscard]] Word word(uint64_t position) const;

 private:
  [[nodiscard]] uint64_t flat_padded() const noexcept;
  [[nodiscard]] ItemRange range(const BucketDirectory& counts, BucketSlot slot) const {
    if (guard_ != nullptr) {
      guard_->check(slot.line, BucketDirectory::kLineBytes);
      const auto spilled = counts.spilled(slot);
      guard_->check(spilled.data(), spilled.size_bytes());
    }
    return counts.range(slot);
  }
  BucketDirectory read_counts(const DirectorySection& section, uint64_t groups, uint64_t items) const;
  const char* section(uint64_t offset, uint64_t bytes, const char* what) const;

  const char* begin_;
  const BlockGuard* guard_;
  std::string name_;
  uint32_t depth_;
  ImageEnd end_;
  HammingPlan plan_;
  BitOrder<Word> order_;
  std::vector<HammingTable<Code>> tables_;
  std::vector<std::vector<int32_t>> flips_;  // by radius
  const uint64_t* flat_low_ = nullptr;
  const uint64_t* flat_high_ = nullptr;
  const char* ids_ = nullptr;
  BucketDirectory id_counts_;
  std::span<const HotBucket> hot_;
  mutable std::vector<std::atomic<const HammingImage*>> nested_;  // next to hot_; owned
};

/// All distinct codes of an image in the order of table 0, or of its flat codes: reads forward. For joins and merges.
template <typename Code>
class WordWalk {
 public:
  using Word = CodeWord<Code>;

  explicit WordWalk(const HammingImage<Code>& image) : image_(image) {
    if (!image.tables().empty() && image.distinct() != 0) bucket_ = image.bucket(image.tables()[0], 0);
  }

  /// The place of the next word.
  [[nodiscard]] uint64_t position() const noexcept { return position_; }
  /// Replaces `words` by the next ones, in the bit order of the image. False at the end.
  bool next(size_t most, std::vector<Word>& words) {
    const uint64_t end = std::min<uint64_t>(position_ + most, image_.distinct());
    words.clear();
    if (image_.tables().empty()) {
      for (; position_ < end; ++position_) words.push_back(image_.word(position_));
      return !words.empty();
    }
    const HammingTable<Code>& table = image_.tables()[0];
    if (position_ < end) image_.check(table.entry(position_), (end - position_) * table.stride);
    for (; position_ < end; ++position_) {
      while (position_ >= bucket_.end && prefix_ + 1 < uint64_t{1} << table.block.width) bucket_ = image_.bucket(table, ++prefix_);
      words.push_back(join_parts(prefix_, table.remainder(position_), table.block));
    }
    return !words.empty();
  }

 private:
  const HammingImage<Code>& image_;
  uint64_t position_ = 0;
  uint64_t prefix_ = 0;
  ItemRange bucket_;
};

extern template class HammingImage<Fingerprint64>;
extern template class HammingImage<Fingerprint128>;

}  // namespace neardup
