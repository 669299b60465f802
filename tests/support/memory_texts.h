// MemoryTexts: a segment of a clue index in memory. make_view(): a view of texts in some segments, to ask questions without files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "search/indexed_texts.h"
#include "search/question.h"
#include "support/posting_lists.h"

namespace neardup::testing {

struct TextWithId {
  uint64_t id = 0;
  std::string text;
};

class MemoryTexts final : public IndexedTexts {
 public:
  /// Ids ascend.
  MemoryTexts(std::vector<TextWithId> texts, const ClueMaker& maker) : texts_(std::move(texts)) {
    ClueForm::Scratch form_scratch;
    AnchorScratch anchor_scratch;
    std::string form;
    std::vector<Anchor> anchors;
    Postings postings;
    for (uint32_t text = 0; text < texts_.size(); ++text) {
      maker.form.form(texts_[text].text, form, form_scratch);
      text_anchors(form, maker.shape, anchor_scratch, anchors);
      for (const Anchor& anchor : anchors) postings.insert({anchor.hash, text, anchor.context});
    }
    bytes_ = image_of(postings, postings.size());
    image_ = std::make_unique<AnchorImage>(bytes_.data(), bytes_.size(), nullptr, "memory");
  }

  [[nodiscard]] uint32_t texts() const override { return static_cast<uint32_t>(texts_.size()); }
  [[nodiscard]] uint64_t id(uint32_t text) const override { return texts_.at(text).id; }
  [[nodiscard]] const AnchorImage& anchors() const override { return *image_; }
  void read_text(uint32_t text, std::string& out, TextScratch&) const override { out = texts_.at(text).text; }
  void read_name(uint32_t text, std::string& out, TextScratch&) const override { out = "text-" + std::to_string(texts_.at(text).id); }
  void prefetch(std::span<const uint32_t>) const override {}

 private:
  std::vector<TextWithId> texts_;
  std::string bytes_;
  std::unique_ptr<AnchorImage> image_;
};

/// Text i has the id i and lies in segment i % segments, so that ids interleave as after merges.
inline SearchView make_view(const std::vector<std::string>& texts, size_t segments, const ClueMaker& maker) {
  std::vector<std::vector<TextWithId>> parts(segments);
  for (size_t i = 0; i < texts.size(); ++i) parts[i % segments].push_back({i, texts[i]});
  SearchView view;
  for (auto& part : parts) view.parts.push_back({std::make_shared<MemoryTexts>(std::move(part), maker), 0});
  return view;
}

}  // namespace neardup::testing
