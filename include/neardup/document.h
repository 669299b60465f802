// Document, Verdict: the input and the result of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/tools/rejects.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// The place of a document: the ordinal of its source in the given order, and its row (the line in a JSON Lines file, from 1; 1 for a file
/// that is one document). This order is the input order.
struct DocumentId {
  uint32_t source = 0;
  uint64_t row = 0;
  friend auto operator<=>(const DocumentId&, const DocumentId&) = default;
};

/// One record of an input. The views are valid until the visitor of the record returns.
struct Record {
  DocumentId where;
  std::string_view raw;                 ///< the input's own bytes, without the '\n' that ends the record
  std::optional<uint64_t> offset = {};  ///< where `raw` begins in its source, if that is an uncompressed file that can be read again
  std::string_view problem;             ///< not empty: the record is rejected for this reason; without the place
  RejectKind reject_kind = RejectKind::kOther;  ///< of that problem
  std::string_view id;                          ///< the user's id, or empty
  std::string_view text;
  std::string_view block = {};  ///< the string or number at SourceOptions::block_field; empty: none
  bool has_id = false;
  bool bad_id = false;        ///< the id field holds neither a string nor a number; the document has no id
  bool malformed = false;     ///< of a text file: bytes that its charset does not have were read as U+FFFD
  bool repaired = false;      ///< malformed UTF-8 or lone surrogates in the text were read as U+FFFD
  bool is_protected = false;  ///< it has one of SourceOptions::protect
  bool has_rank_value = false;
  double rank_value = 0;  ///< the number at the rank field, for the keep policies max:FIELD and min:FIELD
};

enum class Decision : uint8_t { kKeep, kRemove };
enum class Reason : uint8_t {
  kUnique,         ///< kept: nothing kept before it matches
  kKeeper,         ///< kept: at least one removed document matches it
  kShort,          ///< kept: too few features for a sketch, and no exact copy was kept before it
  kExactCopy,      ///< removed: the same normalized text as its keeper
  kNearDuplicate,  ///< removed: verified similarity at or above the threshold
  kContained,      ///< removed under measure = containment: its keeper contains it
  kUnverified,     ///< removed under verify = false: shares an LSH band; the similarity is an estimate
  kConnected,      ///< removed under cluster = components: connected to its keeper, but below the threshold
  kProtected,      ///< kept: it matches a kept document, but Options::protect spares it
};
inline constexpr Reason kLastReason = Reason::kProtected;  ///< run records store reasons as numbers: new ones come last
std::string_view to_string(Decision) noexcept;
std::string_view to_string(Reason) noexcept;

struct Verdict {
  Decision decision = Decision::kKeep;
  Reason reason = Reason::kUnique;
  // For removed documents only:
  DocumentId keeper;
  std::string_view keeper_id;  ///< the user's id of the keeper, or empty
  bool keeper_has_id = false;
  double similarity = 0;  ///< Jaccard of the features, or the containment of this document; 1 for exact copies
  // For all documents. A cluster is a kept document, of this run or of the reference corpus, or an entry of an index, with the documents
  // that this run removed because of it.
  DocumentId cluster;         ///< its keeper: of a kept document the document itself
  uint64_t cluster_size = 1;  ///< its members, the keeper included
};

}  // namespace neardup
