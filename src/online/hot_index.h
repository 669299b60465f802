// HotIndex: finds, by the features that they share, the documents that a full bucket did not take.
//
// Pages of one template share a band with all others of it, but are mostly no duplicates: with buckets alone, each would be compared with
// all before it. Features are ordered by how many of these documents have them, rarest first, and a document is found by its rarest ones
// (index/prefix/prefix_index.h): it misses none that reaches the threshold. The order is made anew when the documents have doubled.
//
// Keeps the features of its documents, some 12 bytes each. Inserts from one thread; probes from any number between inserts, each with its
// own Probe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/prefix/prefix_index.h"
#include "neardup/tools/threshold.h"

namespace neardup {

class HotIndex {
 public:
  explicit HotIndex(Threshold threshold) : threshold_(threshold) { rebuild(); }

  /// A document that was inserted before changes nothing.
  void insert(uint64_t sequence, std::span<const uint64_t> features);
  /// Forgets the documents for which gone(sequence).
  void remove_if(const std::function<bool(uint64_t sequence)>& gone);

  class Probe {
   public:
    Probe() : probe_(0) {}

   private:
    friend class HotIndex;
    PrefixIndex::Probe probe_;
    std::vector<uint64_t> prefix_;
    std::vector<uint32_t> members_;
  };
  /// Appends the sequences of the documents that may reach the threshold with these features, in any order.
  void find(std::span<const uint64_t> features, Probe& probe, std::vector<uint64_t>& sequences) const;
  /// Of a document in it.
  [[nodiscard]] std::optional<std::span<const uint64_t>> features(uint64_t sequence) const;
  [[nodiscard]] size_t size() const noexcept { return sequences_.size(); }

 private:
  static constexpr size_t kFirst = 64;
  [[nodiscard]] std::span<const uint64_t> set(uint32_t member) const noexcept {
    return {features_.data() + begin_[member], begin_[member + 1] - begin_[member]};
  }
  void rebuild();
  void enter(uint32_t member);

  Threshold threshold_;
  std::vector<uint64_t> features_;  // of all members
  std::vector<uint64_t> begin_{0};  // in features_
  std::vector<uint64_t> sequences_;
  std::unordered_map<uint64_t, uint32_t> members_;  // by sequence
  std::vector<uint32_t> sizes_;                     // as many as fit until the next order: index_ points to them
  std::unique_ptr<FeatureFrequency> frequency_;
  std::unique_ptr<PrefixIndex> index_;
  std::vector<uint64_t> prefix_;
};

}  // namespace neardup
