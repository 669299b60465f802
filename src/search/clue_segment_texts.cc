#include "search/clue_segment_texts.h"

#include <fmt/format.h>

#include "neardup/error.h"
#include "search/text_reference.h"

namespace neardup {
namespace {

class SegmentTexts final : public IndexedTexts {
 public:
  SegmentTexts(std::shared_ptr<const ClueStore::Part> part, const StoredTexts& stored) : part_(std::move(part)), stored_(stored) {}

  [[nodiscard]] uint32_t texts() const override { return part_->segment->texts(); }
  [[nodiscard]] uint64_t id(uint32_t text) const override { return part_->segment->id(text); }
  [[nodiscard]] const AnchorImage& anchors() const override { return part_->segment->anchors(); }
  void read_text(uint32_t text, std::string& out, TextScratch& scratch) const override {
    if (!stored_.refer) return part_->segment->read_text(text, out, scratch.segment);
    TextReference reference;
    if (!parse_reference(part_->segment->view_text(text, scratch.segment), reference)) {
      throw Error(ErrorCode::kInput, fmt::format("'{}': text {} is not a reference to a source", part_->segment->file().name(), text));
    }
    if (!scratch.referred) {
      if (!stored_.referred) {
        throw Error(ErrorCode::kUsage, "the index refers to texts in their sources; open it with what reads these");
      }
      scratch.referred = stored_.referred();
    }
    scratch.referred->read(reference, out);
  }
  void read_name(uint32_t text, std::string& out, TextScratch& scratch) const override {
    part_->segment->read_name(text, out, scratch.segment);
  }
  void prefetch(std::span<const uint32_t> texts) const override { part_->segment->prefetch_texts(texts); }

 private:
  std::shared_ptr<const ClueStore::Part> part_;
  const StoredTexts& stored_;
};

}  // namespace

SearchView search_view(const ClueStore::View& view, const StoredTexts& stored) {
  SearchView seen;
  for (const auto& part : view.segments) seen.parts.push_back({std::make_shared<SegmentTexts>(part, stored), part->born});
  seen.removals = view.removals;
  return seen;
}

}  // namespace neardup
