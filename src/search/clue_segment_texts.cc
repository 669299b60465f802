#include "search/clue_segment_texts.h"

namespace neardup {
namespace {

class SegmentTexts final : public IndexedTexts {
 public:
  explicit SegmentTexts(std::shared_ptr<const ClueStore::Part> part) : part_(std::move(part)) {}

  [[nodiscard]] uint32_t texts() const override { return part_->segment->texts(); }
  [[nodiscard]] uint64_t id(uint32_t text) const override { return part_->segment->id(text); }
  [[nodiscard]] const AnchorImage& anchors() const override { return part_->segment->anchors(); }
  void read_text(uint32_t text, std::string& out, TextScratch& scratch) const override { part_->segment->read_text(text, out, scratch); }
  void read_name(uint32_t text, std::string& out, TextScratch& scratch) const override { part_->segment->read_name(text, out, scratch); }
  void prefetch(std::span<const uint32_t> texts) const override { part_->segment->prefetch_texts(texts); }

 private:
  std::shared_ptr<const ClueStore::Part> part_;
};

}  // namespace

SearchView search_view(const ClueStore::View& view) {
  SearchView seen;
  for (const auto& part : view.segments) seen.parts.push_back({std::make_shared<SegmentTexts>(part), part->born});
  seen.removals = view.removals;
  return seen;
}

}  // namespace neardup
