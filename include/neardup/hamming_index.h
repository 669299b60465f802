// HammingIndex: all codes within a Hamming radius of a query, exactly. Immutable; one for 64-bit and one for 128-bit codes.
//
//   const auto index = neardup::HammingIndex64::build(codes, {}, {.radius = 3});   // ids are the rows of `codes`
//   neardup::HammingScratch scratch;                                               // one per thread
//   std::vector<neardup::HammingHit> hits;
//   index.query({0x9f3c2b1a00ff1234}, 3, scratch, hits);
//
// Every query gives all entries within the radius (`<= k`) and nothing else: no option trades answers for speed. Equal codes are stored
// once with all their ids. An id may occur with several codes. The plan determines the cost of a query (see hamming_plan.h and
// docs/hamming.md); groups of codes that would fill a bucket get separate tables, so that skewed data does not slow it down.
//
// Thread rule: everything here is const and may be called from any number of threads, each with a scratch of its own. A moved-from object
// may only be assigned to or destroyed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

struct HammingHit {
  uint32_t distance = 0;  ///< first: hits are ordered by distance, then id
  uint64_t id = 0;
  friend auto operator<=>(const HammingHit&, const HammingHit&) = default;
};

/// Two entries of one index, or one of each.
struct HammingPair {
  uint64_t a = 0;
  uint64_t b = 0;
  uint32_t distance = 0;
  friend auto operator<=>(const HammingPair&, const HammingPair&) = default;
};

/// Scratch memory of queries; grows to the size of the largest. Threads must not share it.
class HammingScratch {
 public:
  HammingScratch();
  ~HammingScratch();
  HammingScratch(HammingScratch&&) noexcept;
  HammingScratch& operator=(HammingScratch&&) noexcept;

 private:
  template <typename Code>
  friend class HammingIndex;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct HammingBuildOptions {
  uint32_t radius = 3;                   ///< the largest that queries may ask for
  std::optional<HammingPlan> plan = {};  ///< otherwise the planner chooses by the codes
  uint32_t threads = 0;                  ///< 0: all cores
  uint64_t memory = 0;                   ///< for sorting; 0: enough to sort all codes at once
  std::string temp_dir = {};             ///< for temporary data when memory is bounded; empty: TMPDIR, else /tmp
};

template <typename Code>  // Fingerprint64 or Fingerprint128
class HammingIndex {
 public:
  /// Empty, for radius 0.
  HammingIndex();
  ~HammingIndex();
  HammingIndex(HammingIndex&&) noexcept;
  HammingIndex& operator=(HammingIndex&&) noexcept;

  /// `ids`: one per code, or none for row numbers. The bytes of the index depend on codes, ids and plan only. Throws Error{kUsage} when the
  /// plan does not fit (hamming_plan_problem) or the numbers of codes and ids differ.
  static HammingIndex build(std::span<const Code> codes, std::span<const uint64_t> ids, const HammingBuildOptions& options);

  [[nodiscard]] uint64_t size() const noexcept;      ///< entries
  [[nodiscard]] uint64_t distinct() const noexcept;  ///< different codes among them
  [[nodiscard]] uint64_t bytes() const noexcept;     ///< of memory, or of the mapped file
  [[nodiscard]] const HammingPlan& plan() const noexcept;

  /// Replaces `hits` by all entries within `radius` of the code, by distance, then id. Throws Error{kUsage} when the radius is larger than
  /// the plan's; of an index in a file, Error{kInput} when the file is damaged.
  void query(Code code, uint32_t radius, HammingScratch& scratch, std::vector<HammingHit>& hits) const;
  /// The first `max_hits` of query(); ties at the end go to the lower id.
  void nearest(Code code, size_t max_hits, uint32_t radius, HammingScratch& scratch, std::vector<HammingHit>& hits) const;
  /// The number of hits of query(), without listing them.
  [[nodiscard]] uint64_t count(Code code, uint32_t radius, HammingScratch& scratch) const;
  /// Calls visit(query number, hits) in the order of the queries, on one thread at a time, while all threads (0: all cores) search.
  using VisitHits = std::function<void(size_t query, std::span<const HammingHit> hits)>;
  void query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const;

  /// Calls visit(pairs) for all pairs of entries within the radius, each once, some thousands at a time, on one thread at a time. In a pair
  /// a <= b (an id that occurs twice is a pair with itself). The order is that of the tables: it depends on the index and the radius only,
  /// not on the number of threads. c entries with one code make c (c - 1) / 2 pairs.
  using VisitPairs = std::function<void(std::span<const HammingPair> pairs)>;
  void self_join(uint32_t radius, uint32_t threads, const VisitPairs& visit) const;
  /// The same for an entry of this index (a) and one of another index (b), which may have another plan.
  void join(const HammingIndex& other, uint32_t radius, uint32_t threads, const VisitPairs& visit) const;
  /// The number of pairs of self_join(), without listing them: c entries with one code count as c (c - 1) / 2.
  [[nodiscard]] uint64_t count_pairs(uint32_t radius, uint32_t threads) const;

 private:
  friend struct HammingIndexAccess;
  struct Impl;
  explicit HammingIndex(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

using HammingIndex64 = HammingIndex<Fingerprint64>;
using HammingIndex128 = HammingIndex<Fingerprint128>;
extern template class HammingIndex<Fingerprint64>;
extern template class HammingIndex<Fingerprint128>;

}  // namespace neardup
