// The layout of `verdicts.seg` (docs/formats.md has it to the byte), a segment file of kind "verdicts".
//
//   payload   a Row for each document, in input order; an IdHash for each that has an id, ascending; the number of each removed document,
//             ascending by its keeper, then by number; a Source for each source; Counts
//   names     the bytes of all ids and names; rows and sources say where theirs are
//
// Everything but the bytes of names has a fixed width, so that a reader looks up what it needs without reading the rest.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace neardup::record {

inline constexpr std::string_view kKind = "verdicts";
inline constexpr std::string_view kFileName = "verdicts.seg";
inline constexpr std::string_view kSummaryName = "summary.json";
inline constexpr uint64_t kFormat = 1;
inline constexpr uint64_t kNoOffset = ~uint64_t{0};

struct Row {
  enum Flag : uint8_t { kHasId = 1, kRemoved = 2, kKeeperHasId = 4 };

  uint64_t row;
  uint64_t keeper_row;  // of a kept document 0, as all about its keeper
  uint64_t offset;      // in the source, or kNoOffset
  uint64_t names_at;    // of the id, then the keeper's id, in the names
  uint32_t source;
  uint32_t keeper_source;
  uint32_t id_bytes;
  uint32_t keeper_id_bytes;
  uint32_t similarity;    // in millionths
  uint32_t cluster_size;  // a run has fewer than 2^32 documents
  uint8_t reason;         // neardup::Reason
  uint8_t flags;
  uint8_t zeros[6];
};
static_assert(sizeof(Row) == 64 && std::has_unique_object_representations_v<Row>);

struct IdHash {
  uint64_t hash;  // XXH3-64 of the id
  uint64_t number;
  friend auto operator<=>(const IdHash&, const IdHash&) = default;
};

struct Source {
  uint64_t names_at;  // of the name, then the state
  uint32_t name_bytes;
  uint32_t state_bytes;
  uint32_t kind;  // RunRecord::SourceKind
  uint32_t zero;
};
static_assert(sizeof(Source) == 24 && std::has_unique_object_representations_v<Source>);

/// The end of the payload.
struct Counts {
  uint64_t format;
  uint64_t documents;
  uint64_t ids;
  uint64_t removed;
  uint64_t sources;
};

}  // namespace neardup::record
