// ContainmentIndex: finds the sets of a collection that may be contained in a given set. Misses none, unless it is made of samples: then
// it misses what ContainmentSample says.
//
// If B has c = ceil(t |A|) features of A, it lacks at most |A| - c of them; so of any |A| - c + l features of A, it has at least l
// (one-sided prefix filter). The index stores that many features of each A, the rarest, and a probe looks up *all* features of B and
// counts. The index is small, because it has only a share of about 1 - t of the features. A larger l rejects more sets that share a few
// rare features by chance; it grows with the size of A. The same holds for a sample of A and the features of it that are required in B:
// then only the rarest of the sample are indexed.
//
// A feature that occurs in one set only is left out: no other set has it. So most sets of a corpus without repetitions are not indexed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/prefix/containment_rule.h"
#include "index/prefix/containment_sample.h"
#include "index/prefix/feature_counts.h"

namespace neardup {

/// Built by several threads. Probed by any number of threads, each with its own Probe; forget() and compact() only between probes. Its
/// contents and answers do not depend on threads.
class ContainmentIndex {
 public:
  /// Reads the set of a member; valid until the next call of the worker.
  using ReadSet = std::function<std::span<const uint64_t>(uint32_t worker, uint32_t member)>;

  /// Indexes the members 0 .. sizes.size() - 1. `counts`: of all sets that will be indexed or probed with. A member of fewer than
  /// `rule.min_features` features is not indexed; a size of 0 leaves a member out.
  ContainmentIndex(const ContainmentRule& rule, const ContainmentSample& sample, std::span<const uint32_t> sizes,
                   const FeatureCounts& counts, uint32_t threads, const ReadSet& read);

  /// Bytes that a member needs, at most, while the index is built and probed by `threads`.
  static uint64_t bytes_of(const ContainmentRule& rule, const ContainmentSample& sample, uint32_t size, uint32_t threads) noexcept;

  class Probe {
   private:
    friend class ContainmentIndex;
    std::vector<uint32_t> seen_;     // by member: features found so far
    std::vector<uint32_t> touched_;  // members with seen_ != 0
  };
  /// Replaces `candidates` by the members of [begin, end) that may be contained in `set`, ascending.
  void probe(std::span<const uint64_t> set, uint32_t begin, uint32_t end, Probe& probe, std::vector<uint32_t>& candidates) const;

  /// No probe finds the member any more.
  void forget(uint32_t member) noexcept;
  /// Frees the postings of forgotten members if these are many.
  void compact();

  [[nodiscard]] uint64_t postings() const noexcept { return postings_.size(); }

 private:
  struct Posting {
    uint64_t feature;
    uint32_t member;
    friend bool operator<(const Posting& a, const Posting& b) noexcept {
      return a.feature != b.feature ? a.feature < b.feature : a.member < b.member;
    }
  };
  [[nodiscard]] size_t bucket_of(uint64_t feature) const noexcept { return feature >> shift_; }
  void find_buckets();

  std::vector<Posting> postings_;       // ascending
  std::vector<uint64_t> bucket_begin_;  // by the top bits of the feature, in postings_
  uint32_t shift_ = 63;
  std::vector<uint32_t> needed_;   // by member: features that a container has, of those indexed; 0: not indexed, or forgotten
  std::vector<uint32_t> lengths_;  // by member: its postings
  uint64_t forgotten_ = 0;         // postings
};

}  // namespace neardup
