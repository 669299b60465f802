// ImageSections: the sections of an image (see hamming_image.h) on their way into a sink, each begun where a section may begin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "index/hamming/count_lines_writer.h"
#include "index/hamming/hamming_image.h"
#include "index/hamming/side_bytes.h"

namespace neardup {

class ImageSections {
 public:
  /// The image begins at the end of the sink.
  explicit ImageSections(ByteSink& sink) : sink_(sink), begin_(sink.size()) {}

  /// From the beginning of the image.
  [[nodiscard]] uint64_t here() const noexcept { return sink_.size() - begin_; }
  /// Where the new section begins.
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
  void append_waiting(SideBytes& bytes) { bytes.move_to(sink_); }
  /// Two sections, of what is finished.
  CountSection append_counts(CountLinesWriter& counts) {
    CountSection section{.count_bytes = counts.count_bytes()};
    section.lines = begin();
    counts.move_lines_to(sink_);
    section.spill = begin();
    section.spill_count = counts.spill_count();
    counts.move_spill_to(sink_);
    return section;
  }

  /// Fills what stands at `size` up to where a section may begin.
  static void pad(ByteSink& sink, uint64_t size) {
    static constexpr char kZeros[kSectionBytes] = {};
    sink.append({kZeros, (kSectionBytes - size % kSectionBytes) % kSectionBytes});
  }

 private:
  ByteSink& sink_;
  uint64_t begin_;
};

}  // namespace neardup
