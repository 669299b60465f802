// Readers, writers, flushes and merges of one store at once. ThreadSanitizer looks for races; the test, for states that never were.
#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "io/io_fixture.h"
#include "neardup/hamming_store.h"
#include "support/codes.h"

namespace neardup::testing {
namespace {

class HammingStoreThreads : public IoTest {};

// Ids are added near one code in ascending order, and removed in ascending order after that: every state that ever was is an interval of
// ids, whose ends only rise.
TEST_F(HammingStoreThreads, EveryAnswerIsAStateThatWas) {
  constexpr uint64_t kEntries = 9000;
  constexpr uint64_t kWindow = 150;
  const Fingerprint64 centre{0x0123456789ABCDEF};
  HammingStore64 store = HammingStore64::create(path("a"), {.bits = 64, .radius = 3});
  std::atomic<uint64_t> added = 0;
  std::atomic<uint64_t> removed = 0;
  std::atomic<bool> done = false;

  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    std::mt19937_64 random(1);
    for (uint64_t id = 0; id < kEntries; ++id) {
      Fingerprint64 code = centre;
      flip(code, static_cast<uint32_t>(random()));
      store.add(code, id);
      added = id + 1;
      Fingerprint64 random_code;
      make_random(random, random_code);
      store.add(random_code, kEntries + id);
      if (id >= kWindow) {
        store.remove(id - kWindow);
        removed = id - kWindow + 1;
      }
    }
    done = true;
  });
  threads.emplace_back([&] {
    for (int round = 0; !done; ++round) {
      if (round % 3 == 2)
        store.merge(2);
      else
        store.flush({.threads = 1});
    }
  });
  for (int reader = 0; reader < 2; ++reader) {
    threads.emplace_back([&, reader] {
      HammingStoreScratch scratch;
      std::vector<HammingHit> hits;
      std::vector<uint64_t> ids;
      uint64_t first_before = 0;
      uint64_t end_before = 0;
      for (int round = 0; !done; ++round) {
        const uint64_t surely_added = added;
        const uint64_t surely_removed = removed;
        if (reader == 0 || round % 50 != 0) {
          store.query(centre, 3, scratch, hits);
        } else {
          store.query_all(std::span(&centre, 1), 3, 2,
                          [&](size_t, std::span<const HammingHit> found) { hits.assign(found.begin(), found.end()); });
        }
        ids.clear();
        for (const HammingHit& hit : hits) ids.push_back(hit.id);
        std::ranges::sort(ids);
        if (ids.empty()) {
          ASSERT_EQ(surely_added, 0u);
          continue;
        }
        for (size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], ids[0] + i);
        const uint64_t end = ids.back() + 1;
        ASSERT_GE(end, std::max(surely_added, end_before));
        ASSERT_LE(end, kEntries);
        ASSERT_GE(ids[0], std::max(surely_removed, first_before));
        ASSERT_LE(ids.size(), kWindow + 1);
        first_before = ids[0];
        end_before = end;
        ASSERT_LE(store.stat().removed_ids, kEntries);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  store.merge();
  HammingStoreScratch scratch;
  EXPECT_EQ(store.count(centre, 3, scratch), kWindow);
  EXPECT_EQ(store.stat().entries, kEntries + kWindow);
}

TEST_F(HammingStoreThreads, IdsAreGivenOnce) {
  HammingStore64 store = HammingStore64::create(path("a"), {.bits = 64, .radius = 1, .names = true});
  std::vector<std::vector<uint64_t>> given(3);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < given.size(); ++t) {
    threads.emplace_back([&, t] {
      HammingBulk<Fingerprint64> bulk(store);
      for (uint64_t i = 0; i < 2000; ++i) {
        given[t].push_back(i % 2 == 0 ? store.add({i}, std::to_string(t)) : bulk.add({i}, std::to_string(t)));
      }
      bulk.commit();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<uint64_t> all;
  for (size_t t = 0; t < given.size(); ++t) {
    for (const uint64_t id : given[t]) ASSERT_EQ(store.name(id), std::to_string(t));
    all.insert(all.end(), given[t].begin(), given[t].end());
  }
  std::ranges::sort(all);
  for (size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], i);
}

}  // namespace
}  // namespace neardup::testing
