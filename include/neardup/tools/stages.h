// Stages: dedup() as functions of bytes, for runs over several machines.
//
// Something else moves the bytes: it groups them by their part between the stages. The order is
//
//   pack -> [by part] collapse -> [by part] link -> components -> candidates -> [by root, sorted by rank] decide -> match, until nothing
//   is left
//
// A document has a rank, a unique number whose order is the scan order: the lower one is kept. Bytes travel as blobs: records of one kind
// with a header that names format, recipe and options; a blob that is damaged, or was made by another recipe or with other options, is
// Error{kInput}. The records that a stage makes depend on those that it gets, not on their order, on blobs or on the number of parts.
//
// A Stages is immutable and may be shared by threads. Every other object is for one thread, starts no others, and may only be destroyed
// after it has thrown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/options.h"
#include "neardup/tools/rejects.h"

namespace neardup {

enum class BlobKind : uint8_t {
  kDocuments = 1,   ///< exact hash, rank, band keys or fingerprint
  kShortDocuments,  ///< exact hash, rank: of documents without a sketch
  kIds,             ///< rank: every document has one, so that equal ranks meet
  kCopies,          ///< rank, rank of the first document with the same text
  kShorts,          ///< rank of a document without a sketch, the first with its text
  kKeys,            ///< key, rank: by band, or by block of the fingerprints
  kEdges,           ///< rank, the least rank of those that it is connected with there
  kCodes,           ///< rank, fingerprint: of documents with an edge
  kCounts,          ///< StageCounts
  kHalves,          ///< rank, rank: an edge seen from the first
  kTally,           ///< number and hash of edges
  kFrequencies,     ///< hash of a token, number of documents that have it, ascending: see frequency_stages.h
};

struct Blob {
  uint32_t part = 0;  ///< where it goes: equal keys, equal parts
  BlobKind kind = BlobKind::kDocuments;
  std::string bytes;
};

/// What a stage may use.
struct StageSpace {
  uint64_t memory = 256'000'000;  ///< bytes; at least kMinStageMemory
  std::string temp_dir;           ///< for what exceeds it; empty: TMPDIR, else /tmp
};
inline constexpr uint64_t kMinStageMemory = 65'536;

/// A stage between two exchanges: takes blobs, then gives some.
class ReduceStage {
 public:
  virtual ~ReduceStage() = default;
  /// Throws Error{kInput} for a blob that is not one of this run, and Error{kOutput} when the disk is full.
  virtual void add(std::string_view blob) = 0;
  /// The next blob, after the last add(); nothing at the end. Throws as add().
  virtual std::optional<Blob> next() = 0;
};

/// Ranks of documents with their roots: the least rank of each component.
struct Roots {
  std::vector<int64_t> ranks;  ///< ascending
  std::vector<int64_t> roots;
};

/// Takes edges, or the halves of the last star, and gives components.
class RootStage {
 public:
  virtual ~RootStage() = default;
  /// Throws as ReduceStage.
  virtual void add(std::string_view blob) = 0;
  /// Some more ranks, after the last add(); none at the end.
  virtual Roots next() = 0;
};

struct StageReject {
  int64_t rank = 0;
  RejectKind kind = RejectKind::kOther;
  std::string problem;
  friend auto operator<=>(const StageReject&, const StageReject&) = default;
};

struct StageCounts {
  static constexpr size_t kListed = 20;
  uint64_t documents = 0;  ///< without rejected ones
  uint64_t short_texts = 0;
  uint64_t repaired = 0;
  uint64_t text_bytes = 0;
  RejectCounts rejected;
  std::vector<StageReject> rejects;  ///< the first kListed by rank
};

struct RankedText {
  int64_t rank = 0;
  std::optional<std::string_view> text;  ///< nothing: null, which is rejected
};

/// The map side of the first exchange.
class PackStage {
 public:
  virtual ~PackStage() = default;
  virtual void add(const RankedText& text) = 0;
  /// Moves the blobs that are full to the end of `blobs`.
  virtual void take(std::vector<Blob>& blobs) = 0;
  /// The same with all others, and one of kCounts. The last call.
  virtual void finish(std::vector<Blob>& blobs) = 0;
};

/// A candidate: a document with an edge, and what it is compared by.
struct CandidateRow {
  int64_t root = 0;
  int64_t rank = 0;
  std::string_view payload;
};
/// The same with its own bytes.
struct StoredRow {
  int64_t root = 0;
  int64_t rank = 0;
  std::string payload;
};

struct RankRemoval {
  int64_t rank = 0;
  int64_t keeper = 0;
  Overlap overlap;         ///< as in dedup(): see Stages::similarity()
  bool connected = false;  ///< Cluster::kComponents: connected with its keeper, but does not match it
};

struct DecideStats {
  uint64_t verifications = 0;
  uint64_t capped = 0;
  uint64_t just_below = 0;
  uint64_t groups = 0;
  uint64_t documents = 0;
  uint64_t largest_group = 0;
};

/// Decides groups that come one after the other.
class DecideStage {
 public:
  virtual ~DecideStage() = default;
  /// Rows ascend by root, then rank; all rows of a root come to one stage. Returns false if the row belongs to a group that exceeds the
  /// memory, and comes after its block, which is decided: then the row is the caller's, for MatchStage and another DecideStage. Throws
  /// Error{kInput} for rows out of order and payloads that are not of this run, and Error{kResource} for such a group under
  /// Cluster::kComponents.
  virtual bool add(const CandidateRow& row) = 0;
  /// All rows are there.
  virtual void finish() = 0;
  /// Moves what is known by now.
  virtual void take(std::vector<RankRemoval>& removals) = 0;
  /// The same for the kept rows of blocks that rows come after.
  virtual void take_kept(std::vector<StoredRow>& kept) = 0;
  [[nodiscard]] virtual const DecideStats& stats() const noexcept = 0;
};

/// Compares rows that come after a block with its kept rows. Rows that match none are left for the next block.
class MatchStage {
 public:
  virtual ~MatchStage() = default;
  /// In any order. Throws Error{kInput} for payloads that are not of this run.
  virtual void add(const CandidateRow& row) = 0;
  virtual void finish() = 0;
  virtual void take(std::vector<RankRemoval>& removals) = 0;
  virtual void take_left(std::vector<StoredRow>& left) = 0;
  [[nodiscard]] virtual const DecideStats& stats() const noexcept = 0;
};

class Stages {
 public:
  /// Throws Error{kUsage} that names an option which such runs do not have, and what dedup() throws for the others.
  explicit Stages(const Options& options);
  ~Stages();

  struct Facts {
    std::string recipe;
    uint64_t recipe_id = 0;
    std::string_view measure;  ///< "jaccard", "distance", "none"
    uint32_t bands = 0;
    uint32_t rows_per_band = 0;
    double predicted_miss = 0;
    uint32_t fingerprint_bits = 0;
    uint32_t max_distance = 0;
    bool second_scan = false;  ///< payloads are made of the texts; otherwise of the blobs of kCodes
    uint32_t keys = 0;         ///< records of kKeys of a document
  };
  [[nodiscard]] Facts facts() const;
  /// The bytes of one record of a kind, with ranks of 5 bytes (0 to 2^40 - 1) or 8. Not for kCounts.
  [[nodiscard]] size_t record_bytes(BlobKind kind, bool narrow) const;
  [[nodiscard]] const Options& options() const noexcept;

  // Makers. They throw Error{kUsage} for 0 parts and too little memory. The result must not outlive this object.
  [[nodiscard]] std::unique_ptr<PackStage> pack(uint32_t parts, bool narrow) const;
  [[nodiscard]] std::unique_ptr<ReduceStage> collapse(uint32_t parts, const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<ReduceStage> link(const StageSpace& space) const;
  /// Of all edges at once. Holds four bytes for each document with an edge besides what `space` allows.
  [[nodiscard]] std::unique_ptr<RootStage> components(const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<ReduceStage> large_star(uint32_t parts, const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<ReduceStage> small_star(uint32_t parts, const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<RootStage> star_roots(const StageSpace& space) const;
  [[nodiscard]] std::unique_ptr<DecideStage> decide(uint64_t memory) const;
  /// `kept`: in any order; the views must outlive the stage.
  [[nodiscard]] std::unique_ptr<MatchStage> match(std::vector<CandidateRow> kept, uint64_t memory) const;

  // Pure functions of blobs. They throw Error{kInput}.
  using Blobs = std::span<const std::string_view>;
  [[nodiscard]] StageCounts counts(Blobs blobs) const;
  [[nodiscard]] uint64_t count_records(Blobs blobs) const;
  /// Records of one or two ranks each, in the order of the blobs: rank and, for kCopies and kEdges, the other one.
  [[nodiscard]] std::pair<std::vector<int64_t>, std::vector<int64_t>> ranks(BlobKind kind, Blobs blobs) const;
  [[nodiscard]] std::vector<Blob> split_edges(uint32_t parts, Blobs edges) const;
  struct Tally {
    uint64_t edges = 0;
    uint64_t hash = 0;
    friend bool operator==(const Tally&, const Tally&) = default;
  };
  [[nodiscard]] Tally tally(Blobs blobs) const;
  /// Payloads of fingerprints; roots are 0.
  [[nodiscard]] std::vector<StoredRow> code_rows(Blobs blobs) const;

  /// Makes payloads. For one thread.
  class Candidates {
   public:
    virtual ~Candidates() = default;
    /// Nothing for a text without a sketch.
    virtual std::optional<std::string> payload(std::string_view text) = 0;
  };
  [[nodiscard]] std::unique_ptr<Candidates> candidates() const;

  [[nodiscard]] double similarity(const Overlap& overlap) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace neardup
