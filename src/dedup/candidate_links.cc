#include "dedup/candidate_links.h"

#include <span>
#include <vector>

#include "index/hamming_join.h"
#include "index/key_groups.h"

namespace neardup {

void connect_by_bands(const BandKeys& keys, const LinkRun& run, UnionFind& sets, const TakesDocument& takes) {
  std::vector<std::vector<uint8_t>> spaces(run.threads);
  KeySpace space;
  for (uint32_t band = 0; band < keys.plan().bands; ++band) {
    const auto read = [&](uint32_t worker, size_t block, const auto& emit) {
      const auto slice = keys.band(block, band, spaces[worker]);
      const uint32_t first = keys.first_document(block);
      for (uint32_t i = 0; i < keys.documents(block); ++i) {
        if (takes(first + i)) emit(BandKeys::load(slice.data() + i * BandKeys::kKeyBytes), first + i);
      }
    };
    const KeyParts parts{.parts = keys.block_count(), .keys = sets.size(), .key_bits = BandKeys::kKeyBytes * 8};
    for_each_equal_key(run.threads, run.memory_bytes, parts, space, read,
                       [&](uint32_t first, uint32_t later) { sets.unite(first, later); });
  }
}

void connect_by_distance(const CodeSketches& sketches, const LinkRun& run, UnionFind& sets, const TakesDocument& takes) {
  std::vector<uint32_t> documents;
  for (uint32_t d = 0; d < sketches.codes.size(); ++d) {
    if (takes(d)) documents.push_back(d);
  }
  const JoinPlan plan = plan_join(sketches.bits, sketches.max_distance, documents.size());
  const HammingRun join{.threads = run.threads, .memory_bytes = run.memory_bytes};
  const auto unite = [&](uint32_t, uint32_t a, uint32_t b, uint32_t) { sets.unite(documents[a], documents[b]); };
  if (sketches.bits == 64) {
    std::vector<Fingerprint64> codes;
    codes.reserve(documents.size());
    for (const uint32_t d : documents) codes.push_back(sketches.codes[d].low_half());
    hamming_connect(std::span<const Fingerprint64>(codes), plan, join, unite);
  } else {
    std::vector<Fingerprint128> codes;
    codes.reserve(documents.size());
    for (const uint32_t d : documents) codes.push_back(sketches.codes[d]);
    hamming_connect(std::span<const Fingerprint128>(codes), plan, join, unite);
  }
}

}  // namespace neardup
