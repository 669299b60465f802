#include "neardup/hamming_index.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/page_buffer.h"
#include "base/parallel.h"
#include "index/hamming/hamming_access.h"
#include "index/hamming/hamming_build.h"
#include "index/hamming/hamming_pairs.h"
#include "index/hamming/hamming_search.h"
#include "neardup/error.h"
#include "neardup/tools/hamming_plan.h"

namespace neardup {

namespace {

struct BufferOwner final : ByteOwner {
  PageBuffer buffer;
};

template <typename Code>
HammingIndex<Code> build_index(std::span<const Code> codes, HammingIds kind, std::span<const uint64_t> ids, const HammingPlan& plan,
                               const HammingBuildRun& run) {
  auto owner = std::make_unique<BufferOwner>();
  build_hamming_image(codes, kind, ids, plan, run, owner->buffer);
  owner->buffer.shrink();
  const char* begin = owner->buffer.data();
  const size_t bytes = owner->buffer.size();
  return HammingIndexAccess::over<Code>(std::move(owner), begin, bytes, nullptr, "a new index");
}

// The position of a hit's code in table 0.
template <typename Code>
uint64_t position_of(const HammingImage<Code>& image, const typename HammingSearch<Code>::FoundCode& found) {
  return found.position != HammingSearch<Code>::kUnknown ? found.position : image.require(found.word);
}

// In steps, each prefetching for the next one: the bucket of table 0, its codes, the number of ids, the ids.
template <typename Code>
void fetch_ids(const HammingImage<Code>& image, std::vector<typename HammingSearch<Code>::FoundCode>& found) {
  constexpr uint64_t kUnknown = HammingSearch<Code>::kUnknown;
  if (!image.tables().empty()) {
    const HammingTable<Code>& table = image.tables()[0];
    const auto slot_of = [&](const auto& f) { return table.directory.slot(prefix_of(f.word, table.block)); };
    for (const auto& f : found) {
      if (f.position == kUnknown) __builtin_prefetch(slot_of(f).line);
    }
    for (const auto& f : found) {
      if (f.position == kUnknown) __builtin_prefetch(table.entry(image.bucket(table, slot_of(f)).begin));
    }
  }
  for (auto& f : found) {
    f.position = position_of(image, f);
    image.prefetch_ids_of(f.position);
  }
  if (!image.has_equal_codes()) return;
  for (const auto& f : found) image.prefetch_id(image.ids_of(f.position).begin);
}

template <typename Code>
void append_hits(const HammingImage<Code>& image, const typename HammingSearch<Code>::FoundCode& found, std::vector<HammingHit>& hits) {
  const ItemRange places = image.ids_of(position_of(image, found));
  for (uint64_t place = places.begin; place < places.end; ++place) hits.push_back({found.distance, image.id(place)});
}

// Collects pairs and passes them on in batches.
class PairBuffer {
 public:
  explicit PairBuffer(const std::function<void(std::span<const HammingPair>)>& visit) : visit_(visit) { pairs_.reserve(kCapacity); }
  void add(uint64_t a, uint64_t b, uint32_t distance) {
    pairs_.push_back({a, b, distance});
    if (pairs_.size() == kCapacity) flush();
  }
  void flush() {
    if (!pairs_.empty()) visit_(pairs_);
    pairs_.clear();
  }

 private:
  static constexpr size_t kCapacity = 4096;
  const std::function<void(std::span<const HammingPair>)>& visit_;
  std::vector<HammingPair> pairs_;
};

// A pair of codes, as the places of their ids: the pairs of ids may be many more.
struct CodePair {
  ItemRange a;
  ItemRange b;
  uint32_t distance;
};

constexpr uint64_t kCodesPerChunk = 1 << 14;

}  // namespace

struct HammingScratch::Impl {
  HammingSearch<Fingerprint64> search64;
  HammingSearch<Fingerprint128> search128;

  template <typename Code>
  HammingSearch<Code>& search() noexcept {
    if constexpr (Code::kBits == 64) {
      return search64;
    } else {
      return search128;
    }
  }
};

HammingScratch::HammingScratch() : impl_(std::make_unique<Impl>()) {}
HammingScratch::~HammingScratch() = default;
HammingScratch::HammingScratch(HammingScratch&&) noexcept = default;
HammingScratch& HammingScratch::operator=(HammingScratch&&) noexcept = default;

template <typename Code>
HammingIndex<Code>::HammingIndex() : HammingIndex(build_index<Code>({}, HammingIds::kRows, {}, {.bits = Code::kBits}, {})) {}
template <typename Code>
HammingIndex<Code>::HammingIndex(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
template <typename Code>
HammingIndex<Code>::~HammingIndex() = default;
template <typename Code>
HammingIndex<Code>::HammingIndex(HammingIndex&&) noexcept = default;
template <typename Code>
HammingIndex<Code>& HammingIndex<Code>::operator=(HammingIndex&&) noexcept = default;

template <typename Code>
HammingIndex<Code> HammingIndex<Code>::build(std::span<const Code> codes, std::span<const uint64_t> ids,
                                             const HammingBuildOptions& options) {
  if (!ids.empty() && ids.size() != codes.size()) {
    throw Error(ErrorCode::kUsage, std::to_string(ids.size()) + " ids for " + std::to_string(codes.size()) + " fingerprints");
  }
  const HammingPlan plan =
      options.plan ? *options.plan : plan_hamming(hamming_statistics(codes), std::min(options.radius, Code::kBits), {});
  std::string problem = hamming_plan_problem(plan);
  if (problem.empty() && plan.bits != Code::kBits) {
    problem = "a plan for " + std::to_string(plan.bits) + " bits, but fingerprints of " + std::to_string(Code::kBits);
  }
  if (!problem.empty()) throw Error(ErrorCode::kUsage, problem);
  const HammingIds kind = ids.empty() ? HammingIds::kRows : HammingIds::kGiven;
  return build_index(codes, kind, ids, plan, {resolve_threads(options.threads), options.memory, options.temp_dir});
}

template <typename Code>
uint64_t HammingIndex<Code>::size() const noexcept {
  return impl_->image.rows();
}
template <typename Code>
uint64_t HammingIndex<Code>::distinct() const noexcept {
  return impl_->image.distinct();
}
template <typename Code>
uint64_t HammingIndex<Code>::bytes() const noexcept {
  return impl_->image.bytes();
}
template <typename Code>
const HammingPlan& HammingIndex<Code>::plan() const noexcept {
  return impl_->image.plan();
}

template <typename Code>
void HammingIndex<Code>::query(Code code, uint32_t radius, HammingScratch& scratch, std::vector<HammingHit>& hits) const {
  const HammingImage<Code>& image = impl_->image;
  image.require_radius(radius);
  auto& search = scratch.impl_->template search<Code>();
  const CodeWord<Code> word = image.order().reorder(word_of(code));
  search.run(image, std::span(&word, 1), radius);
  hits.clear();
  for (const auto& found : search.found()) append_hits(image, found, hits);
  std::ranges::sort(hits);
}

template <typename Code>
void HammingIndex<Code>::nearest(Code code, size_t max_hits, uint32_t radius, HammingScratch& scratch,
                                 std::vector<HammingHit>& hits) const {
  query(code, radius, scratch, hits);
  if (hits.size() > max_hits) hits.resize(max_hits);
}

template <typename Code>
uint64_t HammingIndex<Code>::count(Code code, uint32_t radius, HammingScratch& scratch) const {
  const HammingImage<Code>& image = impl_->image;
  image.require_radius(radius);
  auto& search = scratch.impl_->template search<Code>();
  const CodeWord<Code> word = image.order().reorder(word_of(code));
  search.run(image, std::span(&word, 1), radius);
  if (!image.has_equal_codes()) return search.found().size();
  uint64_t entries = 0;
  for (const auto& found : search.found()) {
    const ItemRange places = image.ids_of(position_of(image, found));
    entries += places.end - places.begin;
  }
  return entries;
}

template <typename Code>
void HammingIndex<Code>::query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const {
  constexpr size_t kQueries = 256;  // a batch: enough to keep the memory busy, few enough for its hits to stay in the cache
  const HammingImage<Code>& image = impl_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  struct AnsweredBatch {
    std::vector<HammingHit> hits;
    std::vector<size_t> begins;
  };
  std::vector<AnsweredBatch> slots(OrderedLine::slot_count(threads));
  std::vector<HammingSearch<Code>> searches(threads);
  const size_t batches = (codes.size() + kQueries - 1) / kQueries;
  OrderedLine::run(
      threads, [&](uint64_t batch, size_t) { return batch < batches; },
      [&](uint32_t worker, uint64_t batch, size_t s) {
        AnsweredBatch& slot = slots[s];
        const auto queries = codes.subspan(batch * kQueries, std::min(kQueries, codes.size() - batch * kQueries));
        std::array<CodeWord<Code>, kQueries> words;
        for (size_t i = 0; i < queries.size(); ++i) words[i] = image.order().reorder(word_of(queries[i]));
        auto& search = searches[worker];
        search.run(image, std::span(words).first(queries.size()), radius);
        auto& found = search.found();
        std::ranges::sort(found, {}, [](const auto& f) { return f.query; });
        fetch_ids(image, found);
        slot.hits.clear();
        slot.begins.assign(1, 0);
        size_t next = 0;
        for (size_t i = 0; i < queries.size(); ++i) {
          for (; next < found.size() && found[next].query == i; ++next) append_hits(image, found[next], slot.hits);
          std::sort(slot.hits.begin() + static_cast<ptrdiff_t>(slot.begins.back()), slot.hits.end());
          slot.begins.push_back(slot.hits.size());
        }
      },
      [&](uint64_t batch, size_t s) {
        const AnsweredBatch& slot = slots[s];
        for (size_t i = 0; i + 1 < slot.begins.size(); ++i) {
          visit(batch * kQueries + i, std::span(slot.hits).subspan(slot.begins[i], slot.begins[i + 1] - slot.begins[i]));
        }
      });
}

template <typename Code>
void HammingIndex<Code>::self_join(uint32_t radius, uint32_t threads, const VisitPairs& visit) const {
  const HammingImage<Code>& image = impl_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  PairBuffer buffer(visit);
  if (image.has_equal_codes()) {
    for (uint64_t position = 0; position < image.distinct(); ++position) {
      const ItemRange places = image.ids_of(position);
      for (uint64_t b = places.begin; b < places.end; ++b) {
        for (uint64_t a = places.begin; a < b; ++a) buffer.add(image.id(a), image.id(b), 0);  // ascending in an index
      }
    }
  }
  struct ChunkPairs {
    std::vector<PositionPair> pairs;
    std::vector<CodePair> codes;
  };
  std::vector<ChunkPairs> slots(OrderedLine::slot_count(threads));
  std::vector<HammingPairs<Code>> workers;
  for (uint32_t worker = 0; worker < threads; ++worker) workers.emplace_back(image, radius);
  const uint64_t chunks = workers[0].chunks();
  OrderedLine::run(
      threads, [&](uint64_t chunk, size_t) { return chunk < chunks; },
      [&](uint32_t worker, uint64_t chunk, size_t s) {
        ChunkPairs& slot = slots[s];
        workers[worker].run(chunk, slot.pairs);
        slot.codes.clear();
        for (const PositionPair& pair : slot.pairs) {
          const ItemRange a = image.ids_of(pair.a);
          const ItemRange b = image.ids_of(pair.b);
          image.prefetch_id(a.begin);
          image.prefetch_id(b.begin);
          slot.codes.push_back({a, b, pair.distance});
        }
      },
      [&](uint64_t, size_t s) {
        for (const CodePair& pair : slots[s].codes) {
          for (uint64_t i = pair.a.begin; i < pair.a.end; ++i) {
            const uint64_t a = image.id(i);
            for (uint64_t j = pair.b.begin; j < pair.b.end; ++j) {
              const uint64_t b = image.id(j);
              buffer.add(std::min(a, b), std::max(a, b), pair.distance);
            }
          }
        }
      });
  buffer.flush();
}

template <typename Code>
uint64_t HammingIndex<Code>::count_pairs(uint32_t radius, uint32_t threads) const {
  const HammingImage<Code>& image = impl_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  uint64_t total = 0;
  const auto entries = [&](uint64_t position) {
    const ItemRange places = image.ids_of(position);
    return places.end - places.begin;
  };
  if (image.has_equal_codes()) {
    for (uint64_t position = 0; position < image.distinct(); ++position) {
      const uint64_t equal = entries(position);
      total += equal % 2 == 0 ? equal / 2 * (equal - 1) : (equal - 1) / 2 * equal;
    }
  }
  struct PairCounter {
    HammingPairs<Code> pairs;
    std::vector<PositionPair> found;
    uint64_t total = 0;
  };
  std::vector<PairCounter> workers;
  for (uint32_t worker = 0; worker < threads; ++worker) workers.push_back({HammingPairs<Code>(image, radius), {}, 0});
  parallel_for(threads, workers[0].pairs.chunks(), 1, [&](uint32_t w, size_t chunk) {
    PairCounter& worker = workers[w];
    worker.pairs.run(chunk, worker.found);
    if (!image.has_equal_codes()) {
      worker.total += worker.found.size();
    } else {
      for (const PositionPair& pair : worker.found) worker.total += entries(pair.a) * entries(pair.b);
    }
  });
  for (const PairCounter& worker : workers) total += worker.total;
  return total;
}

template <typename Code>
void HammingIndex<Code>::join(const HammingIndex& other, uint32_t radius, uint32_t threads, const VisitPairs& visit) const {
  using Word = CodeWord<Code>;
  const HammingImage<Code>& image = impl_->image;
  const HammingImage<Code>& asking = other.impl_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  struct FoundBatch {
    std::vector<Word> words;
    std::vector<CodePair> codes;
  };
  std::vector<FoundBatch> slots(OrderedLine::slot_count(threads));
  std::vector<HammingSearch<Code>> searches(threads);
  WordWalk<Code> walk(asking);
  std::vector<uint64_t> firsts(slots.size());
  PairBuffer buffer(visit);
  OrderedLine::run(
      threads,
      [&](uint64_t, size_t s) {
        firsts[s] = walk.position();
        return walk.next(kCodesPerChunk, slots[s].words);
      },
      [&](uint32_t worker, uint64_t, size_t s) {
        FoundBatch& slot = slots[s];
        for (Word& word : slot.words) word = image.order().reorder(asking.order().restore(word));
        auto& search = searches[worker];
        search.run(image, slot.words, radius);
        std::ranges::sort(search.found(), {}, [](const auto& found) { return std::pair(found.query, found.word); });
        slot.codes.clear();
        for (const auto& found : search.found()) {
          slot.codes.push_back({image.ids_of(position_of(image, found)), asking.ids_of(firsts[s] + found.query), found.distance});
        }
      },
      [&](uint64_t, size_t s) {
        for (const CodePair& pair : slots[s].codes) {
          for (uint64_t j = pair.b.begin; j < pair.b.end; ++j) {
            for (uint64_t i = pair.a.begin; i < pair.a.end; ++i) buffer.add(image.id(i), asking.id(j), pair.distance);
          }
        }
      });
  buffer.flush();
}

template class HammingIndex<Fingerprint64>;
template class HammingIndex<Fingerprint128>;

}  // namespace neardup
