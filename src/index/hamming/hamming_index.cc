#include "neardup/hamming_index.h"

#include <algorithm>

#include "base/page_buffer.h"
#include "base/parallel.h"
#include "index/hamming/hamming_build.h"
#include "index/hamming/hamming_search.h"
#include "index/hamming/hamming_state.h"
#include "neardup/error.h"
#include "neardup/tools/hamming_planner.h"

namespace neardup {

struct HammingScratch::State {
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

HammingScratch::HammingScratch() : state_(std::make_unique<State>()) {}
HammingScratch::~HammingScratch() = default;
HammingScratch::HammingScratch(HammingScratch&&) noexcept = default;
HammingScratch& HammingScratch::operator=(HammingScratch&&) noexcept = default;

namespace {

struct BufferOwner final : ByteOwner {
  PageBuffer buffer;
};

template <typename Code>
std::unique_ptr<const typename HammingIndex<Code>::State> build_state(std::span<const Code> codes, HammingIds kind,
                                                                      std::span<const uint64_t> ids, const HammingPlan& plan,
                                                                      const HammingBuildRun& run) {
  auto owner = std::make_unique<BufferOwner>();
  build_hamming_image(codes, kind, ids, plan, run, owner->buffer);
  owner->buffer.shrink();
  const char* begin = owner->buffer.data();
  const size_t bytes = owner->buffer.size();
  return std::make_unique<const typename HammingIndex<Code>::State>(std::move(owner), begin, bytes, nullptr, "a new index");
}

// Where the code of a hit stands in table 0.
template <typename Code>
uint64_t position_of(const HammingImage<Code>& image, const typename HammingSearch<Code>::Found& found) {
  return found.position != HammingSearch<Code>::kUnknown ? found.position : image.require(found.word);
}

// In steps that each fetch what the next one reads: the bucket of table 0, its codes, the number of ids, the ids.
template <typename Code>
void fetch_ids(const HammingImage<Code>& image, std::vector<typename HammingSearch<Code>::Found>& found) {
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
void append_hits(const HammingImage<Code>& image, const typename HammingSearch<Code>::Found& found, std::vector<HammingHit>& hits) {
  const CountRange places = image.ids_of(position_of(image, found));
  for (uint64_t place = places.begin; place < places.end; ++place) hits.push_back({found.distance, image.id(place)});
}

}  // namespace

template <typename Code>
HammingIndex<Code>::HammingIndex() : state_(build_state<Code>({}, HammingIds::kRows, {}, {.bits = Code::kBits}, {})) {}
template <typename Code>
HammingIndex<Code>::HammingIndex(std::unique_ptr<const State> state) : state_(std::move(state)) {}
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
  return HammingIndex(build_state(codes, kind, ids, plan, {resolve_threads(options.threads), options.memory, options.temp_dir}));
}

template <typename Code>
uint64_t HammingIndex<Code>::size() const noexcept {
  return state_->image.rows();
}
template <typename Code>
uint64_t HammingIndex<Code>::distinct() const noexcept {
  return state_->image.distinct();
}
template <typename Code>
uint64_t HammingIndex<Code>::bytes() const noexcept {
  return state_->image.bytes();
}
template <typename Code>
const HammingPlan& HammingIndex<Code>::plan() const noexcept {
  return state_->image.plan();
}

template <typename Code>
void HammingIndex<Code>::query(Code code, uint32_t radius, HammingScratch& scratch, std::vector<HammingHit>& hits) const {
  const HammingImage<Code>& image = state_->image;
  image.require_radius(radius);
  auto& search = scratch.state().template search<Code>();
  const CodeWord<Code> word = image.order().reorder(word_of(code));
  search.run(image, std::span(&word, 1), radius);
  hits.clear();
  for (const auto& found : search.found()) append_hits(image, found, hits);
  std::ranges::sort(hits);
}

template <typename Code>
void HammingIndex<Code>::nearest(Code code, size_t most, uint32_t radius, HammingScratch& scratch, std::vector<HammingHit>& hits) const {
  query(code, radius, scratch, hits);
  if (hits.size() > most) hits.resize(most);
}

template <typename Code>
uint64_t HammingIndex<Code>::count(Code code, uint32_t radius, HammingScratch& scratch) const {
  const HammingImage<Code>& image = state_->image;
  image.require_radius(radius);
  auto& search = scratch.state().template search<Code>();
  const CodeWord<Code> word = image.order().reorder(word_of(code));
  search.run(image, std::span(&word, 1), radius);
  if (!image.has_equal_codes()) return search.found().size();
  uint64_t entries = 0;
  for (const auto& found : search.found()) {
    const CountRange places = image.ids_of(position_of(image, found));
    entries += places.end - places.begin;
  }
  return entries;
}

template <typename Code>
void HammingIndex<Code>::query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const VisitHits& visit) const {
  constexpr size_t kQueries = 256;  // a batch: enough to keep the memory busy, few enough for its hits to stay in the cache
  const HammingImage<Code>& image = state_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  struct Slot {
    std::vector<HammingHit> hits;
    std::vector<size_t> begins;
  };
  std::vector<Slot> slots(OrderedLine::slot_count(threads));
  std::vector<HammingSearch<Code>> searches(threads);
  const size_t batches = (codes.size() + kQueries - 1) / kQueries;
  OrderedLine::run(
      threads, [&](uint64_t batch, size_t) { return batch < batches; },
      [&](uint32_t worker, uint64_t batch, size_t s) {
        Slot& slot = slots[s];
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
        const Slot& slot = slots[s];
        for (size_t i = 0; i + 1 < slot.begins.size(); ++i) {
          visit(batch * kQueries + i, std::span(slot.hits).subspan(slot.begins[i], slot.begins[i + 1] - slot.begins[i]));
        }
      });
}

template class HammingIndex<Fingerprint64>;
template class HammingIndex<Fingerprint128>;

}  // namespace neardup
