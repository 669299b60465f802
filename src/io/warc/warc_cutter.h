// WarcCutter: a crawl archive (WARC 1.0 and 1.1, ISO 28500; WET is the same) cut into its records, whole or damaged.
//
// Every record counts, of whatever type, so that the n-th is the n-th for everybody. A record that is damaged (cut off, a length that
// does not fit, no header, a damaged member) is given too, with a problem; the next one is looked for where a member begins with "WARC/",
// or a line does. Bytes that belong to no record are part of the damaged one before them. One thread; any bytes in, nothing lost.
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
  std::string_view bytes;     ///< header and block, valid until the next call; of a damaged record what there is of it
  size_t header_bytes = 0;    ///< 0: it has no whole header
  uint64_t walked_bytes = 0;  ///< of the archive, decompressed, that the record stands for
  uint64_t offset = 0;        ///< where it begins in the file; inside of a compressed one, where its member does
  bool too_long = false;      ///< longer than max_record_bytes: only the header is given
  uint64_t block_bytes = 0;   ///< as the header says
  Problem problem;            ///< empty: the record is whole
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
  enum class Wall { kNone, kSeam, kDamage, kEnd };  // what keeps fill() from giving more

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
  Buffer window_;  // decompressed; what lies before at_ was given
  size_t at_ = 0;
  uint64_t position_ = 0;   // of at_ in the decompressed bytes
  size_t given_ = 0;        // bytes at at_ that the last record stands for
  std::deque<Seam> seams_;  // members that begin in the window, and the last one before
  Wall wall_ = Wall::kNone;
  size_t seam_at_ = 0;           // in the window, if the wall is one: what is after it is not to be seen yet
  bool damaged_behind_ = false;  // the seam: its member is damaged within its first bytes
  bool damage_told_ = false;     // by the record before
  std::string header_;           // of a long record
};

}  // namespace neardup
