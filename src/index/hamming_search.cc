#include "index/hamming_search.h"

#include <algorithm>
#include <bit>

namespace neardup {
namespace {

// A run of the kernel compares at most so many codes, so that its list of matches has a bound.
constexpr uint64_t kRunCodes = 4096;
constexpr uint64_t kFetched = 4;  // lines of a bucket that are fetched ahead; the processor goes on by itself

}  // namespace

template <typename Code>
void HammingSearch<Code>::run(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius) {
  found_.clear();
  if (image.distinct() == 0) return;
  if (image.tables().empty()) return run_flat(image, queries, radius);
  flips_ = image.flips(radius);
  probes_.clear();
  for (uint32_t query = 0; query < queries.size(); ++query) {
    for (uint16_t t = 0; t < flips_.size(); ++t) {
      const HammingTable<Code>& table = image.tables()[t];
      const uint64_t own = prefix_of(queries[query], table.block);
      for (int32_t flipped = 0; flipped <= flips_[t]; ++flipped) {
        for_each_pattern(table.block.width, static_cast<uint32_t>(flipped), [&](uint64_t pattern) {
          if (probes_.size() == kProbes) flush(image, queries, radius);
          const uint64_t prefix = own ^ pattern;
          table.directory.prefetch(prefix);
          probes_.push_back({prefix, query, t, static_cast<uint16_t>(flipped), {}});
        });
      }
    }
  }
  flush(image, queries, radius);
}

template <typename Code>
void HammingSearch<Code>::flush(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius) {
  size_t kept = 0;
  for (const Probe& probe : probes_) {
    const HammingTable<Code>& table = image.tables()[probe.table];
    const CountRange codes = image.bucket(table, probe.prefix);
    if (codes.begin == codes.end) continue;
    const char* at = table.entry(codes.begin);
    const char* last = table.entry(codes.end) - 1;
    for (uint64_t line = 0; line < kFetched && at <= last; ++line, at += 64) __builtin_prefetch(at);
    __builtin_prefetch(last);
    probes_[kept] = probe;
    probes_[kept++].codes = codes;
  }
  probes_.resize(kept);

  runs_.clear();
  run_probes_.clear();
  run_begins_.clear();
  uint64_t codes_in_runs = 0;
  for (uint32_t p = 0; p < probes_.size(); ++p) {
    const Probe& probe = probes_[p];
    const HammingTable<Code>& table = image.tables()[probe.table];
    const uint64_t size = probe.codes.end - probe.codes.begin;
    if (size > kHotBucket) {
      if (const HammingImage<Code>* nested = image.nested(probe.table, probe.prefix)) {
        ask_nested(image, queries, probe, *nested, radius);
        continue;
      }
    }
    image.check(table.entry(probe.codes.begin), size * table.stride);
    const Word query = remainder_of(queries[probe.query], table.block);
    for (uint64_t begin = probe.codes.begin; begin < probe.codes.end; begin += kRunCodes) {
      const uint64_t count = std::min(kRunCodes, probe.codes.end - begin);
      if (codes_in_runs + count > kRunCodes) {
        compare(image, queries);
        codes_in_runs = 0;
      }
      codes_in_runs += count;
      uint64_t high = 0;
      if constexpr (Code::kBits == 128) high = static_cast<uint64_t>(query >> 64);
      runs_.push_back(
          {table.entry(begin), static_cast<uint64_t>(query), high, static_cast<uint32_t>(count), table.stride, radius - probe.flipped});
      run_probes_.push_back(p);
      run_begins_.push_back(begin);
    }
  }
  compare(image, queries);
  probes_.clear();
}

template <typename Code>
void HammingSearch<Code>::compare(const HammingImage<Code>& image, std::span<const Word> queries) {
  if (runs_.empty()) return;
  matches_.resize(kRunCodes);
  const size_t count = kernels::kernels().hamming_packed(runs_.data(), runs_.size(), Code::kBits == 128, matches_.data());
  for (size_t m = 0; m < count; ++m) {
    const kernels::PackedMatch& match = matches_[m];
    const Probe& probe = probes_[run_probes_[match.run]];
    const HammingTable<Code>& table = image.tables()[probe.table];
    const uint64_t position = run_begins_[match.run] + match.code;
    const Word word = join_parts(probe.prefix, table.remainder(position), table.block);
    take(image, queries, probe, word, match.distance + probe.flipped, probe.table == 0 ? position : kUnknown);
  }
  runs_.clear();
  run_probes_.clear();
  run_begins_.clear();
}

template <typename Code>
void HammingSearch<Code>::take(const HammingImage<Code>& image, std::span<const Word> queries, const Probe& probe, Word word,
                               uint32_t distance, uint64_t position) {
  const Word difference = word ^ queries[probe.query];
  for (size_t t = 0; t < probe.table; ++t) {
    if (static_cast<int32_t>(bit_count(prefix_of(difference, image.tables()[t].block))) <= flips_[t]) return;  // it looked into that bucket
  }
  found_.push_back({word, probe.query, distance, position});
}

// The nested image holds whole codes. The query gets the bucket's own prefix, so that the flipped bits count apart and the radius is what
// is left.
template <typename Code>
void HammingSearch<Code>::ask_nested(const HammingImage<Code>& image, std::span<const Word> queries, const Probe& probe,
                                     const HammingImage<Code>& nested, uint32_t radius) {
  if (deeper_ == nullptr) deeper_ = std::make_unique<HammingSearch>();
  const HammingBlock& block = image.tables()[probe.table].block;
  const Word query = join_parts(probe.prefix, remainder_of(queries[probe.query], block), block);
  const Word nested_query = nested.order().reorder(image.order().restore(query));
  deeper_->run(nested, std::span(&nested_query, 1), radius - probe.flipped);
  for (const Found& found : deeper_->found()) {
    const Word word = image.order().reorder(nested.order().restore(found.word));
    take(image, queries, probe, word, found.distance + probe.flipped, kUnknown);
  }
}

template <typename Code>
void HammingSearch<Code>::run_flat(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius) {
  const auto near = kernels::kernels().hamming_near;
  constexpr uint64_t kBlock = kernels::kCodeBlock;
  const uint64_t padded = (image.distinct() + kBlock - 1) / kBlock * kBlock;
  const uint64_t* low = image.flat_low();
  const uint64_t* high = image.flat_high();
  image.check(low, padded * 8);
  if (high != nullptr) image.check(high, padded * 8);
  for (uint32_t query = 0; query < queries.size(); ++query) {
    const Code code = code_of(queries[query]);
    uint64_t query_high = 0;
    if constexpr (Code::kBits == 128) query_high = code.high;
    for (uint64_t at = 0; at < image.distinct(); at += kBlock) {
      uint64_t bits = near(low + at, high == nullptr ? nullptr : high + at, code.low, query_high, radius);
      if (image.distinct() - at < kBlock) bits &= low_mask<uint64_t>(static_cast<uint32_t>(image.distinct() - at));
      for (; bits != 0; bits &= bits - 1) {
        const uint64_t position = at + static_cast<uint64_t>(std::countr_zero(bits));
        const Word word = image.flat_word(position);
        found_.push_back({word, query, bit_count(word ^ queries[query]), position});
      }
    }
  }
}

template class HammingSearch<Fingerprint64>;
template class HammingSearch<Fingerprint128>;

}  // namespace neardup
