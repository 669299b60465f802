// What the record of truth holds, to the byte: a kept document, and an event that changes one. docs/formats.md has the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/sketcher.h"

namespace neardup {

/// A kept document. Views are valid as long as the bytes that they were read from.
struct StoredDocument {
  uint64_t sequence = 0;  ///< its place in the decided order
  uint64_t time = 0;      ///< of the request that inserted it; milliseconds since 1970
  uint64_t expires = 0;   ///< RowHead::expires
  ExactHash exact;
  bool is_short = false;
  std::string_view id = {};
  enum class Contents : uint8_t { kText = 1, kPackedText = 2, kFeatures = 3 };
  Contents contents = Contents::kText;
  std::string_view bytes = {};  ///< the text, as it is or in a frame of zstd; or features, u64 each, sorted, or a fingerprint
};

/// Appends the bytes: a version, the fields, and XXH3-64 of all bytes before.
void write_document(const StoredDocument& document, std::string& out);
/// Throws Error{kInput} that begins with `name` when the bytes are damaged.
StoredDocument read_document(std::string_view bytes, const std::string& name);

/// The text of a document, in `space` if it was packed; nothing if features are stored instead. Throws as read_document().
std::optional<std::string_view> text_of(const StoredDocument& document, std::string& space, const std::string& name);
/// Packs a text if that makes it much shorter: then `packed` has it, else it is empty. Insertions pack texts from kPackedAtOnce bytes on:
/// for a shorter one that takes as long as all else, and is done by a compaction (pack()).
void pack_text(std::string_view text, std::string& packed);
inline constexpr size_t kPackedAtOnce = 1024;
/// Packs the text of a document as pack_text() does, in `space`.
void pack(StoredDocument& document, std::string& space);

/// A change of a kept document that is part of the decided order.
struct StoreEvent {
  enum class Kind : uint8_t { kDelete = 1, kTouch = 2 };
  uint64_t sequence = 0;
  Kind kind = Kind::kDelete;
  uint64_t target = 0;   ///< the sequence of the document
  uint64_t time = 0;     ///< milliseconds since 1970
  uint64_t expires = 0;  ///< the new one
};
void write_event(const StoreEvent& event, std::string& out);
/// As read_document().
StoreEvent read_event(std::string_view bytes, const std::string& name);

}  // namespace neardup
