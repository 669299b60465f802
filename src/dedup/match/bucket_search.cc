#include "dedup/match/bucket_search.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.h"

namespace neardup {

namespace {

struct Keyed {
  uint64_t key;
  uint32_t member;
  bool operator<(const Keyed& other) const { return key != other.key ? key < other.key : member < other.member; }
};

// The buckets of one band with two members and more.
struct Band {
  std::vector<uint32_t> ends;  // of the buckets in `members`
  std::vector<uint32_t> members;
};

}  // namespace

BandBuckets::BandBuckets(const LshPlan& plan, const Candidates& candidates, std::span<const uint32_t> group, uint64_t max_pairs,
                         uint32_t threads) {
  const size_t row_bytes = BandKeys::row_bytes(plan);
  std::vector<Band> bands(plan.bands);
  std::vector<std::vector<Keyed>> spaces(threads);
  std::atomic<uint64_t> pairs{0};  // once there are too many, there are too many in any order of the bands
  parallel_for(threads, plan.bands, 1, [&](uint32_t worker, size_t band) {
    if (pairs > max_pairs) return;
    std::vector<Keyed>& keyed = spaces[worker];
    keyed.resize(group.size());
    for (uint32_t member = 0; member < group.size(); ++member) {
      keyed[member] = {BandKeys::load(candidates.key_rows.data() + group[member] * row_bytes + band * BandKeys::kKeyBytes), member};
    }
    std::sort(keyed.begin(), keyed.end());
    for (size_t begin = 0, end = 0; begin < keyed.size(); begin = end) {
      while (end < keyed.size() && keyed[end].key == keyed[begin].key) ++end;
      const uint64_t size = end - begin;
      if (size < 2) continue;  // most have one member
      const uint64_t so_far = pairs += size * (size - 1) / 2;
      if (so_far > max_pairs) return;
      for (size_t i = begin; i < end; ++i) bands[band].members.push_back(keyed[i].member);
      bands[band].ends.push_back(static_cast<uint32_t>(bands[band].members.size()));
    }
  });
  pair_count_ = pairs;
  if (pair_count_ > max_pairs) return;
  // The buckets of all bands one after the other, then for each member the buckets that it is in: two counting sorts.
  member_begin_.assign(group.size() + 1, 0);
  bucket_begin_.push_back(0);
  for (const Band& band : bands) {
    const auto before = static_cast<uint32_t>(bucket_members_.size());
    bucket_members_.insert(bucket_members_.end(), band.members.begin(), band.members.end());
    for (const uint32_t end : band.ends) bucket_begin_.push_back(before + end);
    for (const uint32_t member : band.members) ++member_begin_[member + 1];
  }
  std::partial_sum(member_begin_.begin(), member_begin_.end(), member_begin_.begin());
  member_buckets_.resize(bucket_members_.size());
  std::vector<uint32_t> next(member_begin_.begin(), member_begin_.end() - 1);
  for (uint32_t bucket = 0; bucket + 1 < bucket_begin_.size(); ++bucket) {
    for (uint32_t i = bucket_begin_[bucket]; i < bucket_begin_[bucket + 1]; ++i) member_buckets_[next[bucket_members_[i]]++] = bucket;
  }
}

void BandBuckets::find(uint32_t member, std::span<const uint8_t> present, std::vector<uint32_t>& out) const {
  const auto buckets = std::span(member_buckets_).subspan(member_begin_[member], member_begin_[member + 1] - member_begin_[member]);
  size_t room = 0;
  for (const uint32_t bucket : buckets) room += bucket_begin_[bucket + 1] - bucket_begin_[bucket];
  out.resize(room);
  size_t found = 0;
  for (const uint32_t bucket : buckets) {
    // Ends at the member itself, which is in each of its buckets. Branch-free: presence is unpredictable.
    for (const uint32_t* other = bucket_members_.data() + bucket_begin_[bucket]; *other < member; ++other) {
      out[found] = *other;
      found += present[*other];
    }
  }
  out.resize(found);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace neardup
