// IndexedTexts: a segment of a clue index as questions see it; SearchView: all segments of an index at one moment.
//
// The texts of a segment have the numbers 0 to texts() - 1, and their ids ascend. Immutable, shared by threads; a TextScratch belongs to
// one thread. Everything throws Error{kInput} when a file is damaged.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/anchors/anchor_image.h"
#include "neardup/source.h"
#include "store/clue/clue_segment.h"
#include "store/removals.h"

namespace neardup {

/// What one thread needs to read texts: for any number of segments of one index, and costly to make.
struct TextScratch {
  ClueSegment::Scratch segment;             ///< also for other indexes
  std::unique_ptr<ReferredTexts> referred;  ///< made when first used; of one index
};

class IndexedTexts {
 public:
  IndexedTexts() = default;
  virtual ~IndexedTexts() = default;
  IndexedTexts(const IndexedTexts&) = delete;
  IndexedTexts& operator=(const IndexedTexts&) = delete;

  [[nodiscard]] virtual uint32_t texts() const = 0;
  [[nodiscard]] virtual uint64_t id(uint32_t text) const = 0;
  [[nodiscard]] virtual const AnchorImage& anchors() const = 0;
  /// Cheapest in ascending order with one scratch.
  virtual void read_text(uint32_t text, std::string& out, TextScratch& scratch) const = 0;
  virtual void read_name(uint32_t text, std::string& out, TextScratch& scratch) const = 0;
  /// Begins to read what read_text() needs for these texts.
  virtual void prefetch(std::span<const uint32_t> texts) const = 0;
};

struct SearchPart {
  std::shared_ptr<const IndexedTexts> texts;
  uint64_t born = 0;  ///< see removals.h
};

struct SearchView {
  std::vector<SearchPart> parts;
  Removals removals;

  [[nodiscard]] bool removed(const SearchPart& part, uint32_t text) const {
    return removals.concern(part.born) && removals.kill(part.texts->id(text), part.born);
  }
};

}  // namespace neardup
