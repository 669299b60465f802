// DocumentTable: keeps the place, id, exact hash, state and rank values of every document of a run in memory.
//
// A document is a u32 ordinal: its position in the input order. Rejected records are not documents and take one bit each, from which later
// passes over the same input find the document of a record. Filled batch by batch in order by one thread; read-only afterwards, by any
// number of threads, until the next slice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/corpus/keep_policy.h"
#include "dedup/corpus/rejected_records.h"
#include "neardup/document.h"
#include "neardup/sketcher.h"

namespace neardup {

inline constexpr uint32_t kNoDocument = 0xFFFF'FFFF;

/// The documents of one batch, collected by its worker. Reused.
struct BatchDocuments {
  enum Flag : uint8_t { kShort = 2, kHasId = 4, kRepaired = 8, kBadId = 16, kMalformed = 32, kNoBlock = 64, kProtected = 128 };

  uint32_t records = 0;  ///< documents and rejected records
  RejectedRecords rejected;
  std::vector<uint8_t> flags;
  std::vector<ExactHash> exact;
  std::vector<DocumentId> places;  ///< Record::where, as counted within the batch
  std::string id_bytes;            ///< the ids one after the other
  std::vector<uint64_t> id_ends;
  std::vector<uint32_t> text_bytes;
  std::vector<uint64_t> value_keys;

  void clear();
  void add(const Record& record, uint8_t flags_of_document, const ExactHash& hash);
  /// The next record is rejected.
  void reject() { rejected.add(records++); }
  /// True if the places of the documents follow from the numbers of their records in `source`: then no places are stored.
  [[nodiscard]] bool has_implicit_places(uint32_t source) const noexcept;
};

class DocumentTable {
 public:
  DocumentTable(const KeepPolicy& policy, uint32_t reference_sources) : policy_(policy), reference_sources_(reference_sources) {}

  /// Appends a batch whose first record is in `source`; the rows of a source continue from the batch before. `rows` as Batch::rows().
  /// Throws Error{kResource} beyond limits::kMaxDocuments.
  void append(const BatchDocuments& batch, uint32_t source, uint64_t rows);
  /// Ranks all documents. Called after the last append; where the rank is the input order, after the last of each slice.
  void finish();

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(flags_.size()); }
  [[nodiscard]] size_t batch_count() const noexcept { return batches_.size(); }
  [[nodiscard]] uint32_t first_document(size_t batch) const noexcept { return batches_[batch].first; }
  [[nodiscard]] uint32_t documents(size_t batch) const noexcept { return batches_[batch].count; }
  /// Documents and rejected records of a batch.
  [[nodiscard]] uint32_t records(size_t batch) const noexcept { return batches_[batch].count + batches_[batch].rejected.count(); }
  /// The document that a record of the batch is; kNoDocument if it is rejected, or the batch has no such record.
  [[nodiscard]] uint32_t document(size_t batch, uint32_t record) const noexcept;
  /// The place in the input of a record that is numbered within the batch.
  [[nodiscard]] DocumentId place(size_t batch, DocumentId within) const noexcept;

  [[nodiscard]] bool too_short(uint32_t document) const noexcept { return (flags_[document] & BatchDocuments::kShort) != 0; }
  [[nodiscard]] bool has(BatchDocuments::Flag flag, uint32_t document) const noexcept { return (flags_[document] & flag) != 0; }
  [[nodiscard]] bool has_id(uint32_t document) const noexcept { return (flags_[document] & BatchDocuments::kHasId) != 0; }
  [[nodiscard]] bool reference(uint32_t document) const noexcept { return document < reference_end_; }
  /// True if it is never removed (Options::protect).
  [[nodiscard]] bool is_protected(uint32_t document) const noexcept {
    return (flags_[document] & BatchDocuments::kProtected) != 0 && !reference(document);
  }
  [[nodiscard]] bool is_reference_source(uint32_t source) const noexcept { return source < reference_sources_; }
  /// True if the document is decided: it is of the reference corpus or of a closed slice.
  [[nodiscard]] bool decided(uint32_t document) const noexcept { return document < open_begin_ || reference(document); }
  /// The first document of the open slice; 0 in a run without slices.
  [[nodiscard]] uint32_t open_begin() const noexcept { return open_begin_; }
  /// All documents so far are decided.
  void close_slice() noexcept { open_begin_ = size(); }
  [[nodiscard]] const ExactHash& exact(uint32_t document) const noexcept { return exact_[document]; }
  [[nodiscard]] std::string_view id(uint32_t document) const noexcept;
  [[nodiscard]] DocumentId place(uint32_t document) const noexcept;

  /// True if `a` comes before `b` in rank order. Strict and total.
  [[nodiscard]] bool ranked_before(uint32_t a, uint32_t b) const noexcept { return rank_.empty() ? a < b : rank_[a] < rank_[b]; }
  [[nodiscard]] bool has_value(uint32_t document) const noexcept { return value_keys_.empty() || value_keys_[document] != kNoValue; }
  void forget_exact_hashes() { std::vector<ExactHash>().swap(exact_); }

 private:
  struct BatchPlace {
    uint32_t first;
    uint32_t count;
    uint32_t source;
    uint64_t first_row;  // added to the rows of the records of `source`
    std::string id_bytes;
    std::vector<uint32_t> id_ends;   // empty when no document of the batch has an id
    std::vector<DocumentId> places;  // empty when BatchDocuments::has_implicit_places()
    RejectedRecords rejected;
  };
  [[nodiscard]] const BatchPlace& batch_of(uint32_t document) const noexcept;
  [[nodiscard]] RankInputs rank_inputs(uint32_t document) const noexcept;

  KeepPolicy policy_;
  uint32_t reference_sources_;
  uint32_t reference_end_ = 0;
  uint32_t open_begin_ = 0;
  uint32_t row_source_ = kNoDocument;
  uint64_t row_count_ = 0;
  std::vector<BatchPlace> batches_;
  std::vector<uint8_t> flags_;
  std::vector<ExactHash> exact_;
  std::vector<uint32_t> text_bytes_;  // these two only if the policy needs them
  std::vector<uint64_t> value_keys_;
  std::vector<uint32_t> rank_;  // empty: input order
};

}  // namespace neardup
