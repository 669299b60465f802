// CluePayloadWriter: writes the file of a clue segment (clue_segment.h) front to back; what ClueSegmentWriter and merge_clue_segments()
// share. Texts come first and go to the file as they are; names and what belongs to an entry wait, beyond some MB in temporary files.
//
//   CluePayloadWriter payload(path, recipe_id, recipe, build);
//   payload.texts().add(...); payload.names().add(...); payload.add_entry(id, posting_class);   // for each text, in order of ids
//   payload.begin_image(); ... AnchorImageWriter image(payload.image(), payload.expected_postings()); ... image.finish();
//   payload.commit();
#pragma once

#include <cstdint>
#include <string>

#include "base/spill_file.h"
#include "store/clue/block_table_writer.h"
#include "store/clue/clue_segment.h"
#include "store/segment_writer.h"
#include "store/store_build.h"

namespace neardup {

class CluePayloadWriter {
 public:
  CluePayloadWriter(const std::string& path, uint64_t recipe_id, const std::string& recipe, const StoreBuild& build);

  BlockTableWriter& texts() noexcept { return texts_; }
  BlockTableWriter& names() noexcept { return names_; }
  /// Ids ascend: throws Error{kUsage} otherwise.
  void add_entry(uint64_t id, uint8_t posting_class);
  [[nodiscard]] uint32_t entries() const noexcept { return static_cast<uint32_t>(trailer_.texts); }

  /// Writes everything before the image.
  void begin_image();
  [[nodiscard]] ByteSink& image() noexcept { return writer_; }
  [[nodiscard]] uint64_t expected_postings() const noexcept { return expected_postings_; }
  WrittenSegment commit();

 private:
  void pad();

  SegmentWriter writer_;
  SpillFile waiting_names_;
  SpillFile ids_;
  SpillFile classes_;
  BlockTableWriter texts_;
  BlockTableWriter names_;
  clue_segment::Trailer trailer_;
  uint64_t expected_postings_ = 0;
  uint64_t image_begin_ = 0;
};

}  // namespace neardup
