// RunRecord: what a finished run decided, read from its checkpoint directory (dedup --work): documents, verdicts, sources and counts.
//
// The last pass writes it as `verdicts.seg`, and the counts as `summary.json` (docs/formats.md). The file is mapped and never parsed:
// open() costs the same for a thousand documents and for a billion, and a look-up reads a few pages. Every part of the file is checked on
// its first use: all functions throw Error{kInput} that names the file if that part is damaged.
//
// Immutable; shared by threads. Views live as long as the record. For the texts of its documents see neardup/tools/run_texts.h.
//
// Implemented in src/dedup/record/run_record.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/document.h"

namespace neardup {

class RunRecord {
 public:
  /// Throws Error{kInput} when the directory has no run, the run is not finished (the message says how to finish it), or the record is
  /// damaged.
  static std::unique_ptr<const RunRecord> open(const std::string& directory);
  ~RunRecord();
  RunRecord(const RunRecord&) = delete;
  RunRecord& operator=(const RunRecord&) = delete;

  struct Entry {
    DocumentId where;
    std::string_view id;  ///< the user's id, or empty
    bool has_id = false;
    Reason reason = Reason::kUnique;
    std::optional<uint64_t> offset{};  ///< of the document in its source, if that is an uncompressed file (Record::offset)
    uint64_t cluster_size = 1;         ///< Verdict::cluster_size
    // Of removed documents; of others `keeper` is the document itself:
    uint32_t similarity_millionths = 0;  ///< Verdict::similarity, rounded to the nearest
    DocumentId keeper;                   ///< also a document of the reference corpus, or an entry of a reference index (the row is its id)
    std::string_view keeper_id;          ///< the user's id of the keeper, or empty
    bool keeper_has_id = false;

    [[nodiscard]] bool removed() const noexcept { return keeper != where; }
  };

  /// Number of documents: neither rejected records nor documents of the reference corpus. They are numbered in input order.
  [[nodiscard]] uint64_t size() const noexcept;
  /// number < size()
  [[nodiscard]] Entry entry(uint64_t number) const;

  /// The numbers of all documents with this id, ascending.
  [[nodiscard]] std::vector<uint64_t> find(std::string_view id) const;
  /// Nothing if this place has no document, or one of the reference corpus.
  [[nodiscard]] std::optional<uint64_t> find(const DocumentId& where) const;
  /// At most `most` ids that resemble this one, the most similar first. Reads all ids.
  [[nodiscard]] std::vector<std::string> nearest(std::string_view id, size_t most) const;

  /// The documents that the run removed because of a keeper, which may be of the reference corpus: their numbers, ascending, at most
  /// `most`.
  [[nodiscard]] std::vector<uint64_t> members(const DocumentId& keeper, size_t most) const;

  /// First the reference indexes, then the reference corpus, then the inputs, in input order.
  enum class SourceKind : uint8_t { kIndex, kReference, kInput };
  [[nodiscard]] uint32_t source_count() const noexcept;
  [[nodiscard]] std::string_view source_name(uint32_t source) const;
  [[nodiscard]] SourceKind source_kind(uint32_t source) const;
  /// DocumentSource::state_of() when the run finished; empty: unknown.
  [[nodiscard]] std::string_view source_state(uint32_t source) const;
  /// The first source with this name.
  [[nodiscard]] std::optional<uint32_t> find_source(std::string_view name) const;

  /// Recipe::id() of the recipe that judged, fitted to the corpus if it is one that is.
  [[nodiscard]] uint64_t recipe_id() const noexcept;
  /// Its canonical JSON.
  [[nodiscard]] std::string_view recipe_json() const noexcept;
  /// Summary::to_json() of the run, or empty if `summary.json` is missing.
  [[nodiscard]] const std::string& summary_json() const noexcept;
  /// The checkpoint directory.
  [[nodiscard]] const std::string& directory() const noexcept;

 private:
  class File;
  explicit RunRecord(std::unique_ptr<const File> file);
  const std::unique_ptr<const File> file_;
};

}  // namespace neardup
