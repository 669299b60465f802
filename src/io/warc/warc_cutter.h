// WarcCutter: cuts a crawl archive (WARC 1.0 and 1.1, ISO 28500; also WET) into its records, intact or damaged.
//
// Records of every type are counted, so that record numbers are the same everywhere. A damaged record (cut off, a wrong length, no header,
// a damaged member) is returned too, with a problem; the next one is searched at the start of a member or line with "WARC/". Bytes that
// belong to no record are part of the damaged one before them. One thread; any bytes in, nothing lost.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "io/bytes/buffer.h"
#include "io/bytes/member_reader.h"
#include "io/json/problem.h"

namespace neardup {

struct WarcRecord {
  std::string_view bytes;     ///< header and block, valid until the next call; of a damaged record its available bytes
  size_t header_bytes = 0;    ///< 0: its header is incomplete
  uint64_t walked_bytes = 0;  ///< decompressed bytes of the archive that belong to the record
  uint64_t offset = 0;        ///< its start in the file; in a compressed file, the start of its member
  bool too_long = false;      ///< longer than max_record_bytes: only the header is returned
  uint64_t block_bytes = 0;   ///< as the header says
  Problem problem;            ///< empty: the record is intact
};

class WarcCutter {
 public:
  /// `stored` must outlive the cutter.
  WarcCutter(const StoredBytes& stored, Compression compression, uint64_t max_record_bytes);

  /// False at the end. Throws Error{kInput} when the file cannot be read.
  bool next(WarcRecord& record);
  [[nodiscard]] uint64_t consumed_bytes() const noexcept { return reader_.consumed_bytes(); }

 private:
  struct Seam {
    uint64_t position;  // in the decompressed bytes
    uint64_t offset;    // of the member, in the file
  };
  enum class Wall { kNone, kSeam, kDamage, kEnd };  // why fill() stops

  [[nodiscard]] std::string_view ahead() const noexcept;
  bool fill(uint64_t wanted);
  void read_on();
  void enter_member();
  bool pass_wall();
  void drop(size_t bytes) noexcept;
  [[nodiscard]] uint64_t offset_here();

  bool begin_record();
  bool cut_header(WarcRecord& record);
  void cut_block(WarcRecord& record);
  void cut_long(WarcRecord& record);
  [[nodiscard]] bool fits(const WarcRecord& record) const noexcept;
  bool ends_well(size_t bytes);
  void give(WarcRecord& record, size_t bytes);
  void give_damaged(WarcRecord& record, std::string problem);

  const uint64_t max_record_bytes_;
  const uint64_t stored_size_;
  MemberReader reader_;
  Buffer window_;  // decompressed; bytes before at_ were returned
  size_t at_ = 0;
  uint64_t position_ = 0;   // of at_ in the decompressed bytes
  size_t given_ = 0;        // bytes at at_ that belong to the last record
  std::deque<Seam> seams_;  // members that begin in the window, and the last one before
  Wall wall_ = Wall::kNone;
  size_t seam_at_ = 0;            // in the window, if the wall is a seam: bytes after it must not be read yet
  bool damaged_after_ = false;    // the seam: its member is damaged within its first bytes
  bool damage_reported_ = false;  // by the record before
  std::string header_;            // of a long record
};

}  // namespace neardup
