#include "index/hamming/hamming_search.h"

#include <algorithm>
#include <bit>

#include "neardup/stop.h"

namespace neardup {
namespace {

// Maximum codes per kernel call, which bounds its list of matches.
constexpr uint64_t kCallCodes = 4096;

// Between two questions whether to stop: a query reads at most kMaxHammingProbes buckets, in some tens of milliseconds.
constexpr uint32_t kStopQueries = 8;
constexpr uint64_t kStopCodes = uint64_t{1} << 24;
static_assert(kStopCodes % kernels::kCodeBlock == 0);

template <typename Word>
kernels::PackedRun packed_run(const char* codes, uint64_t count, uint32_t stride, Word query, uint32_t radius) noexcept {
  uint64_t high = 0;
  if constexpr (sizeof(Word) > 8) high = static_cast<uint64_t>(query >> 64);
  return {codes, static_cast<uint64_t>(query), high, static_cast<uint32_t>(count), stride, radius};
}

}  // namespace

template <typename Code>
void HammingSearch<Code>::run(const HammingImage<Code>& image, std::span<const Word> queries, uint32_t radius) {
  found_.clear();
  if (image.distinct() == 0) return;
  const Job job{image, queries, radius, image.flips(radius)};
  if (image.tables().empty()) return run_flat(job);
  matches_.resize(kCallCodes);
  filled_ = 0;
  Block* block = &blocks_[0];
  block->count = 0;
  const auto tables = static_cast<uint16_t>(job.flips.size());
  for (uint32_t query = 0; query < queries.size(); ++query) {
    if (query % kStopQueries == 0) check_stop();
    for (uint16_t t = 0; t < tables; ++t) {
      const HammingTable<Code>& table = image.tables()[t];
      const uint64_t own = prefix_of(queries[query], table.block);
      for (int32_t flipped = 0; flipped <= job.flips[t]; ++flipped) {
        for_each_pattern(table.block.width, static_cast<uint32_t>(flipped), [&](uint64_t pattern) {
          const uint64_t prefix = own ^ pattern;
          const BucketSlot slot = table.directory.slot(prefix);
          __builtin_prefetch(slot.line, 0, 2);
          block->probes[block->count++] = {prefix, slot, 0, query, t, static_cast<uint16_t>(flipped)};
          if (block->count < kBlockProbes) return;
          advance(job);
          block = &blocks_[filled_ % kBlocks];
          block->count = 0;
        });
      }
    }
  }
  for (uint64_t more = 0; more <= 2 * kAhead; ++more) {  // empty blocks flush the others
    advance(job);
    blocks_[filled_ % kBlocks].count = 0;
  }
}

// Two steps of one block are kAhead blocks apart, so prefetches of the first have arrived at the second. The ring is longer than both
// distances, so the block that is filled next is done.
template <typename Code>
void HammingSearch<Code>::advance(const Job& job) {
  if (filled_ >= kAhead) fetch_codes(job, blocks_[(filled_ - kAhead) % kBlocks]);
  if (filled_ >= 2 * kAhead) compare(job, blocks_[(filled_ - 2 * kAhead) % kBlocks]);
  ++filled_;
}

// Drops empty buckets, and searches big ones, which would not fit into the match list of a block, immediately, without overlap. compare()
// passes the remaining runs to the kernel in one call.
template <typename Code>
void HammingSearch<Code>::fetch_codes(const Job& job, Block& block) {
  uint32_t kept = 0;
  for (uint32_t p = 0; p < block.count; ++p) {
    const Probe& probe = block.probes[p];
    const HammingTable<Code>& table = job.image.tables()[probe.table];
    const ItemRange codes = job.image.bucket(table, probe.slot);
    const uint64_t count = codes.end - codes.begin;
    if (count == 0) continue;
    if (count > kCallCodes / kBlockProbes) [[unlikely]] {
      const HammingImage<Code>* nested = count > kHotBucket ? job.image.nested(probe.table, probe.prefix) : nullptr;
      if (nested != nullptr) {
        ask_nested(job, probe, *nested);
      } else {
        Probe longer = probe;
        longer.begin = codes.begin;
        compare_long(job, longer, codes.end);
      }
      continue;
    }
    const char* const begin = table.entry(codes.begin);
    const char* const last = begin + count * table.stride - 1;
    __builtin_prefetch(begin, 0, 2);
    __builtin_prefetch(last, 0, 2);
    for (const char* at = begin + 64; at + 64 < last; at += 64) __builtin_prefetch(at, 0, 2);
    const Word query = remainder_of(job.queries[probe.query], table.block);
    block.runs[kept] = packed_run(begin, count, table.stride, query, job.radius - probe.flipped);
    block.probes[kept] = probe;  // kept <= p: it overwrites only processed ones
    block.probes[kept++].begin = codes.begin;
  }
  block.count = kept;
}

template <typename Code>
void HammingSearch<Code>::compare(const Job& job, Block& block) {
  if (block.count == 0) return;
  if (job.image.guard() != nullptr) {  // here, not when they are fetched: the guard reads the bytes
    for (uint32_t r = 0; r < block.count; ++r) job.image.check(block.runs[r].codes, size_t{block.runs[r].count} * block.runs[r].stride);
  }
  take_matches(job, block.probes.data(),
               kernels::kernels().hamming_packed(block.runs.data(), block.count, Code::kBits == 128, matches_.data()));
}

template <typename Code>
void HammingSearch<Code>::compare_long(const Job& job, const Probe& probe, uint64_t end) {
  const HammingTable<Code>& table = job.image.tables()[probe.table];
  const Word query = remainder_of(job.queries[probe.query], table.block);
  Probe part = probe;
  for (; part.begin < end; part.begin += kCallCodes) {
    const uint64_t count = std::min(kCallCodes, end - part.begin);
    const auto run = packed_run(table.entry(part.begin), count, table.stride, query, job.radius - probe.flipped);
    job.image.check(run.codes, count * table.stride);
    take_matches(job, &part, kernels::kernels().hamming_packed(&run, 1, Code::kBits == 128, matches_.data()));
  }
}

// Only table 0 has the ids; for hits of other tables the position is looked up on demand.
template <typename Code>
void HammingSearch<Code>::take_matches(const Job& job, const Probe* probes, size_t matches) {
  for (size_t m = 0; m < matches; ++m) {
    const kernels::PackedMatch& match = matches_[m];
    const Probe& probe = probes[match.run];
    const HammingTable<Code>& table = job.image.tables()[probe.table];
    const uint64_t position = probe.begin + match.code;
    const Word word = join_parts(probe.prefix, table.remainder(position), table.block);
    take(job, probe, word, match.distance + probe.flipped, probe.table == 0 ? position : kUnknown);
  }
}

template <typename Code>
void HammingSearch<Code>::take(const Job& job, const Probe& probe, Word word, uint32_t distance, uint64_t position) {
  if (job.image.found_earlier(probe.table, word ^ job.queries[probe.query], job.flips)) return;
  found_.push_back({word, probe.query, distance, position});
}

// The nested image holds whole codes. The query gets the bucket's own prefix, so that the flipped bits are counted separately and the
// radius is reduced by them.
template <typename Code>
void HammingSearch<Code>::ask_nested(const Job& job, const Probe& probe, const HammingImage<Code>& nested) {
  if (deeper_ == nullptr) deeper_ = std::make_unique<HammingSearch>();
  const HammingBlock& block = job.image.tables()[probe.table].block;
  const Word query = join_parts(probe.prefix, remainder_of(job.queries[probe.query], block), block);
  const Word nested_query = job.image.to_nested(nested, query);
  deeper_->run(nested, std::span(&nested_query, 1), job.radius - probe.flipped);
  for (const FoundCode& found : deeper_->found()) {
    const Word word = job.image.from_nested(nested, found.word);
    take(job, probe, word, found.distance + probe.flipped, kUnknown);
  }
}

// The kernel returns one bit per code of a block; the bits of the padding at the end are masked out.
template <typename Code>
void HammingSearch<Code>::run_flat(const Job& job) {
  const HammingImage<Code>& image = job.image;
  const auto near = kernels::kernels().hamming_near;
  constexpr uint64_t kBlock = kernels::kCodeBlock;
  const uint64_t* low = image.flat_low();
  const uint64_t* high = image.flat_high();
  image.check_flat();
  for (uint32_t query = 0; query < job.queries.size(); ++query) {
    const Code code = code_of(job.queries[query]);
    uint64_t query_high = 0;
    if constexpr (Code::kBits == 128) query_high = code.high;
    for (uint64_t at = 0; at < image.distinct(); at += kBlock) {
      if (at % kStopCodes == 0) check_stop();
      uint64_t bits = near(low + at, high == nullptr ? nullptr : high + at, code.low, query_high, job.radius);
      if (image.distinct() - at < kBlock) bits &= low_mask<uint64_t>(static_cast<uint32_t>(image.distinct() - at));
      for (; bits != 0; bits &= bits - 1) {
        const uint64_t position = at + static_cast<uint64_t>(std::countr_zero(bits));
        const Word word = image.flat_word(position);
        found_.push_back({word, query, bit_count(word ^ job.queries[query]), position});
      }
    }
  }
}

template class HammingSearch<Fingerprint64>;
template class HammingSearch<Fingerprint128>;

}  // namespace neardup
