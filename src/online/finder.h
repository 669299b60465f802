// Finder: the first document, in the decided order, that matches a text: the scan rule for one text.
//
// Candidates come from the tables of all parts, from the index of what full buckets did not take, and from the fingerprints; each is judged
// as a batch run judges it (dedup/match/matcher.h): a shared band and the signature filter, then the Jaccard similarity of the features in
// integers; or the distance of fingerprints.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/fingerprint.h"
#include "online/hot_index.h"
#include "online/liveness.h"
#include "online/log/log_format.h"
#include "online/online_settings.h"
#include "online/prepared.h"
#include "store/tables/table_part.h"

namespace neardup {

/// What a look-up sees. Does not change while it runs.
struct Visible {
  std::span<const TablePart> parts;
  const Liveness* liveness = nullptr;
  const Liveness* changes = nullptr;  ///< that are not part of `liveness` yet; null: none
  const HotIndex* hot = nullptr;      ///< of the parts; null: no bucket is full
  uint64_t now = 0;                   ///< milliseconds since 1970
  uint64_t from = 0;                  ///< only documents with these sequences: from <= sequence < end
  uint64_t end = UINT64_MAX;
  uint64_t generation = 0;  ///< of the parts: another one may have fewer rows, and others with another expiry

  [[nodiscard]] bool has(const RowHead& head) const {
    return head.sequence >= from && head.sequence < end && alive(head.sequence, head.expires);
  }
  /// `expires`: that of the row.
  [[nodiscard]] uint64_t expiry(uint64_t sequence, uint64_t expires) const {
    const uint64_t own = liveness->expiry(sequence, expires);
    return changes == nullptr ? own : changes->expiry(sequence, own);
  }
  [[nodiscard]] bool alive(uint64_t sequence, uint64_t expires) const {
    return expiry(sequence, expires) > now && !liveness->removed(sequence) && (changes == nullptr || !changes->removed(sequence));
  }
  /// False if no row of the part can be seen.
  [[nodiscard]] bool concerns(const TablePart& part) const noexcept { return part.rows != 0 && part.last_sequence >= from; }
};

struct Match {
  uint64_t sequence = 0;
  uint64_t expires = 0;  ///< RowHead::expires
  RecordPlace place = {};
  bool exact = false;
  double similarity = 1;
};

RecordPlace place_of(const RowHead& head) noexcept;

/// The features of a document that a look-up sees; valid until the next call. Throws Error{kInput}.
using FeaturesOf = std::function<std::span<const uint64_t>(uint64_t sequence, const RecordPlace& place)>;
/// Calls visit(sequence, distance) for all documents whose fingerprints are within the distance of the store, dead ones too.
using NearCodesOf = std::function<void(Fingerprint128 code, const std::function<void(uint64_t sequence, uint32_t distance)>& visit)>;

/// For one thread.
class Finder {
 public:
  explicit Finder(const OnlineSettings& settings) : settings_(settings) {}

  std::optional<Match> find(const Visible& visible, const Prepared& prepared, const FeaturesOf& features, const NearCodesOf& codes);
  /// Asks for the memory that find() reads first: call it some texts ahead.
  void prefetch(const Visible& visible, const Prepared& prepared) const;
  /// The row of a sequence in the parts.
  static std::optional<RowHead> row_of(std::span<const TablePart> parts, uint64_t sequence);

 private:
  struct Candidate {
    uint64_t sequence;
    uint64_t expires;
    uint32_t features;
    RecordPlace place;
  };
  std::optional<Match> find_exact(const Visible& visible, const RowHead& head) const;
  std::optional<Match> find_code(const Visible& visible, Fingerprint128 code, const NearCodesOf& codes) const;
  void find_candidates(const Visible& visible, const Prepared& prepared);
  void add_if_candidate(const Visible& visible, const Prepared& prepared, const uint8_t* row);

  const OnlineSettings& settings_;
  std::vector<Candidate> candidates_;
  std::vector<uint64_t> rows_;  // part and row
  std::vector<uint64_t> hot_;   // sequences
  HotIndex::Probe probe_;
};

}  // namespace neardup
