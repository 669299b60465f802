// AnchorImageWriter: writes an anchor image (see anchor_image.h) front to back, from postings in order.
//
// Memory: the postings of one bucket without its long lists, 9 bytes for every 128 postings of the current list, and about two bytes for
// every 128 postings. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_sink.h"
#include "index/anchors/anchor_format.h"
#include "index/anchors/posting.h"

namespace neardup {

class AnchorImageWriter {
 public:
  /// The image begins at the end of `sink`. `expected_postings` chooses the number of buckets: the bytes depend on it and on the set of
  /// postings only. An image of more or fewer postings is right, but slow or large.
  AnchorImageWriter(ByteSink& sink, uint64_t expected_postings);

  /// Ascending, without equal ones. Throws the errors of the sink, and Error{kResource} for a list of a tebibyte.
  void add(const Posting& posting) {
    if (posting.hash != hash_ || current_.empty()) {
      begin_list(posting.hash);
    } else if (current_.size() == anchor_format::kBlockPostings) {
      put_full_block();
    }
    current_.push_back(posting);
  }
  /// Writes the rest. Nothing may be added afterwards.
  void finish();

 private:
  struct List {
    uint64_t hash;
    uint64_t count;
    uint64_t place;  // of a short list, its first posting in bucket_; of a long one, the offset of its skip table
  };
  void begin_list(uint64_t hash);
  void put_full_block();
  void end_list();
  void end_buckets(uint64_t next);  // up to bucket `next`
  void put_bucket();
  void put_starts();
  [[nodiscard]] uint64_t here() const noexcept { return flushed_ + out_.size(); }
  void flush();

  ByteSink& sink_;
  uint32_t bucket_bits_;
  std::string out_;  // waits for the sink
  uint64_t flushed_ = 0;

  uint64_t hash_ = 0;             // of the current list
  std::vector<Posting> current_;  // its last postings, at most a block
  uint64_t blocks_begin_ = 0;     // of its blocks, if there are any
  std::vector<uint32_t> block_lasts_;
  std::vector<uint64_t> block_ends_;

  uint64_t bucket_number_ = 0;
  std::vector<List> bucket_;
  std::vector<Posting> bucket_postings_;  // of its short lists
  uint32_t bucket_text_ = 0;              // the greatest of them

  std::string starts_;  // of the buckets so far: distances from the one before, 7 bits a byte, lowest first, the last with the top bit
  uint64_t last_start_ = 0;
  uint64_t postings_ = 0;
  uint64_t lists_ = 0;
  uint64_t text_limit_ = 0;
};

}  // namespace neardup
