#include "store/clue/clue_segment_writer.h"

#include <algorithm>

#include "index/anchors/anchor_image_writer.h"

namespace neardup {
namespace {

constexpr uint64_t kNoBound = uint64_t{1} << 60;

}  // namespace

ClueSegmentWriter::ClueSegmentWriter(const std::string& path, uint64_t recipe_id, const std::string& recipe, const StoreBuild& build)
    : payload_(path, recipe_id, recipe, build), sorter_(build.memory == 0 ? kNoBound : build.memory, build.temp_dir) {}

void ClueSegmentWriter::add(uint64_t id, std::string_view name, std::string_view text, std::span<const Anchor> anchors) {
  distinct_.clear();
  for (const Anchor& anchor : anchors) distinct_.push_back(anchor.hash << kContextBits | anchor.context);
  std::ranges::sort(distinct_);
  distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());

  const uint32_t number = payload_.entries();
  payload_.add_entry(id, clue_segment::posting_class(distinct_.size()));
  payload_.texts().add(text);
  payload_.names().add(name);
  for (const uint64_t posting : distinct_) {
    sorter_.add(Posting{posting >> kContextBits, number, static_cast<uint16_t>(posting & ((1u << kContextBits) - 1))});
  }
}

WrittenSegment ClueSegmentWriter::commit() {
  payload_.begin_image();
  AnchorImageWriter image(payload_.image(), payload_.expected_postings());
  sorter_.for_each([&](const Posting& posting) { image.add(posting); });
  image.finish();
  return payload_.commit();
}

}  // namespace neardup
