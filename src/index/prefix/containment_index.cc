#include "index/prefix/containment_index.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"

namespace neardup {
namespace {

constexpr uint32_t kPostingsPerBucket = 4;
constexpr size_t kMembersPerTask = 32;

// How much of a set is indexed.
struct Indexed {
  uint64_t features;  // the rarest of its sample
  uint32_t needed;    // of them in every container that is found
};

// One more needed feature for every 8 of the shortest possible prefix, and for every 2 of a sample, whose prefix is short: longer prefixes
// cost postings, and save candidates.
Indexed indexed_part(const ContainmentRule& rule, const ContainmentSample& sample, uint32_t size) noexcept {
  if (size == 0 || size < rule.min_features) return {0, 0};
  const uint64_t common = sample.required(size, rule.threshold);
  const uint64_t shortest = sample.size_of(size) - common + 1;
  const uint64_t needed = std::min(1 + shortest / (sample.all() ? 8 : 2), common);
  return {shortest + needed - 1, static_cast<uint32_t>(needed)};
}

}  // namespace

uint64_t ContainmentIndex::bytes_of(const ContainmentRule& rule, const ContainmentSample& sample, uint32_t size,
                                    uint32_t threads) noexcept {
  // A posting with its share of a bucket exists twice while they are sorted; a member has two numbers here and two in each probe.
  constexpr uint64_t kPostingBytes = 2 * sizeof(Posting) + sizeof(uint64_t);
  return indexed_part(rule, sample, size).features * kPostingBytes + (2 + 2 * uint64_t{threads}) * sizeof(uint32_t) + 2 * sizeof(uint64_t);
}

ContainmentIndex::ContainmentIndex(const ContainmentRule& rule, const ContainmentSample& sample, std::span<const uint32_t> sizes,
                                   const FeatureCounts& counts, uint32_t threads, const ReadSet& read)
    : needed_(sizes.size(), 0), lengths_(sizes.size(), 0) {
  std::vector<uint64_t> begin(sizes.size() + 1, 0);
  for (size_t member = 0; member < sizes.size(); ++member)
    begin[member + 1] = begin[member] + indexed_part(rule, sample, sizes[member]).features;
  postings_.resize(begin.back());
  std::vector<std::vector<uint64_t>> prefixes(threads);
  parallel_for(threads, sizes.size(), kMembersPerTask, [&](uint32_t worker, size_t i) {
    const Indexed part = indexed_part(rule, sample, sizes[i]);
    if (part.features == 0) return;
    const auto member = static_cast<uint32_t>(i);
    std::vector<uint64_t>& prefix = prefixes[worker];
    // The set ascends, so its sample comes first.
    counts.rarest(read(worker, member).first(sample.size_of(sizes[i])), part.features, prefix);
    uint32_t count = 0;
    for (const uint64_t feature : prefix) {
      if (counts.count(feature) > 1) postings_[begin[i] + count++] = {feature, member};
    }
    if (count < part.needed) return;  // no other set has enough of its features
    needed_[i] = part.needed;
    lengths_[i] = count;
  });
  // Closes the gaps.
  uint64_t end = 0;
  for (size_t member = 0; member < sizes.size(); ++member) {
    std::copy_n(postings_.begin() + static_cast<ptrdiff_t>(begin[member]), lengths_[member],
                postings_.begin() + static_cast<ptrdiff_t>(end));
    end += lengths_[member];
  }
  postings_.resize(end);
  std::vector<uint64_t>().swap(begin);

  // Distributed to buckets by one thread, which leaves them almost sorted; then each bucket is sorted by one worker.
  find_buckets();
  std::vector<uint64_t> next(bucket_begin_.begin(), bucket_begin_.end() - 1);
  std::vector<Posting> sorted(postings_.size());
  for (const Posting& posting : postings_) sorted[next[bucket_of(posting.feature)]++] = posting;
  postings_ = std::move(sorted);
  parallel_for(threads, next.size(), 4096, [&](uint32_t, size_t bucket) {
    const auto at = [&](size_t b) { return postings_.begin() + static_cast<ptrdiff_t>(bucket_begin_[b]); };
    std::sort(at(bucket), at(bucket + 1));
  });
}

// Counts the postings of each bucket, in any order of the postings.
void ContainmentIndex::find_buckets() {
  const uint32_t bits = std::max<uint32_t>(1, static_cast<uint32_t>(std::bit_width(postings_.size() / kPostingsPerBucket)));
  shift_ = 64 - bits;
  bucket_begin_.assign((size_t{1} << bits) + 1, 0);
  for (const Posting& posting : postings_) ++bucket_begin_[bucket_of(posting.feature) + 1];
  for (size_t bucket = 1; bucket < bucket_begin_.size(); ++bucket) bucket_begin_[bucket] += bucket_begin_[bucket - 1];
}

void ContainmentIndex::probe(std::span<const uint64_t> set, uint32_t begin, uint32_t end, Probe& probe,
                             std::vector<uint32_t>& candidates) const {
  candidates.clear();
  if (postings_.empty() || begin >= end) return;
  probe.seen_.resize(needed_.size(), 0);
  // Features and postings both ascend, so the index is read from front to back.
  for (const uint64_t feature : set) {
    const size_t bucket = bucket_of(feature);
    const Posting* const bucket_end = postings_.data() + bucket_begin_[bucket + 1];
    const Posting* at = postings_.data() + bucket_begin_[bucket];
    if (at == bucket_end) continue;
    for (at = std::lower_bound(at, bucket_end, Posting{feature, begin}); at != bucket_end; ++at) {
      if (at->feature != feature || at->member >= end) break;
      const uint32_t needed = needed_[at->member];
      if (needed == 0) continue;  // forgotten
      uint32_t& seen = probe.seen_[at->member];
      if (seen++ == 0) probe.touched_.push_back(at->member);
      if (seen == needed) candidates.push_back(at->member);
    }
  }
  for (const uint32_t member : probe.touched_) probe.seen_[member] = 0;
  probe.touched_.clear();
  std::sort(candidates.begin(), candidates.end());
}

void ContainmentIndex::forget(uint32_t member) noexcept {
  if (needed_[member] == 0) return;
  needed_[member] = 0;
  forgotten_ += lengths_[member];
}

void ContainmentIndex::compact() {
  if (forgotten_ * 2 <= postings_.size()) return;
  std::erase_if(postings_, [&](const Posting& posting) { return needed_[posting.member] == 0; });
  find_buckets();
  forgotten_ = 0;
}

}  // namespace neardup
