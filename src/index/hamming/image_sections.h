// ImageSections writes the aligned sections of an image (see hamming_image.h) to a sink. ImageIds collects the ids, which come in the order
// of table 0 and are written after the other tables.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "base/spill_file.h"
#include "index/hamming/bucket_directory.h"
#include "index/hamming/hamming_build.h"
#include "index/hamming/hamming_image.h"

namespace neardup {

class ImageSections {
 public:
  /// The image begins at the end of the sink.
  explicit ImageSections(ByteSink& sink) : sink_(sink), begin_(sink.size()) {}

  /// From the beginning of the image.
  [[nodiscard]] uint64_t here() const noexcept { return sink_.size() - begin_; }
  /// The start of the new section.
  uint64_t begin() {
    pad(sink_, here());
    return here();
  }
  void append(std::string_view bytes) { sink_.append(bytes); }
  template <typename T>
  void append_values(const std::vector<T>& values) {
    sink_.append({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void append_zeros(size_t bytes) { sink_.append(std::string(bytes, '\0')); }
  void append_waiting(SpillFile& bytes) { bytes.move_to(sink_); }
  /// Writes the two sections of a finished directory.
  DirectorySection append_counts(BucketDirectoryWriter& counts) {
    DirectorySection section{.count_bytes = counts.count_bytes()};
    section.lines = begin();
    counts.move_lines_to(sink_);
    section.spill = begin();
    section.spill_count = counts.spill_count();
    counts.move_spill_to(sink_);
    return section;
  }

  /// Pads from `size` to the next possible start of a section.
  static void pad(ByteSink& sink, uint64_t size) {
    static constexpr char kZeros[kSectionBytes] = {};
    sink.append({kZeros, (kSectionBytes - size % kSectionBytes) % kSectionBytes});
  }

 private:
  ByteSink& sink_;
  uint64_t begin_;
};

/// The ids of an image, and how many each distinct code has.
class ImageIds {
 public:
  /// For `rows` codes. `memory_bytes`: for each of the two waiting buffers (see SpillFile).
  ImageIds(HammingIds kind, std::span<const uint64_t> ids, size_t rows, uint64_t memory_bytes, const std::string& temp_dir)
      : kind_(kind),
        ids_(ids),
        id_bytes_(width(kind, ids, rows)),
        memory_bytes_(memory_bytes),
        temp_directory_(temp_dir),
        waiting_(memory_bytes, temp_dir) {}

  /// Of an id; 0: there are none.
  [[nodiscard]] uint32_t id_bytes() const noexcept { return id_bytes_; }
  [[nodiscard]] uint64_t id_of(size_t row) const noexcept { return kind_ == HammingIds::kGiven ? ids_[row] : row; }

  /// The ids of the next `distinct` codes, packed. `equal`: how many each of them has; empty: one.
  void append(std::string_view packed, uint64_t distinct, const std::vector<uint64_t>& equal) {
    waiting_.append(packed);
    count(distinct, equal);
    codes_ += distinct;
  }

  void write(ImageSections& sections, ImageEnd& end) {
    end.id_bytes = id_bytes_;
    if (id_bytes_ == 0) return;
    end.ids = sections.begin();
    sections.append_waiting(waiting_);
    sections.append_zeros(kIdSlack);
    if (!counts_) return;
    counts_->finish(codes_);
    end.id_counts = sections.append_counts(*counts_);
  }

 private:
  static uint32_t width(HammingIds kind, std::span<const uint64_t> ids, size_t rows) {
    if (kind == HammingIds::kNone) return 0;
    uint64_t most = rows == 0 ? 0 : rows - 1;
    if (kind == HammingIds::kGiven && !ids.empty()) most = *std::ranges::max_element(ids);
    return std::max(1u, (static_cast<uint32_t>(std::bit_width(most)) + 7) / 8);
  }

  // The counts begin with the first code that has a second id.
  void count(uint64_t distinct, const std::vector<uint64_t>& equal) {
    if (!counts_ && equal.empty()) return;
    if (!counts_) {
      counts_.emplace(1, memory_bytes_, temp_directory_);
      for (uint64_t code = 0; code < codes_; ++code) counts_->add(code, 1);
    }
    for (uint64_t code = 0; code < distinct; ++code) counts_->add(codes_ + code, equal.empty() ? 1 : equal[code]);
  }

  HammingIds kind_;
  std::span<const uint64_t> ids_;
  uint32_t id_bytes_;
  uint64_t memory_bytes_;
  std::string temp_directory_;
  SpillFile waiting_;
  uint64_t codes_ = 0;  // distinct ones so far
  std::optional<BucketDirectoryWriter> counts_;
};

}  // namespace neardup
