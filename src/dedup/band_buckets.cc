#include "dedup/band_buckets.h"

#include <algorithm>
#include <numeric>

namespace neardup {

BandBuckets::BandBuckets(const LshPlan& plan, const Candidates& candidates, std::span<const uint32_t> group, uint64_t most_pairs) {
  struct Keyed {
    uint64_t key;
    uint32_t member;
    bool operator<(const Keyed& other) const { return key != other.key ? key < other.key : member < other.member; }
  };
  const size_t row_bytes = BandKeys::row_bytes(plan);
  std::vector<Keyed> keyed(group.size());
  member_begin_.assign(group.size() + 1, 0);
  bucket_begin_.push_back(0);
  for (size_t band = 0; band < plan.bands; ++band) {
    for (uint32_t member = 0; member < group.size(); ++member) {
      keyed[member] = {BandKeys::load(candidates.key_rows.data() + group[member] * row_bytes + band * BandKeys::kKeyBytes), member};
    }
    std::sort(keyed.begin(), keyed.end());
    for (size_t begin = 0, end = 0; begin < keyed.size(); begin = end) {
      while (end < keyed.size() && keyed[end].key == keyed[begin].key) ++end;
      const uint64_t size = end - begin;
      if (size < 2) continue;  // most are alone
      pair_count_ += size * (size - 1) / 2;
      if (pair_count_ > most_pairs) return;
      for (size_t i = begin; i < end; ++i) {
        bucket_members_.push_back(keyed[i].member);
        ++member_begin_[keyed[i].member + 1];
      }
      bucket_begin_.push_back(static_cast<uint32_t>(bucket_members_.size()));
    }
  }
  std::partial_sum(member_begin_.begin(), member_begin_.end(), member_begin_.begin());
  member_buckets_.resize(bucket_members_.size());
  std::vector<uint32_t> next(member_begin_.begin(), member_begin_.end() - 1);
  for (uint32_t bucket = 0; bucket + 1 < bucket_begin_.size(); ++bucket) {
    for (uint32_t i = bucket_begin_[bucket]; i < bucket_begin_[bucket + 1]; ++i) member_buckets_[next[bucket_members_[i]]++] = bucket;
  }
}

void BandBuckets::find(uint32_t member, std::span<const uint8_t> present, std::vector<uint32_t>& out) const {
  out.clear();
  for (uint32_t at = member_begin_[member]; at < member_begin_[member + 1]; ++at) {
    const uint32_t bucket = member_buckets_[at];
    for (uint32_t i = bucket_begin_[bucket]; bucket_members_[i] < member; ++i) {
      if (present[bucket_members_[i]] != 0) out.push_back(bucket_members_[i]);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace neardup
