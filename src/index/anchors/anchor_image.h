// AnchorImage: a view of the postings of many texts by hash, in memory or in a file. Cursor: the postings of one hash. Walk: all postings.
//
// anchor_format.h has the layout, AnchorImageWriter makes it. The view trusts nothing: bytes are verified by the guard before they count,
// every value is checked, and whatever the bytes are, it reads only inside the image and ends in time linear in its size. Damage is an
// Error{kInput} "NAME: ...". A view is immutable and may be shared by threads; a cursor or a walk belongs to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bit_codec.h"
#include "base/block_guard.h"
#include "index/anchors/anchor_format.h"
#include "index/anchors/posting.h"
#include "index/anchors/posting_run.h"

namespace neardup {

class AnchorImage {
 public:
  /// `guard`: may be null, for bytes that are verified. It must outlive the view, as the bytes must.
  AnchorImage(const char* begin, size_t bytes, const BlockGuard* guard, std::string name);

  [[nodiscard]] uint64_t postings() const noexcept { return trailer_.postings; }
  /// Distinct hashes.
  [[nodiscard]] uint64_t lists() const noexcept { return trailer_.lists; }
  /// Every text is smaller than this.
  [[nodiscard]] uint64_t text_limit() const noexcept { return trailer_.text_limit; }

  /// The postings of one hash, for a Cursor.
  struct List {
    uint64_t count = 0;  ///< 0: there is no such hash
    uint64_t place = 0;  // of a short list, its first bit; of a long one, the offset of its skip table
    uint64_t end = 0;    // of a short list, the bit after its last one
    TextScale scale;     // of a short list
  };
  /// Reads the bucket of the hash only, not the list. Throws.
  [[nodiscard]] List find(uint64_t hash) const;
  /// Hints for bytes that are mapped but not in memory: begin to read what find() of this hash needs, the directory first, and what a
  /// Cursor of a long list needs: its skips, which end its blocks, and the last of these.
  void fetch_directory(uint64_t hash) const noexcept;
  void fetch_bucket(uint64_t hash) const;  ///< reads the directory
  void fetch_list(const List& list) const noexcept;

  class Cursor;
  class Walk;

  /// Calls visit(posting) for all of them, ascending. Throws.
  template <typename Visit>
  void for_each(const Visit& visit) const;

 private:
  // A list of blocks; see anchor_format.h.
  struct LongList {
    uint64_t count = 0;
    uint64_t blocks = 0;
    uint64_t begin = 0;  // offset of the first block
    uint64_t lasts = 0;  // offset
    uint64_t ends = 0;   // offset
  };
  struct Span {
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse_bucket(uint64_t bucket) const;
  void check(uint64_t offset, uint64_t bytes) const {
    if (guard_ != nullptr) guard_->check(begin_ + offset, bytes);
  }
  template <typename T, size_t kBytes = sizeof(T)>
  [[nodiscard]] T load(uint64_t offset) const noexcept {
    T value = 0;
    __builtin_memcpy(&value, begin_ + offset, kBytes);
    return value;
  }
  [[nodiscard]] uint64_t buckets() const noexcept { return uint64_t{1} << trailer_.bucket_bits; }
  [[nodiscard]] uint64_t start_of(uint64_t bucket) const;
  /// The bytes of a bucket, and those up to the next one, which may be of long lists.
  [[nodiscard]] Span bucket_span(uint64_t bucket) const;
  [[nodiscard]] LongList long_list(uint64_t count, uint64_t skips) const;
  [[nodiscard]] uint64_t block_end(const LongList& list, uint64_t block) const {
    check(list.ends + block * anchor_format::kEndBytes, anchor_format::kEndBytes);
    return load<uint64_t, anchor_format::kEndBytes>(list.ends + block * anchor_format::kEndBytes);
  }
  [[nodiscard]] uint32_t block_last(const LongList& list, uint64_t block) const {
    check(list.lasts + block * anchor_format::kLastBytes, anchor_format::kLastBytes);
    return load<uint32_t>(list.lasts + block * anchor_format::kLastBytes);
  }
  /// Returns the number of postings.
  uint32_t read_block(const LongList& list, uint64_t block, PostingRun& run) const;

  // Reads the lists of one bucket, one after the other.
  class BucketReader;

  const char* begin_;
  const BlockGuard* guard_;
  std::string name_;
  anchor_format::Trailer trailer_;
};

/// Goes through the postings of a list, by text, then context. Reads a block of a long list when it comes to it. Throws as the view.
class AnchorImage::Cursor {
 public:
  /// `list` is of find() of this image, which must outlive the cursor.
  Cursor(const AnchorImage& image, const List& list);

  [[nodiscard]] bool done() const noexcept { return at_ == size_; }
  // Of a cursor that is not done:
  [[nodiscard]] uint32_t text() const noexcept { return run_.texts[at_]; }
  [[nodiscard]] uint16_t context() const noexcept { return run_.contexts[at_]; }
  void next() {
    if (++at_ == size_ && block_ + 1 < long_.blocks) load_block(block_ + 1);
  }
  /// To the first posting from here on whose text is at least `text`.
  void seek(uint32_t text);

 private:
  void load_block(uint64_t block);

  const AnchorImage* image_;
  LongList long_;  // without blocks if the list is short
  uint64_t block_ = 0;
  uint32_t at_ = 0;
  uint32_t size_ = 0;
  PostingRun run_;
};

/// Reads the whole image forward, as merges do. Checks also what find() does not: that the parts of the image lie one after the other, that
/// postings ascend from block to block, and that the numbers of postings and lists are right.
class AnchorImage::Walk {
 public:
  /// The image must outlive the walk.
  explicit Walk(const AnchorImage& image);
  ~Walk();
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  [[nodiscard]] bool done() const noexcept { return at_ == buffer_.size(); }
  [[nodiscard]] const Posting& posting() const noexcept { return buffer_[at_]; }
  void next() {
    if (++at_ == buffer_.size()) refill();
  }

 private:
  void refill();
  void append(uint64_t hash, uint32_t count);
  void open_bucket();
  void end_bucket();

  struct State;
  const AnchorImage& image_;
  std::unique_ptr<State> state_;
  std::vector<Posting> buffer_;
  size_t at_ = 0;
};

template <typename Visit>
void AnchorImage::for_each(const Visit& visit) const {
  for (Walk walk(*this); !walk.done(); walk.next()) visit(walk.posting());
}

}  // namespace neardup
