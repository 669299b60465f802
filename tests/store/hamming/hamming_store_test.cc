#include "neardup/hamming_store.h"

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "io/io_fixture.h"
#include "support/codes.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The obvious twin: a list of entries.
template <typename Code>
class Twin {
 public:
  void add(Code code, uint64_t id) { entries_.emplace(id, code); }
  void remove(uint64_t id) { entries_.erase(id); }
  [[nodiscard]] std::vector<HammingHit> query(Code code, uint32_t radius) const {
    std::vector<HammingHit> hits;
    for (const auto& [id, held] : entries_) {
      const uint32_t distance = hamming_distance(held, code);
      if (distance <= radius) hits.push_back({distance, id});
    }
    std::ranges::sort(hits);
    return hits;
  }
  [[nodiscard]] size_t size() const { return entries_.size(); }

 private:
  std::multimap<uint64_t, Code> entries_;
};

template <typename Code>
class HammingStores : public IoTest {
 protected:
  static HammingStoreSpec spec(bool names = false) {
    return {.bits = Code::kBits, .radius = 3, .recipe_id = 5, .recipe = R"({"a":1})", .names = names};
  }
  // All four kinds of queries against the twin.
  static void expect_same(const HammingStore<Code>& store, const Twin<Code>& twin, std::span<const Code> queries) {
    HammingStoreScratch scratch;
    std::vector<HammingHit> hits;
    for (uint32_t radius = 0; radius <= 3; ++radius) {
      size_t next = 0;
      store.query_all(queries, radius, 2, [&](size_t query, std::span<const HammingHit> found) {
        ASSERT_EQ(query, next++);
        const std::vector<HammingHit> expected = twin.query(queries[query], radius);
        ASSERT_EQ(std::vector<HammingHit>(found.begin(), found.end()), expected);
        store.query(queries[query], radius, scratch, hits);
        ASSERT_EQ(hits, expected);
        ASSERT_EQ(store.count(queries[query], radius, scratch), expected.size());
        store.nearest(queries[query], 2, radius, scratch, hits);
        ASSERT_EQ(hits, std::vector<HammingHit>(expected.begin(), expected.begin() + std::min<ptrdiff_t>(2, std::ssize(expected))));
      });
      ASSERT_EQ(next, queries.size());
    }
  }
};
using Codes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingStores, Codes);

// Random changes of every kind; after each, the store answers as the twin does, and an opened copy as the twin of the last flush does.
TYPED_TEST(HammingStores, AnswerAsAListOfEntries) {
  using Store = HammingStore<TypeParam>;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const std::string folder = this->path("store" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::vector<TypeParam> codes = make_codes<TypeParam>(seed, 3000, 4);
    const auto any_code = [&] { return codes[random() % codes.size()]; };
    const auto any_id = [&] { return random() % 300; };
    auto store = std::make_unique<Store>(Store::create(folder, this->spec()));
    Twin<TypeParam> twin;
    Twin<TypeParam> flushed;
    for (int step = 0; step < 50; ++step) {
      const uint64_t action = random() % 20;
      const HammingStoreBuild build{.threads = 2, .memory = random() % 2 * 50'000, .temp_dir = this->folder_};
      if (action < 7) {
        for (uint64_t i = random() % 200; i > 0; --i) {
          const TypeParam code = any_code();
          const uint64_t id = any_id();
          store->add(code, id);
          twin.add(code, id);
        }
      } else if (action < 10) {
        for (uint64_t i = random() % 30; i > 0; --i) {
          const uint64_t id = any_id();
          store->remove(id);
          twin.remove(id);
        }
      } else if (action < 11) {
        for (int i = 0; i < 5000; ++i) {  // more than the tail holds
          const TypeParam code = any_code();
          const uint64_t id = 300 + random() % 3000;
          store->add(code, id);
          twin.add(code, id);
        }
      } else if (action < 14) {
        store->flush(build);
        flushed = twin;
      } else if (action < 17) {
        store->merge(1 + random() % 3, build);
        flushed = twin;
      } else if (action < 19) {
        HammingBulk<TypeParam> bulk(*store, build);
        for (uint64_t i = random() % 500; i > 0; --i) {
          const TypeParam code = any_code();
          if (random() % 3 == 0) {
            twin.add(code, bulk.add(code));
          } else {
            const uint64_t id = any_id();
            bulk.add(code, id);
            twin.add(code, id);
          }
        }
        // A removal before the commit does not affect its entries.
        bulk.commit();
        flushed = twin;
      } else {
        const Store reader = Store::open(folder, HammingAccess::kRead);
        const std::vector<TypeParam> queries{any_code(), any_code()};
        this->expect_same(reader, flushed, queries);
        if (random() % 2 == 0) {  // and what was not flushed is lost
          store.reset();
          store = std::make_unique<Store>(Store::open(folder, HammingAccess::kWrite));
          twin = flushed;
        }
      }
      const std::vector<TypeParam> queries{any_code(), any_code(), any_code()};
      this->expect_same(*store, twin, queries);
      if (::testing::Test::HasFatalFailure()) return;
    }
    store->merge();
    ASSERT_EQ(store->stat().entries, twin.size());
    ASSERT_EQ(store->stat().removed_ids, 0u);
    ASSERT_EQ(store->stat().segments.size(), twin.size() == 0 ? 0 : 1);
    this->expect_same(*store, twin, std::span(codes).first(40));
    store->verify(2);
  }
}

TYPED_TEST(HammingStores, LevelsGrowInMemory) {
  auto store = HammingStore<TypeParam>::create(this->path("a"), this->spec());
  Twin<TypeParam> twin;
  const auto codes = make_codes<TypeParam>(8, 40'000, 3);
  for (size_t i = 0; i < codes.size(); ++i) {
    ASSERT_EQ(store.add(codes[i]), i);
    twin.add(codes[i], i);
    if (i % 3 == 0) {
      store.remove(i / 2);
      twin.remove(i / 2);
    }
  }
  EXPECT_LT(store.stat().unflushed, 40'000u - 5'000u);  // levels leave removed entries out
  EXPECT_EQ(store.stat().next_id, 40'000u);
  const auto queries = std::span(codes).first(30);
  this->expect_same(store, twin, queries);
  store.flush();
  EXPECT_EQ(store.stat().unflushed, 0u);
  EXPECT_EQ(store.stat().entries, twin.size());
  EXPECT_EQ(store.stat().removed_ids, 0u);
  this->expect_same(store, twin, queries);
  EXPECT_THAT(this->listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST", "a/segment-000001.ndh"));
}

TYPED_TEST(HammingStores, MergeIsTheSameAsBuildingAtOnce) {
  using Store = HammingStore<TypeParam>;
  // More than the planner looks at, of uneven bits.
  auto codes = make_codes<TypeParam>(8, 75'000, 3);
  for (size_t i = 0; i < codes.size(); i += 2) codes[i].low |= 0xFFF;
  {
    auto store = Store::create(this->path("a"), this->spec());
    for (size_t i = 0; i < codes.size(); ++i) {
      store.add(codes[i], 2 * i);
      if (i % 20'000 == 19'999) store.flush();
    }
    for (size_t i = 0; i < codes.size(); i += 3) store.remove(2 * i);
    store.merge(2);
    EXPECT_EQ(store.stat().segments.size(), 2u);
    store.merge();
    EXPECT_EQ(store.stat().segments.size(), 1u);
    const std::string file = store.stat().segments[0].file;
    store.merge();
    EXPECT_EQ(store.stat().segments[0].file, file) << "nothing to do";
    std::filesystem::rename(this->path("a/" + file), this->path("merged"));
  }
  auto store = Store::create(this->path("b"), this->spec());
  HammingBulk<TypeParam> bulk(store, {.threads = 1, .memory = 500'000, .temp_dir = this->folder_});
  for (size_t i = codes.size(); i-- > 0;) {
    if (i % 3 != 0) bulk.add(codes[i], 2 * i);
  }
  EXPECT_EQ(bulk.size(), 50'000u);
  bulk.commit();
  EXPECT_TRUE(this->read("b/segment-000001.ndh") == this->read("merged"));
}

TYPED_TEST(HammingStores, NamesStayWithTheirIds) {
  using Store = HammingStore<TypeParam>;
  const auto codes = make_codes<TypeParam>(8, 6'000, 3);
  std::map<uint64_t, std::string> names;
  std::mt19937_64 random(4);
  const auto expect_names = [&](const Store& store) {
    for (uint64_t id = 0; id < store.stat().next_id; id += 1 + random() % 7) {
      const auto found = names.find(id);
      ASSERT_EQ(store.name(id), found == names.end() ? std::nullopt : std::optional(found->second)) << id;
    }
    const std::vector<std::string> wanted{"name 7", "none", "name 1", "name 7"};
    std::vector<std::pair<size_t, uint64_t>> expected;
    for (size_t i = 0; i < wanted.size(); ++i) {
      for (const auto& [id, name] : names) {
        if (name == wanted[i]) expected.emplace_back(i, id);
      }
    }
    std::vector<std::pair<size_t, uint64_t>> got;
    store.find_names(wanted, [&](size_t position, uint64_t id) { got.emplace_back(position, id); });
    ASSERT_EQ(got, expected);
  };
  {
    Store store = Store::create(this->path("a"), this->spec(true));
    for (size_t i = 0; i < codes.size(); ++i) {
      const std::string name = "name " + std::to_string(i % 1000);
      names[store.add(codes[i], name)] = name;
      if (i % 1000 == 500) store.flush();
      if (i % 5 == 0) {
        const uint64_t id = random() % (i + 1);
        store.remove(id);
        names.erase(id);
      }
      if (i == 2800) {
        HammingBulk<TypeParam> bulk(store);
        for (int j = 0; j < 100; ++j) names[bulk.add(codes[i], "name 7")] = "name 7";
        bulk.commit();
      }
    }
    expect_names(store);
    store.merge(2);
    expect_names(store);
    store.flush();
  }
  Store store = Store::open(this->path("a"), HammingAccess::kWrite);
  expect_names(store);
  store.merge();
  expect_names(store);
  EXPECT_EQ(store.stat().entries, names.size());
  EXPECT_THAT(error_of([&] { store.add(codes[0]); }), HasSubstr("has names and assigns the ids, but an entry has no name"));
  EXPECT_THAT(error_of([&] { store.add(codes[0], 7); }), HasSubstr("has names"));
}

}  // namespace
}  // namespace neardup::testing
