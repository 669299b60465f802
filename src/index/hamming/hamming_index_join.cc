// The joins of HammingIndex: chunks of pairs of distinct codes, and the entries behind them.
#include <algorithm>

#include "base/parallel.h"
#include "index/hamming/hamming_pairs.h"
#include "index/hamming/hamming_search.h"
#include "index/hamming/hamming_state.h"
#include "index/hamming/hamming_walk.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// Collects pairs and hands them on by the thousand.
class PairBuffer {
 public:
  explicit PairBuffer(const std::function<void(std::span<const HammingPair>)>& visit) : visit_(visit) { pairs_.reserve(kMost); }
  void add(uint64_t a, uint64_t b, uint32_t distance) {
    pairs_.push_back({a, b, distance});
    if (pairs_.size() == kMost) flush();
  }
  void flush() {
    if (!pairs_.empty()) visit_(pairs_);
    pairs_.clear();
  }

 private:
  static constexpr size_t kMost = 4096;
  const std::function<void(std::span<const HammingPair>)>& visit_;
  std::vector<HammingPair> pairs_;
};

// A pair of codes, as the places of their ids: the pairs of ids may be many more.
struct CodePair {
  CountRange a;
  CountRange b;
  uint32_t distance;
};

constexpr uint64_t kCodesAtOnce = 1 << 14;

}  // namespace

template <typename Code>
void HammingIndex<Code>::self_join(uint32_t radius, uint32_t threads, const VisitPairs& visit) const {
  const HammingImage<Code>& image = state_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  PairBuffer buffer(visit);
  if (image.has_equal_codes()) {
    for (uint64_t position = 0; position < image.distinct(); ++position) {
      const CountRange places = image.ids_of(position);
      for (uint64_t b = places.begin; b < places.end; ++b) {
        for (uint64_t a = places.begin; a < b; ++a) buffer.add(image.id(a), image.id(b), 0);  // ascending in an index
      }
    }
  }
  struct Slot {
    std::vector<PositionPair> pairs;
    std::vector<CodePair> codes;
  };
  std::vector<Slot> slots(OrderedLine::slot_count(threads));
  std::vector<HammingPairs<Code>> workers;
  for (uint32_t worker = 0; worker < threads; ++worker) workers.emplace_back(image, radius);
  const uint64_t chunks = workers[0].chunks();
  OrderedLine::run(
      threads, [&](uint64_t chunk, size_t) { return chunk < chunks; },
      [&](uint32_t worker, uint64_t chunk, size_t s) {
        Slot& slot = slots[s];
        workers[worker].run(chunk, slot.pairs);
        slot.codes.clear();
        for (const PositionPair& pair : slot.pairs) {
          const CountRange a = image.ids_of(pair.a);
          const CountRange b = image.ids_of(pair.b);
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
  const HammingImage<Code>& image = state_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  uint64_t total = 0;
  const auto entries = [&](uint64_t position) {
    const CountRange places = image.ids_of(position);
    return places.end - places.begin;
  };
  if (image.has_equal_codes()) {
    for (uint64_t position = 0; position < image.distinct(); ++position) {
      const uint64_t equal = entries(position);
      total += equal % 2 == 0 ? equal / 2 * (equal - 1) : (equal - 1) / 2 * equal;
    }
  }
  struct Worker {
    HammingPairs<Code> pairs;
    std::vector<PositionPair> found;
    uint64_t total = 0;
  };
  std::vector<Worker> workers;
  for (uint32_t worker = 0; worker < threads; ++worker) workers.push_back({HammingPairs<Code>(image, radius), {}, 0});
  parallel_for(threads, workers[0].pairs.chunks(), 1, [&](uint32_t w, size_t chunk) {
    Worker& worker = workers[w];
    worker.pairs.run(chunk, worker.found);
    if (!image.has_equal_codes()) {
      worker.total += worker.found.size();
    } else {
      for (const PositionPair& pair : worker.found) worker.total += entries(pair.a) * entries(pair.b);
    }
  });
  for (const Worker& worker : workers) total += worker.total;
  return total;
}

template <typename Code>
void HammingIndex<Code>::join(const HammingIndex& other, uint32_t radius, uint32_t threads, const VisitPairs& visit) const {
  using Word = CodeWord<Code>;
  const HammingImage<Code>& image = state_->image;
  const HammingImage<Code>& asking = other.state_->image;
  image.require_radius(radius);
  threads = resolve_threads(threads);
  struct Slot {
    std::vector<Word> words;
    std::vector<CodePair> codes;
  };
  std::vector<Slot> slots(OrderedLine::slot_count(threads));
  std::vector<HammingSearch<Code>> searches(threads);
  WordWalk<Code> walk(asking);
  std::vector<uint64_t> firsts(slots.size());
  PairBuffer buffer(visit);
  OrderedLine::run(
      threads,
      [&](uint64_t, size_t s) {
        firsts[s] = walk.position();
        return walk.next(kCodesAtOnce, slots[s].words);
      },
      [&](uint32_t worker, uint64_t, size_t s) {
        Slot& slot = slots[s];
        for (Word& word : slot.words) word = image.order().reorder(asking.order().restore(word));
        auto& search = searches[worker];
        search.run(image, slot.words, radius);
        std::ranges::sort(search.found(), {}, [](const auto& found) { return std::pair(found.query, found.word); });
        slot.codes.clear();
        for (const auto& found : search.found()) {
          const uint64_t position = found.position != HammingSearch<Code>::kUnknown ? found.position : image.require(found.word);
          slot.codes.push_back({image.ids_of(position), asking.ids_of(firsts[s] + found.query), found.distance});
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

template void HammingIndex<Fingerprint64>::self_join(uint32_t, uint32_t, const VisitPairs&) const;
template void HammingIndex<Fingerprint128>::self_join(uint32_t, uint32_t, const VisitPairs&) const;
template void HammingIndex<Fingerprint64>::join(const HammingIndex&, uint32_t, uint32_t, const VisitPairs&) const;
template void HammingIndex<Fingerprint128>::join(const HammingIndex&, uint32_t, uint32_t, const VisitPairs&) const;
template uint64_t HammingIndex<Fingerprint64>::count_pairs(uint32_t, uint32_t) const;
template uint64_t HammingIndex<Fingerprint128>::count_pairs(uint32_t, uint32_t) const;

}  // namespace neardup
