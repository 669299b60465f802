// PostingSorter: sorts postings that may not fit in memory, equal ones once.
//
// Postings are cut by the top bits of their hashes into kParts parts while they are added, 9 bytes each. When memory is full, all parts go
// to a temporary file. At the end, part after part is read back and sorted by digits of the hash, and the texts of equal hashes, which
// usually were added in order, are sorted if they were not. A part that does not fit then (one hash may have any number of postings) goes
// through an ExternalSorter.
//
// Used by one thread at a time. What for_each() visits depends only on the set of postings. Throws Error{kStopped} (neardup/stop.h), and
// the errors of TempFile.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/raw_vector.h"
#include "base/temp_file.h"
#include "index/anchors/posting.h"

namespace neardup {

class PostingSorter {
 public:
  /// At least about a megabyte is used. For the folder see temp_folder().
  PostingSorter(uint64_t memory_bytes, std::string temp_dir);

  void add(std::span<const Posting> postings);
  void add(const Posting& posting) {
    Part& part = parts_[posting.hash >> kPartHashBits];
    if (part.room == 0) [[unlikely]] make_room(part);
    const uint64_t low = posting.hash << (kTextBits + kContextBits) | uint64_t{posting.text} << kContextBits | posting.context;
    std::memcpy(part.at, &low, sizeof low);
    part.at[8] = static_cast<char>(posting.hash >> (64 - kTextBits - kContextBits));
    part.at += kRecordBytes;
    --part.room;
  }
  /// Added so far, equal ones counted each time.
  [[nodiscard]] uint64_t count() const noexcept;
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return file_ ? file_->size() : 0; }

  /// Calls visit(posting), ascending. Once, after the last add().
  template <typename Visit>
  void for_each(const Visit& visit) {
    for (uint32_t part = 0; part < kParts; ++part) {
      load_part(part);
      while (next_sorted()) {
        for (const Posting& posting : sorted_) visit(posting);
      }
    }
  }

 private:
  static constexpr uint32_t kPartBits = 8;
  static constexpr uint32_t kParts = 1u << kPartBits;
  static constexpr uint32_t kPartHashBits = kAnchorHashBits - kPartBits;  // of a hash, those that a part does not imply
  static constexpr uint32_t kTextBits = 32;
  static constexpr size_t kRecordBytes = 9;
  static_assert(kPartHashBits + kTextBits + kContextBits == 8 * kRecordBytes);

  struct Part {
    char* at = nullptr;  // in its last chunk
    uint32_t room = 0;   // records
    std::vector<uint32_t> chunks;
  };
};

}  // namespace neardup
