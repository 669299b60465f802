#include "dedup/match/candidates/candidate_links.h"

#include <span>
#include <utility>
#include <vector>

#include "base/equal_keys.h"
#include "base/parallel.h"
#include "index/hamming/hamming_connect.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {
namespace {

template <typename Code>
HammingIndex<Code> index_codes(const CodeSketches& sketches, const LinkOptions& link, const std::vector<uint32_t>& rows) {
  std::vector<Code> codes;
  codes.reserve(rows.size());
  for (const uint32_t row : rows) {
    if constexpr (Code::kBits == 64) {
      codes.push_back(sketches.codes[row].low_half());
    } else {
      codes.push_back(sketches.codes[row]);
    }
  }
  HammingPlan plan = plan_hamming(hamming_statistics(std::span<const Code>(codes)), sketches.max_distance, {.use = HammingUse::kSelfJoin});
  return HammingIndex<Code>::build(codes, {},
                                   {.radius = sketches.max_distance,
                                    .plan = std::move(plan),
                                    .threads = link.threads,
                                    .memory = link.memory_bytes,
                                    .temp_dir = link.temp_dir});
}

template <typename Code>
void connect_codes(const CodeSketches& sketches, const LinkOptions& link, UnionFind& sets, const TakesRow& takes) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < sketches.codes.size(); ++row) {
    if (takes(row)) rows.push_back(row);
  }
  const auto index = index_codes<Code>(sketches, link, rows);
  hamming_connect(
      index, sketches.max_distance, link.threads,
      [&](std::span<const HammingPair> pairs) {
        for (const HammingPair& pair : pairs) sets.unite(rows[pair.a], rows[pair.b]);
      },
      [&] {
        if (link.progress != nullptr) link.progress->ask();
      });
}

}  // namespace

void connect_by_bands(const BandKeys& keys, const LinkOptions& link, UnionFind& sets, const TakesRow& takes) {
  std::vector<std::vector<uint8_t>> spaces(link.threads);
  KeySpace space;
  std::vector<uint8_t> taken(sets.size());  // asked twice for every band
  parallel_for(link.threads, taken.size(), 1 << 14, [&](uint32_t, size_t d) { taken[d] = takes(static_cast<uint32_t>(d)); });
  for (uint32_t band = 0; band < keys.plan().bands; ++band) {
    const auto read = [&](uint32_t worker, size_t block, const auto& emit) {
      const auto slice = keys.band(block, band, spaces[worker]);
      if (link.progress != nullptr) link.progress->ask();
      const uint32_t first = keys.first_document(block);
      for (uint32_t i = 0; i < keys.documents(block); ++i) {
        if (taken[first + i] != 0) emit(BandKeys::load(slice.data() + i * BandKeys::kKeyBytes), first + i);
      }
    };
    const KeyParts parts{.parts = keys.block_count(), .keys = sets.size(), .key_bits = BandKeys::kKeyBytes * 8};
    for_each_equal_key(link.threads, link.memory_bytes, parts, space, read,
                       [&](uint32_t first, uint32_t later) { sets.unite(first, later); });
    if (link.progress != nullptr) link.progress->done(1);
  }
}

void connect_by_distance(const CodeSketches& sketches, const LinkOptions& link, UnionFind& sets, const TakesRow& takes) {
  if (sketches.bits == 64) {
    connect_codes<Fingerprint64>(sketches, link, sets, takes);
  } else {
    connect_codes<Fingerprint128>(sketches, link, sets, takes);
  }
}

}  // namespace neardup
