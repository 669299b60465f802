// PostingSorter: sorts postings that may not fit in memory, equal ones once.
//
// Postings are cut by the top bits of their hashes into parts while they are added, 9 bytes each. When memory is full, all parts go to a
// temporary file. At the end, part after part is read back and sorted by digits of the hash, and the texts of equal hashes, which usually
// were added in order, are sorted if they were not. A part that does not fit then (one hash may have any number of postings) goes through
// an ExternalSorter.
//
// For one thread at a time. What for_each() visits depends on the set of postings only. Throws Error{kStopped} (neardup/stop.h), and the
// errors of TempFile.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/external_sort.h"
#include "base/raw_vector.h"
#include "base/temp_file.h"
#include "index/anchors/posting.h"

namespace neardup {

class PostingSorter {
 public:
  /// Uses a megabyte at least. For the folder see temp_folder().
  PostingSorter(uint64_t memory_bytes, std::string temp_dir);

  void add(const Posting& posting) {
    Part& part = parts_[posting.hash >> kPartHashBits];
    if (part.at == part.end) [[unlikely]]
      make_room(part);
    // The bin comes last, where for_each() looks at it first.
    const uint64_t low = (posting.hash & kLowHashMask) << kHashShift | uint64_t{posting.text} << kContextBits | posting.context;
    std::memcpy(part.at, &low, sizeof low);
    part.at[sizeof low] = static_cast<char>(posting.hash >> kLowHashBits);
    part.at += kRecordBytes;
  }
  void add(std::span<const Posting> postings) {
    for (const Posting& posting : postings) add(posting);
  }
  /// Added so far; equal ones are counted each time.
  [[nodiscard]] uint64_t count() const noexcept;
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return file_ ? file_->size() : 0; }

  /// Calls visit(posting), ascending. Once, after the last add().
  template <typename Visit>
  void for_each(const Visit& visit) {
    spare_.clear();
    for (uint32_t number = 0; number < kParts; ++number) {
      if (!load(number)) {
        visit_oversized(number, visit);
        continue;
      }
      for (uint32_t bin = 0; bin < kBins; ++bin) {
        for (const Posting& posting : sort_bin(bin)) visit(posting);
      }
    }
  }

 private:
  static constexpr uint32_t kTextBits = 32;
  static constexpr uint32_t kParts = 256;  // by the first byte of the hash
  static constexpr uint32_t kBins = 256;   // of a part, by the second byte
  static constexpr uint32_t kPartHashBits = kAnchorHashBits - 8;
  static constexpr uint32_t kLowHashBits = kPartHashBits - 8;
  static constexpr uint64_t kLowHashMask = (uint64_t{1} << kLowHashBits) - 1;
  static constexpr uint32_t kHashShift = kTextBits + kContextBits;
  static constexpr size_t kRecordBytes = 9;
  static_assert(kLowHashBits + kHashShift <= 64);

  struct Part {
    char* at = nullptr;  // in the last chunk
    char* end = nullptr;
    std::vector<std::unique_ptr<char[]>> chunks;
  };
  struct Extent {
    uint64_t begin;  // bytes in the file
    uint64_t records;
  };

  void make_room(Part& part);
  void spill();
  [[nodiscard]] uint64_t records_in_memory(const Part& part) const noexcept;
  [[nodiscard]] uint64_t records_of(uint32_t part) const noexcept;
  // The posting of a record of a part.
  static Posting unpack(uint32_t part, const char* record) noexcept {
    uint64_t low = 0;
    std::memcpy(&low, record, sizeof low);
    const uint64_t high = part << 8 | static_cast<uint8_t>(record[sizeof low]);
    return {high << kLowHashBits | low >> kHashShift, static_cast<uint32_t>(low >> kContextBits),
            static_cast<uint16_t>(low & ((1u << kContextBits) - 1))};
  }
  static void count_bins(const char* records, uint64_t count, uint64_t* bins) noexcept;
  // Call visit(begin, records) with the bytes of a part in the file, and in memory, piece by piece.
  template <typename Visit>
  void for_spilled(uint32_t part, const Visit& visit);
  template <typename Visit>
  void for_chunks(uint32_t part, const Visit& visit);
  // Scatters a part into bins. False, with nothing done, if it is too large to be sorted in memory.
  bool load(uint32_t part);
  // Puts the records of a part that is too large into the sorter.
  void pass_on(uint32_t part, ExternalSorter<Posting>& sorter);
  std::span<const Posting> sort_bin(uint32_t bin);

  template <typename Visit>
  void visit_oversized(uint32_t part, const Visit& visit) {
    // Its memory is that of the parts that fit.
    RawVector<Posting>().swap(records_);
    RawVector<Posting>().swap(scratch_);
    ExternalSorter<Posting> sorter(sort_memory_, temp_dir_);
    pass_on(part, sorter);
    std::optional<Posting> last;
    sorter.for_each([&](const Posting& posting) {
      if (last == posting) return;
      last = posting;
      visit(posting);
    });
  }

  std::string temp_dir_;
  size_t chunk_bytes_;
  uint64_t free_chunks_;  // that may still be made
  uint64_t sort_memory_;
  std::array<Part, kParts> parts_;
  std::vector<std::unique_ptr<char[]>> spare_;  // chunks of parts that were spilled
  std::optional<TempFile> file_;                // once memory was full
  std::array<std::vector<Extent>, kParts> extents_;
  std::vector<uint64_t> spilled_bins_;  // records in the file, by part and bin, so that load() reads them once

  RawVector<char> packed_;  // what is read from the file
  RawVector<Posting> records_;
  RawVector<Posting> scratch_;
  std::array<uint64_t, kBins + 1> bins_ = {};  // of records_
};

}  // namespace neardup
