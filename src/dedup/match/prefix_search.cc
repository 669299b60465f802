#include "dedup/match/prefix_search.h"

#include <numeric>

#include "base/parallel.h"

namespace neardup {
namespace {

std::vector<uint32_t> sizes_of(const FeatureStore& features, std::span<const uint32_t> group) {
  std::vector<uint32_t> sizes;
  sizes.reserve(group.size());
  for (const uint32_t ordinal : group) sizes.push_back(features.size(ordinal));
  return sizes;
}

}  // namespace

PrefixSearch::PrefixSearch(const GroupInputs& in, const Matcher& matcher, std::span<const uint32_t> group)
    : matcher_(matcher),
      group_(group),
      threads_(in.threads),
      threshold_(in.threshold),
      features_(in.features, group, in.threads),
      workers_(in.threads, Worker{PrefixIndex::Probe(group.size()), {}}),
      sizes_(sizes_of(in.features, group)),
      frequency_(std::accumulate(sizes_.begin(), sizes_.end(), uint64_t{0})),
      index_(in.threshold, sizes_),
      prefixes_(kBlock) {
  parallel_for(threads_, group.size(), 64,
               [&](uint32_t worker, size_t member) { frequency_.add(features_.read(static_cast<uint32_t>(member), worker)); });
}

void PrefixSearch::enter(uint32_t begin, uint32_t end) {
  begin_ = begin;
  parallel_for(threads_, end - begin, 16, [&](uint32_t worker, size_t i) {
    const auto set = features_.read(begin + static_cast<uint32_t>(i), worker);
    frequency_.prefix(set, threshold_, prefixes_[i]);
    if (mixed_.empty()) return;
    useful_[i].clear();
    for (const uint64_t feature : prefixes_[i]) useful_[i].push_back(mixed_[frequency_.slot_of(feature)]);
  });
  uint64_t more = 0;
  for (uint32_t i = 0; i < end - begin; ++i) more += prefixes_[i].size();
  index_.reserve(more);
  mark_ = index_.mark();
  for (uint32_t member = begin; member < end; ++member) insert(member);
}

// Two members of different sets that match share a feature that occurs in both sets; so features that occur in one set only are left out.
// Features in the same slot count as one, so some of these stay.
void PrefixSearch::restrict_to_cross_set_pairs(UnionFind& sets) {
  std::vector<uint32_t> owner(frequency_.slot_count(), kNoDocument);
  mixed_.assign(frequency_.slot_count(), 0);
  useful_.resize(kBlock);
  for (uint32_t member = 0; member < group_.size(); ++member) {
    const uint32_t root = sets.root(member);
    for (const uint64_t feature : features_.read(member, 0)) {
      const size_t slot = frequency_.slot_of(feature);
      if (owner[slot] == kNoDocument) owner[slot] = root;
      if (owner[slot] != root) mixed_[slot] = 1;
    }
  }
}

}  // namespace neardup
