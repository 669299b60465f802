#include "dedup/reference_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "base/hash.h"
#include "base/parallel.h"
#include "dedup/match/candidates/exact_copies.h"
#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "neardup/tools/index_recipe.h"
#include "store/store_manifest.h"

namespace neardup {
namespace {

using AnyStore = std::variant<HammingStore64, HammingStore128>;

AnyStore open_store(const std::string& folder, uint32_t bits) {
  if (bits == Fingerprint64::kBits) return HammingStore64::open(folder, HammingAccess::kRead);
  return HammingStore128::open(folder, HammingAccess::kRead);
}

void query(const HammingStore64& store, Fingerprint128 code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) {
  store.query(code.low_half(), radius, scratch, hits);
}
void query(const HammingStore128& store, Fingerprint128 code, uint32_t radius, HammingStoreScratch& scratch,
           std::vector<HammingHit>& hits) {
  store.query(code, radius, scratch, hits);
}

// A checksum over everything that the manifest lists.
std::string state_of(const std::string& folder) {
  const StoreManifest manifest = StoreManifest::read(folder);
  uint64_t entries = 0;
  uint64_t sum = manifest.removals.size();
  for (const ListedSegment& segment : manifest.segments) {
    entries += segment.entries;
    sum = mix64(sum ^ segment.sum) + segment.born;
  }
  for (const IdRemoval& removal : manifest.removals) sum = mix64(sum ^ removal.id) + removal.time;
  return fmt::format("{} entries, {} removals, sum {:016x}", entries, manifest.removals.size(), sum);
}

struct IndexReader {
  HammingStoreScratch scratch;
  std::vector<HammingHit> hits;
};

void check_options(const std::string& folder, const Options& options, const PairStrategy& strategy) {
  if (strategy.judge != Judge::kHamming) {
    throw Error(ErrorCode::kUsage, fmt::format("the index '{}' has no texts: matches are judged by the distance of fingerprints, not "
                                               "by --verify jaccard or cosine, and not with --also",
                                               folder));
  }
  if (options.cluster == Cluster::kComponents) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--cluster components needs document texts; the index '{}' stores only fingerprints", folder));
  }
}

}  // namespace

void write_index_match(const IndexMatch& match, ByteWriter& to) {
  to.value(match.document);
  to.value(match.index);
  to.value(match.entry);
  to.text(match.name);
  to.value(static_cast<uint8_t>(match.named));
  to.value(match.distance);
}

IndexMatch read_index_match(ByteReader& from) {
  IndexMatch match;
  match.document = from.value<uint32_t>();
  match.index = from.value<uint32_t>();
  match.entry = from.value<uint64_t>();
  match.name = from.text();
  match.named = from.value<uint8_t>() != 0;
  match.distance = from.value<uint32_t>();
  return match;
}

struct ReferenceIndexes::State {
  std::vector<AnyStore> stores;
  std::vector<std::string> states;  // read before the store is opened: a change in between is one

  [[nodiscard]] std::optional<IndexMatch> find(uint32_t document, Fingerprint128 code, uint32_t radius, IndexReader& worker) const {
    for (uint32_t i = 0; i < stores.size(); ++i) {
      std::optional<IndexMatch> match = std::visit(
          [&](const auto& store) -> std::optional<IndexMatch> {
            query(store, code, radius, worker.scratch, worker.hits);
            if (worker.hits.empty()) return std::nullopt;
            const auto by_number = [](const HammingHit& hit) { return std::pair(hit.id, hit.distance); };
            const HammingHit& hit = *std::ranges::min_element(worker.hits, {}, by_number);
            const std::optional<std::string> name = store.spec().names ? store.name(hit.id) : std::nullopt;
            return IndexMatch{document, i, hit.id, name.value_or(""), name.has_value(), hit.distance};
          },
          stores[i]);
      if (match) return match;
    }
    return std::nullopt;
  }
};

ReferenceIndexes::ReferenceIndexes() : state_(std::make_unique<State>()) {}
ReferenceIndexes::~ReferenceIndexes() = default;
ReferenceIndexes::ReferenceIndexes(ReferenceIndexes&&) noexcept = default;
ReferenceIndexes& ReferenceIndexes::operator=(ReferenceIndexes&&) noexcept = default;

void ReferenceIndexes::open(std::span<const std::string> folders, const Recipe& recipe, const Options& options,
                            const PairStrategy& strategy) {
  for (const std::string& folder : folders) {
    const HammingStoreSpec spec = hamming_store_spec(folder);
    check_index_recipe(folder, spec, recipe);
    check_options(folder, options, strategy);
    if (options.max_distance > spec.radius) {
      throw Error(ErrorCode::kUsage, fmt::format("max_distance: {} is above the {} that the index '{}' was built for", options.max_distance,
                                                 spec.radius, folder));
    }
    state_->states.push_back(state_of(folder));
    state_->stores.push_back(open_store(folder, spec.bits));
  }
}

const std::vector<std::string>& ReferenceIndexes::states() const noexcept {
  return state_->states;
}

bool ReferenceIndexes::empty() const noexcept {
  return state_->stores.empty();
}

uint64_t ReferenceIndexes::entries() const {
  uint64_t sum = 0;
  for (const AnyStore& store : state_->stores) sum += std::visit([](const auto& of) { return of.stat().entries; }, store);
  return sum;
}

std::vector<IndexMatch> ReferenceIndexes::find(const DocumentTable& table, std::span<const uint32_t> copy_of, uint32_t first,
                                               std::span<const Fingerprint128> codes, uint32_t radius, uint32_t threads) const {
  std::vector<IndexReader> workers(threads);
  std::vector<std::vector<IndexMatch>> found(threads);
  parallel_for(threads, codes.size(), 256, [&](uint32_t worker, size_t i) {
    const uint32_t document = first + static_cast<uint32_t>(i);
    if (table.reference(document) || !takes_part(table, copy_of, document)) return;
    if (auto match = state_->find(document, codes[i], radius, workers[worker])) found[worker].push_back(std::move(*match));
  });
  std::vector<IndexMatch> all;
  for (std::vector<IndexMatch>& part : found) all.insert(all.end(), std::move_iterator(part.begin()), std::move_iterator(part.end()));
  std::ranges::sort(all, {}, &IndexMatch::document);
  return all;
}

}  // namespace neardup
