// ClueSegmentWriter: writes a clue segment (clue_segment.h) from texts and their anchors.
//
// The bytes depend on the set of entries only, not on threads or memory. Postings are sorted within build.memory (0: no bound), beyond it
// in temporary files; the rest takes some MB, the longest text, and what AnchorImageWriter needs. Threads of the build compress texts. The file gets its name at
// commit(); without it, nothing remains. Throws Error{kOutput}, Error{kStopped}; then it may only be destroyed. For one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/anchors/anchors.h"
#include "index/anchors/posting_sorter.h"
#include "store/clue/clue_payload_writer.h"

namespace neardup {

class ClueSegmentWriter {
 public:
  /// `recipe`: canonical JSON.
  ClueSegmentWriter(const std::string& path, uint64_t recipe_id, const std::string& recipe, const StoreBuild& build);

  /// Names and texts are any bytes, at most limits::kMaxTextBytes. `anchors` in any order. Throws Error{kUsage} unless ids ascend.
  void add(uint64_t id, std::string_view name, std::string_view text, std::span<const Anchor> anchors);
  [[nodiscard]] uint32_t texts() const noexcept { return payload_.entries(); }
  WrittenSegment commit();

 private:
  CluePayloadWriter payload_;
  PostingSorter sorter_;
  std::vector<uint64_t> distinct_;  // hash, then context, of the anchors of one text
};

}  // namespace neardup
