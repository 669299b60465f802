// ClueSegment: an immutable segment file of the kind "clue": texts with names and ids, and the postings of their anchors.
//
// Texts have the numbers 0 to texts() - 1, and their ids ascend with them. The payload is, each part from a multiple of 8 bytes on: the
// texts and the names (block_table.h), the ids and the sizes of the texts (below), the anchor image (anchor_image.h), and a trailer. The
// second section of the file is empty. docs/formats.md has all of it to the byte.
//
// Opening reads the ends only; blocks of the file are verified when they are first used. Trusts nothing: damage is an Error{kInput} that
// names the file. Immutable, shared by threads; a scratch belongs to one.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/anchors/anchor_image.h"
#include "store/clue/block_table.h"
#include "store/clue/packed_numbers.h"
#include "store/segment_file.h"

namespace neardup {
namespace clue_segment {

inline constexpr std::string_view kKind = "clue";
inline constexpr uint64_t kVersion = 1;

/// The last bytes of the payload.
struct Trailer {
  uint64_t version = kVersion;
  uint64_t texts = 0;
  uint64_t text_bytes = 0;  // of the table of texts
  uint64_t name_bytes = 0;  // of the table of names
  uint64_t first_id = 0;
  uint64_t last_id = 0;
  uint64_t image_bytes = 0;
};
static_assert(sizeof(Trailer) == 56);

/// The number of postings of a text in one byte: exact up to 15, larger ones rounded down to four significant bits. Merges add these up
/// to know how large an image becomes, so that the bytes of a segment depend on its texts only.
constexpr uint8_t posting_class(uint64_t postings) noexcept {
  const auto width = static_cast<uint32_t>(std::bit_width(postings));
  const uint32_t dropped = width <= 4 ? 0 : width - 4;
  return dropped > 30 ? uint8_t{255} : static_cast<uint8_t>(uint64_t{8} * dropped + (postings >> dropped));
}
constexpr uint64_t postings_of_class(uint8_t value) noexcept {
  return value < 16 ? value : uint64_t{value % 8u + 8u} << (value / 8u - 1u);
}

}  // namespace clue_segment

class ClueSegment {
 public:
  static constexpr uint32_t kMaxTexts = BlockTable::kMaxRecords;

  /// What reading texts and names needs. May be used for several segments, one after the other.
  class Scratch {
    friend class ClueSegment;
    BlockTable::Scratch texts_;
    BlockTable::Scratch names_;
  };

  /// Maps the file. Throws Error{kInput} that names it and what is wrong: see SegmentFile; also when its recipe is another one.
  ClueSegment(const std::string& path, uint64_t recipe_id);
  /// Of a file that is open.
  ClueSegment(std::unique_ptr<const SegmentFile> file, uint64_t recipe_id);

  [[nodiscard]] const SegmentFile& file() const noexcept { return *file_; }
  [[nodiscard]] uint32_t texts() const noexcept { return texts_.size(); }
  /// Of text < texts(). Ascending.
  [[nodiscard]] uint64_t id(uint32_t text) const { return trailer_.first_id + text + skipped_ids_[text]; }
  [[nodiscard]] std::optional<uint32_t> find(uint64_t id) const;
  /// Read in ascending order, each block of texts or names is decompressed once: about 0.3 us for a text of 200 bytes, 20 us at random.
  void read_text(uint32_t text, std::string& out, Scratch& scratch) const { texts_.read(text, out, scratch.texts_); }
  void read_name(uint32_t text, std::string& out, Scratch& scratch) const { names_.read(text, out, scratch.names_); }
  /// The same without a copy, until the next use of the scratch for a text or a name, respectively.
  [[nodiscard]] std::string_view view_text(uint32_t text, Scratch& scratch) const { return texts_.view(text, scratch.texts_); }
  [[nodiscard]] std::string_view view_name(uint32_t text, Scratch& scratch) const { return names_.view(text, scratch.names_); }
  /// A lower bound of the number of postings of the text, exact up to 15, at most a ninth below: a cheap filter, and cheap to read.
  [[nodiscard]] uint64_t min_postings(uint32_t text) const;
  /// Begins to read the blocks of the file that read_text() needs for these texts.
  void prefetch_texts(std::span<const uint32_t> texts) const;
  [[nodiscard]] const AnchorImage& anchors() const noexcept { return anchors_; }
  [[nodiscard]] uint64_t anchor_bytes() const noexcept { return trailer_.image_bytes; }

  // For merges.
  [[nodiscard]] const BlockTable& text_table() const noexcept { return texts_; }
  [[nodiscard]] const BlockTable& name_table() const noexcept { return names_; }
  [[nodiscard]] uint8_t posting_class(uint32_t text) const;

 private:
  // Where the parts begin in the payload, and the trailer.
  struct Layout {
    clue_segment::Trailer trailer;
    std::string_view texts;
    std::string_view names;
    std::string_view ids;
    std::string_view classes;
    std::string_view image;
  };
  static Layout layout_of(const SegmentFile& file, uint64_t recipe_id);
  // By reference: the file is moved only after layout_of() has read it, whatever order arguments are evaluated in.
  ClueSegment(std::unique_ptr<const SegmentFile>&& file, const Layout& layout);

  std::unique_ptr<const SegmentFile> file_;
  clue_segment::Trailer trailer_;
  BlockTable texts_;
  BlockTable names_;
  PackedNumbers skipped_ids_;  // of each text: ids between the first one and its own that no text has
  std::string_view classes_;
  AnchorImage anchors_;
};

}  // namespace neardup
