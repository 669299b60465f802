// merge_clue_segments(): one clue segment from several, without removed texts. Nothing is derived from texts again.
//
// Texts are renumbered by ascending id. The order of the texts of one segment stays, so its postings stay in order, and the postings of all
// are merged in one pass. Whole blocks of texts and names are copied compressed where the texts of a block stay neighbours. The file has
// the bytes that ClueSegmentWriter writes for the remaining entries.
//
// Memory: half a megabyte for each segment, and what AnchorImageWriter needs. For texts that were removed, or that come between those of
// another segment, also 12 bytes for each run of neighbours, and 4 bytes for each text of the segment; beyond half of build.memory in two
// temporary files. Throws Error{kInput} when a
// segment is damaged or two have the same id, Error{kOutput}, Error{kStopped}; then there is no file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "store/clue/clue_segment.h"
#include "store/removals.h"
#include "store/segment_writer.h"
#include "store/store_build.h"

namespace neardup {

struct ClueMergePart {
  const ClueSegment* segment = nullptr;
  uint64_t born = 0;  ///< see removals.h
};

WrittenSegment merge_clue_segments(const std::string& path, uint64_t recipe_id, const std::string& recipe,
                                   std::span<const ClueMergePart> parts, const Removals& removals, const StoreBuild& build);

}  // namespace neardup
