// PrefixIndex: finds the sets of a growing collection that can reach a Jaccard threshold with a given one. Misses none.
//
// If |A n B| / |A u B| >= t, then A and B share one of their |X| - ceil(t |X|) + 1 first features in any common total order of the features
// (prefix filter: Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007), their sizes differ by a factor of t at most, and the
// positions of the features met so far bound the overlap still to come (positional filter: Xiao, Wang, Lin, Yu 2008, "PPJoin"). The order
// is by frequency, rarest first, so that common features are compared last or never.
//
// The smaller set of a pair even has a shared feature among its |X| - ceil(2 t / (1 + t) |X|) + 1 first ones (ibid.). So a feature that
// comes late in both sets can be skipped, and postings of features that come late in their set are stored separately. Sets that share
// nearly enough boilerplate are therefore never compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/tools/threshold.h"

namespace neardup {

/// How often features occur, in a table of fixed size: features that fall in one slot share a count. Any counts give a correct
/// order; good ones give short lists. add() may run in several threads; sums do not depend on their order.
class FeatureFrequency {
 public:
  /// Reserves room for about this many features.
  explicit FeatureFrequency(uint64_t total_features);
  void add(std::span<const uint64_t> features) noexcept;

  [[nodiscard]] size_t slot_count() const noexcept { return counts_.size(); }
  [[nodiscard]] size_t slot_of(uint64_t feature) const noexcept { return feature >> shift_; }

  /// Replaces `prefix` by the features that a set must be found by, rarest first (ties by value).
  void prefix(std::span<const uint64_t> features, Threshold threshold, std::vector<uint64_t>& prefix) const;

 private:
  std::vector<uint32_t> counts_;
  uint32_t shift_;
};

/// Inserts from one thread; probes from any number of threads between inserts, each with its own Probe.
class PrefixIndex {
 public:
  /// The sets are numbered 0.. in insertion order elsewhere; `sizes[member]` is the size of a set.
  PrefixIndex(Threshold threshold, std::span<const uint32_t> sizes) : threshold_(threshold), sizes_(sizes) {}

  /// Reserves room, so that the next inserts of at most this many features do not reallocate. Throws Error{kResource} beyond 2^32 - 2
  /// postings.
  void reserve(uint64_t more_features);
  /// With `useful` not empty, only the features whose entry is not 0 are entered (probe: looked up). The caller guarantees that the wanted
  /// pairs share none of the others.
  void insert(uint32_t member, std::span<const uint64_t> prefix, std::span<const uint8_t> useful = {});
  /// For roll_back(), which removes everything inserted after the last mark and frees its room. No reserve() in between.
  [[nodiscard]] size_t mark() noexcept {
    created_.clear();
    return nodes_.size();
  }
  void roll_back(size_t mark) noexcept;

  class Probe {
   public:
    explicit Probe(size_t members) : state_(members) {}
    /// Before a probe of an index with more members.
    void grow(size_t members) {
      if (members > state_.size()) state_.resize(members);
    }

   private:
    friend class PrefixIndex;
    struct State {
      uint32_t seen = 0;      // shared prefix features so far; kPruned when the overlap cannot be reached any more
      uint32_t required = 0;  // overlap needed with this member
    };
    std::vector<State> state_;
    std::vector<uint32_t> touched_;
  };
  /// Replaces `candidates` by the members below `below` that may reach the threshold with the set `member`, ascending.
  void probe(uint32_t member, std::span<const uint64_t> prefix, uint32_t below, Probe& probe, std::vector<uint32_t>& candidates,
             std::span<const uint8_t> useful = {}) const {
    probe_set(sizes_[member], prefix, below, probe, candidates, useful);
  }
  /// The same for a set of `size` features that is not a member.
  void probe_set(uint64_t size, std::span<const uint64_t> prefix, uint32_t below, Probe& probe, std::vector<uint32_t>& candidates,
                 std::span<const uint8_t> useful = {}) const;

 private:
  static constexpr uint32_t kNone = 0xFFFF'FFFF;
  static constexpr uint32_t kUnused = 0xFFFF'FFFE;  // in a slot without a feature
  struct Slot {
    uint64_t feature = 0;
    uint32_t heads[2] = {kUnused, kNone};  // newest node with the feature early in its set, and late
    [[nodiscard]] bool used() const noexcept { return heads[0] != kUnused; }
  };
  struct Node {
    uint32_t member;
    uint32_t position;
    uint32_t next;
    uint32_t slot;
  };
  [[nodiscard]] size_t find(uint64_t feature) const noexcept;
  void visit(const Slot& slot, bool late, uint64_t size, uint32_t position, uint32_t below, Probe& probe) const;

  Threshold threshold_;
  std::span<const uint32_t> sizes_;
  std::vector<Slot> slots_;
  size_t used_slots_ = 0;
  std::vector<uint32_t> created_;  // slots first used since the mark
  std::vector<Node> nodes_;
};

/// Length of the prefix of a set of `size` features: size - ceil(t * size) + 1; 0 for the empty set.
uint64_t prefix_length(uint64_t size, Threshold threshold) noexcept;
/// The same for partners that are not smaller: size - ceil(2 t / (1 + t) * size) + 1.
uint64_t early_prefix_length(uint64_t size, Threshold threshold) noexcept;

}  // namespace neardup
