#include "online/hot_index.h"

#include <algorithm>

namespace neardup {

void HotIndex::insert(uint64_t sequence, std::span<const uint64_t> features) {
  const auto member = static_cast<uint32_t>(sequences_.size());
  if (!members_.emplace(sequence, member).second) return;
  sequences_.push_back(sequence);
  features_.insert(features_.end(), features.begin(), features.end());
  begin_.push_back(features_.size());
  if (sequences_.size() > sizes_.size()) {
    rebuild();
  } else {
    enter(member);
  }
}

void HotIndex::remove_if(const std::function<bool(uint64_t)>& gone) {
  if (std::ranges::none_of(sequences_, gone)) return;
  HotIndex left(threshold_);
  std::vector<uint64_t> features;
  for (uint32_t member = 0; member < sequences_.size(); ++member) {
    if (gone(sequences_[member])) continue;
    const std::span<const uint64_t> of = set(member);
    left.members_.emplace(sequences_[member], static_cast<uint32_t>(left.sequences_.size()));
    left.sequences_.push_back(sequences_[member]);
    left.features_.insert(left.features_.end(), of.begin(), of.end());
    left.begin_.push_back(left.features_.size());
  }
  left.rebuild();
  *this = std::move(left);
}

void HotIndex::find(std::span<const uint64_t> features, Probe& probe, std::vector<uint64_t>& sequences) const {
  frequency_->prefix(features, threshold_, probe.prefix_);
  probe.probe_.grow(sizes_.size());
  index_->probe_set(features.size(), probe.prefix_, static_cast<uint32_t>(sequences_.size()), probe.probe_, probe.members_);
  for (const uint32_t member : probe.members_) sequences.push_back(sequences_[member]);
}

std::optional<std::span<const uint64_t>> HotIndex::features(uint64_t sequence) const {
  const auto found = members_.find(sequence);
  if (found == members_.end()) return std::nullopt;
  return set(found->second);
}

// An order by the documents of now, and room for as many again.
void HotIndex::rebuild() {
  const auto members = static_cast<uint32_t>(sequences_.size());
  sizes_.assign(std::max<size_t>(kFirst, size_t{members} * 2), 0);
  frequency_ = std::make_unique<FeatureFrequency>(features_.size() + 1);
  for (uint32_t member = 0; member < members; ++member) frequency_->add(set(member));
  index_ = std::make_unique<PrefixIndex>(threshold_, sizes_);
  for (uint32_t member = 0; member < members; ++member) enter(member);
}

void HotIndex::enter(uint32_t member) {
  const std::span<const uint64_t> features = set(member);
  sizes_[member] = static_cast<uint32_t>(features.size());
  frequency_->prefix(features, threshold_, prefix_);
  index_->reserve(prefix_.size());
  index_->insert(member, prefix_);
}

}  // namespace neardup
