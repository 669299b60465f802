#include "index/hamming/hamming_connect.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "index/hamming/hamming_access.h"
#include "index/hamming/hamming_pairs.h"

namespace neardup {
namespace {

constexpr uint64_t kCodesPerTask = 1 << 12;
constexpr size_t kPairsAtOnce = 1 << 12;
constexpr size_t kFetched = 64;  // pairs whose ids are on their way at once

// Pairs that one thread has found and not passed on.
template <typename Code>
class Connector {
 public:
  Connector(const HammingImage<Code>& image, uint32_t radius, const TakeHammingPairs& take)
      : image_(image), take_(take), pairs_(image, radius) {
    found_.reserve(HammingPairs<Code>::kManyPairs);
    waiting_.reserve(kPairsAtOnce);
  }

  [[nodiscard]] uint64_t chunks() const noexcept { return pairs_.chunks(); }

  void connect_equal(uint64_t position) {
    const ItemRange places = image_.ids_of(position);
    if (places.end - places.begin < 2) return;
    const uint64_t first = image_.id(places.begin);
    for (uint64_t place = places.begin + 1; place < places.end; ++place) add({first, image_.id(place), 0});  // ids ascend
  }
  void connect_near(uint64_t chunk) {
    pairs_.run(chunk, found_, [this] { add_found(); });
    add_found();
  }
  void flush() {
    if (!waiting_.empty()) take_(waiting_);
    waiting_.clear();
  }

 private:
  void add(const HammingPair& pair) {
    waiting_.push_back(pair);
    if (waiting_.size() == kPairsAtOnce) flush();
  }
  void add_found() {
    const auto first_place = [&](uint64_t position) { return image_.ids_of(position).begin; };
    for (size_t begin = 0; begin < found_.size(); begin += kFetched) {
      const auto some = std::span(found_).subspan(begin, std::min(kFetched, found_.size() - begin));
      for (const PositionPair& pair : some) {
        image_.prefetch_ids_of(pair.a);
        image_.prefetch_ids_of(pair.b);
      }
      for (PositionPair& pair : some) {
        pair = {first_place(pair.a), first_place(pair.b), pair.distance};
        image_.prefetch_id(pair.a);
        image_.prefetch_id(pair.b);
      }
      for (const PositionPair& pair : some) {
        const auto [a, b] = std::minmax({image_.id(pair.a), image_.id(pair.b)});
        add({a, b, pair.distance});
      }
    }
    found_.clear();
  }

  const HammingImage<Code>& image_;
  const TakeHammingPairs& take_;
  HammingPairs<Code> pairs_;
  std::vector<PositionPair> found_;  // then with places of ids
  std::vector<HammingPair> waiting_;
};

}  // namespace

template <typename Code>
void hamming_connect(const HammingIndex<Code>& index, uint32_t radius, uint32_t threads, const TakeHammingPairs& take,
                     const CheckHammingStop& ask) {
  const HammingImage<Code>& image = HammingIndexAccess::image(index);
  image.require_radius(radius);
  threads = resolve_threads(threads);
  std::vector<Connector<Code>> workers;
  workers.reserve(threads);
  for (uint32_t worker = 0; worker < threads; ++worker) workers.emplace_back(image, radius, take);
  if (image.has_equal_codes()) {
    parallel_for(threads, image.distinct(), kCodesPerTask,
                 [&](uint32_t worker, size_t position) { workers[worker].connect_equal(position); });
  }
  parallel_for(threads, workers[0].chunks(), 1, [&](uint32_t worker, size_t chunk) {
    if (ask) ask();
    workers[worker].connect_near(chunk);
  });
  for (Connector<Code>& worker : workers) worker.flush();
}

template void hamming_connect(const HammingIndex<Fingerprint64>&, uint32_t, uint32_t, const TakeHammingPairs&, const CheckHammingStop&);
template void hamming_connect(const HammingIndex<Fingerprint128>&, uint32_t, uint32_t, const TakeHammingPairs&, const CheckHammingStop&);

}  // namespace neardup
