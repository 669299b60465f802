// SegmentWriter: writes a segment file sequentially; it gets its name when it is complete.
//
//   SegmentWriter writer(path, {.kind = "hamming", .bits = 64});
//   writer.append(bytes);        // the payload, in any number of parts
//   writer.begin_names();        // optional
//   writer.append(more);
//   writer.commit();
//
// Hashes blocks as they pass. Throws Error{kOutput} that names the file, the reason, and how much was written. For one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/byte_sink.h"
#include "store/segment_format.h"

namespace neardup {

struct SegmentInfo {
  std::string kind;         ///< at most 8 characters: the kind of the payload
  uint32_t bits = 0;        ///< of the codes in it; 0: none
  uint64_t recipe_id = 0;   ///< 0: none
  std::string recipe = {};  ///< its canonical JSON, or empty
  uint64_t entries = 0;     ///< of the payload; may be set until commit()
};

/// What a manifest says of a segment.
struct WrittenSegment {
  uint64_t sum = 0;
  uint64_t entries = 0;
};

class SegmentWriter final : public ByteSink {
 public:
  SegmentWriter(const std::string& path, const SegmentInfo& info);
  ~SegmentWriter() override;
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  void append(std::string_view bytes) override;
  /// Begins the second section.
  void begin_names();
  void set_entries(uint64_t entries) noexcept { header_.entries = entries; }
  /// Bytes of the current section.
  [[nodiscard]] uint64_t size() const noexcept override { return in_names_ ? header_.names_bytes : header_.payload_bytes; }
  void commit();
  /// AtomicFile::withdraw()
  void withdraw() noexcept { file_.withdraw(); }
  /// The value of SegmentFile::sum(). After commit().
  [[nodiscard]] uint64_t sum() const noexcept { return sum_; }
  [[nodiscard]] uint64_t file_bytes() const noexcept { return header_.file_bytes; }

 private:
  struct BlockHash;
  void end_section();
  void pad(uint64_t offset);

  AtomicFile file_;
  segment::Header header_{};
  std::string recipe_;
  bool in_names_ = false;
  std::unique_ptr<BlockHash> block_;
  std::vector<uint64_t> hashes_;
  uint64_t sum_ = 0;
};

}  // namespace neardup
