// TableWriter: a table of an image, out of a KeySweep: the remainders, and the directory that counts the codes of each bucket.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/page_buffer.h"
#include "index/hamming/code_word.h"
#include "index/hamming/count_lines_writer.h"
#include "index/hamming/image_sections.h"
#include "index/hamming/key_sweep.h"
#include "kernels/kernels.h"

namespace neardup {

template <typename Code>
class TableWriter {
 public:
  using Word = CodeWord<Code>;
  /// The prefix of a bucket with more than kHotBucket codes, and their packed remainders.
  using VisitHot = std::function<void(uint64_t prefix, std::string_view packed)>;

  /// Of `codes` codes. `memory_bytes`: of the directory that waits. The sections are not owned.
  TableWriter(const HammingBlock& block, size_t codes, uint64_t memory_bytes, const std::string& temp_dir, ImageSections& sections,
              VisitHot visit_hot)
      : block_(block),
        stride_(remainder_bytes<Word>(block)),
        buckets_(uint64_t{1} << block.width),
        sections_(sections),
        visit_hot_(std::move(visit_hot)),
        entry_{.begin = block.begin, .width = block.width, .flips = block.flips},
        directory_(CountLines::suitable_count_bytes(buckets_, codes), memory_bytes, temp_dir) {
    entry_.remainders = sections.begin();
  }

  // For the sweep.
  [[nodiscard]] uint32_t most_cell_bits() const noexcept { return block_.width; }
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

  /// After the sweep.
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
  CountLinesWriter directory_;
  uint32_t cell_width_ = 0;  // a cell has 2^cell_width buckets
  PageBuffer counts_;        // a byte each, of the buckets of a range: 2^32 of them are usual for a billion codes
};

}  // namespace neardup
