#include "search/clue_segment_texts.h"

#include <fmt/format.h>

#include "neardup/error.h"
#include "search/text_reference.h"

namespace neardup {
namespace {

class SegmentReader final : public TextReader {
 public:
  explicit SegmentReader(const ClueSegment& segment) : segment_(segment) {}
  void read_text(uint32_t text, std::string& out) override { segment_.read_text(text, out, scratch_); }
  void read_name(uint32_t text, std::string& out) override { segment_.read_name(text, out, scratch_); }

 private:
  const ClueSegment& segment_;
  ClueSegment::Scratch scratch_;
};

// The records of the segment say where texts are.
class ReferenceReader final : public TextReader {
 public:
  ReferenceReader(const ClueSegment& segment, const StoredTexts& stored) : segment_(segment), stored_(stored) {}

  void read_text(uint32_t text, std::string& out) override {
    TextReference reference;
    if (!parse_reference(segment_.view_text(text, scratch_), reference)) {
      throw Error(ErrorCode::kInput, fmt::format("'{}': text {} is not a reference to a source", segment_.file().name(), text));
    }
    if (!texts_) {
      if (!stored_.referred) {
        throw Error(ErrorCode::kUsage, "the index refers to texts in their sources; open it with what reads these");
      }
      texts_ = stored_.referred();
    }
    texts_->read(reference, out);
  }
  void read_name(uint32_t text, std::string& out) override { segment_.read_name(text, out, scratch_); }

 private:
  const ClueSegment& segment_;
  ClueSegment::Scratch scratch_;
  const StoredTexts& stored_;
  std::unique_ptr<ReferredTexts> texts_;
};

class SegmentTexts final : public IndexedTexts {
 public:
  SegmentTexts(std::shared_ptr<const ClueStore::Part> part, const StoredTexts& stored) : part_(std::move(part)), stored_(stored) {}

  [[nodiscard]] uint32_t texts() const override { return part_->segment->texts(); }
  [[nodiscard]] uint64_t id(uint32_t text) const override { return part_->segment->id(text); }
  [[nodiscard]] const AnchorImage& anchors() const override { return part_->segment->anchors(); }
  [[nodiscard]] std::unique_ptr<TextReader> reader() const override {
    if (stored_.refer) return std::make_unique<ReferenceReader>(*part_->segment, stored_);
    return std::make_unique<SegmentReader>(*part_->segment);
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
