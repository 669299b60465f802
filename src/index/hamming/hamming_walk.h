// WordWalk: all distinct codes of an image in the order of table 0, or of its flat codes: reads forward. For joins and merges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/hamming/hamming_image.h"

namespace neardup {

template <typename Code>
class WordWalk {
 public:
  using Word = CodeWord<Code>;

  explicit WordWalk(const HammingImage<Code>& image) : image_(image) {
    if (!image.tables().empty() && image.distinct() != 0) bucket_ = image.bucket(image.tables()[0], 0);
  }

  /// The place of the next word.
  [[nodiscard]] uint64_t position() const noexcept { return position_; }
  /// Replaces `words` by the next ones, at most so many, in the bit order of the image. False at the end.
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
  CountRange bucket_;
};

}  // namespace neardup
