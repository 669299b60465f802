// SegmentFile: maps an immutable file with checksums.
//
// Opening reads the header, the footer and the hashes of the blocks (1 byte in 2,000 of the file), whatever the size. The header must be
// exactly consistent; guards verify payload and names block by block on first use. Immutable, shared by threads. Segments are never
// changed, only replaced by rename; check() detects if another program shortened one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/block_guard.h"
#include "base/mapped_file.h"
#include "store/segment_format.h"

namespace neardup {

class SegmentFile {
 public:
  /// Throws Error{kInput} with one line that names the file and what is wrong with it: not a segment, another version or byte order, cut
  /// off, damaged, another kind, codes of other bits. `bits`: any when 0.
  static std::unique_ptr<const SegmentFile> open(const std::string& path, std::string_view kind, uint32_t bits);
  /// Of bytes that outlive it and begin at a multiple of 8; `name` is for messages.
  SegmentFile(std::string_view bytes, std::string name, std::string_view kind, uint32_t bits);
  ~SegmentFile();
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] uint32_t bits() const noexcept { return header_.bits; }
  [[nodiscard]] uint64_t recipe_id() const noexcept { return header_.recipe_id; }
  [[nodiscard]] std::string_view recipe() const noexcept { return bytes_.substr(sizeof(header_), header_.recipe_bytes); }
  [[nodiscard]] uint64_t entries() const noexcept { return header_.entries; }
  [[nodiscard]] uint64_t file_bytes() const noexcept { return header_.file_bytes; }
  /// Identifies the contents: files with equal sums are equal.
  [[nodiscard]] uint64_t sum() const noexcept { return sum_; }

  /// Must not be read before the guard has verified it.
  [[nodiscard]] std::string_view payload() const noexcept { return bytes_.substr(header_.payload_offset, header_.payload_bytes); }
  [[nodiscard]] std::string_view names() const noexcept { return bytes_.substr(header_.names_offset, header_.names_bytes); }
  /// MappedFile::check() of a file that open() mapped. Call it before reporting anything computed from it.
  void check() const;
  /// How a file that open() mapped will be read; initially in random order.
  void expect(MappedFile::Reading reading) const noexcept;
  /// MappedFile::release() of a file that open() mapped.
  void release() const noexcept;
  /// Their checks throw Error{kInput} "'FILE': block N (bytes a to b) is damaged".
  [[nodiscard]] const BlockGuard& guard() const noexcept;
  [[nodiscard]] const BlockGuard& names_guard() const noexcept;

  /// Every block of both sections. Throws for the first damaged one.
  void verify_all(uint32_t threads) const;

 private:
  class Guard;
  [[noreturn]] void fail(const std::string& what) const;
  void check_header(std::string_view kind, uint32_t bits);
  void check_footer();

  std::unique_ptr<const MappedFile> file_;
  std::string_view bytes_;
  std::string name_;
  segment::Header header_{};
  uint64_t sum_ = 0;
  std::unique_ptr<const Guard> payload_guard_;
  std::unique_ptr<const Guard> names_guard_;
};

}  // namespace neardup
