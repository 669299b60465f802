#include "neardup/tools/band_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace neardup {
namespace {

// The slow twin: a map from each band and key to the entries.
class Buckets {
 public:
  explicit Buckets(uint32_t bands) : tables_(bands) {}

  void add(uint32_t entry, const std::string& keys) {
    for (size_t band = 0; band < tables_.size(); ++band) tables_[band][part(keys, band)].insert(entry);
  }
  void remove(uint32_t entry, const std::string& keys) {
    for (size_t band = 0; band < tables_.size(); ++band) {
      auto& bucket = tables_[band][part(keys, band)];
      bucket.erase(entry);
      if (bucket.empty()) tables_[band].erase(part(keys, band));
    }
  }
  [[nodiscard]] std::vector<uint32_t> query(const std::string& keys, size_t bands) const {
    std::set<uint32_t> found;
    for (size_t band = 0; band < bands; ++band) {
      const auto bucket = tables_[band].find(part(keys, band));
      if (bucket != tables_[band].end()) found.insert(bucket->second.begin(), bucket->second.end());
    }
    return {found.begin(), found.end()};
  }
  [[nodiscard]] const std::map<std::string, std::set<uint32_t>>& table(size_t band) const { return tables_[band]; }

 private:
  [[nodiscard]] std::string part(const std::string& keys, size_t band) const {
    const size_t size = keys.size() / tables_.size();
    return keys.substr(band * size, size);
  }
  std::vector<std::map<std::string, std::set<uint32_t>>> tables_;
};

// Keys of few letters, so that buckets are shared, and of two sizes.
std::string random_keys(std::mt19937_64& random, uint32_t bands, unsigned letters) {
  std::string keys;
  for (size_t size = bands * (2 + random() % 2); size > 0; --size) keys.push_back(static_cast<char>('a' + random() % letters));
  return keys;
}

void expect_same(const BandIndex& index, const Buckets& twin, uint32_t bands) {
  for (uint32_t band = 0; band < bands; ++band) {
    const auto& table = twin.table(band);
    ASSERT_EQ(index.bucket_count(band), table.size());
    std::set<std::string> keys;
    for (const BandIndex::Entry head : index.buckets(band)) {
      const std::string key(index.key(head, band));
      ASSERT_TRUE(keys.insert(key).second);
      std::set<uint32_t> members;
      for (BandIndex::Entry entry = index.first(band, key); entry != BandIndex::kNone; entry = index.next(entry, band)) {
        ASSERT_TRUE(members.insert(entry).second);
        ASSERT_EQ(index.key(entry, band), key);
      }
      ASSERT_EQ(members, table.at(key));
    }
    ASSERT_EQ(keys.size(), table.size());
  }
}

TEST(BandIndex, EqualsMapsWhileEntriesComeAndGo) {
  std::mt19937_64 random(1);
  for (const uint32_t bands : {1U, 3U, 70U}) {
    for (const unsigned letters : {2U, 26U}) {
      BandIndex index(bands);
      Buckets twin(bands);
      std::map<uint32_t, std::string> entries;
      std::vector<uint32_t> found;
      for (int step = 0; step < 1500; ++step) {
        if (random() % 3 != 0 || entries.empty()) {
          const std::string keys = random_keys(random, bands, letters);
          const uint32_t entry = index.add(keys);
          ASSERT_TRUE(entries.emplace(entry, keys).second);
          ASSERT_LT(entry, index.entry_limit());
          ASSERT_EQ(index.keys(entry), keys);
          twin.add(entry, keys);
        } else {
          auto gone = entries.lower_bound(static_cast<uint32_t>(random() % index.entry_limit()));
          if (gone == entries.end()) gone = entries.begin();
          index.remove(gone->first);
          twin.remove(gone->first, gone->second);
          entries.erase(gone);
        }
        const std::string question = random_keys(random, bands, letters);
        const auto some = static_cast<uint32_t>(random() % (bands + 1));
        index.query(question, some, found);
        ASSERT_EQ(found, twin.query(question, some));
      }
      expect_same(index, twin, bands);
      // Down to nothing, and up again.
      for (const auto& [entry, keys] : entries) {
        index.remove(entry);
        twin.remove(entry, keys);
      }
      expect_same(index, twin, bands);
      const std::string keys = random_keys(random, bands, letters);
      twin.add(index.add(keys), keys);
      expect_same(index, twin, bands);
      ASSERT_LT(index.entry_limit(), 1500U);  // removed entries are used again
    }
  }
}

TEST(BandIndex, KeysMayBeEmpty) {
  BandIndex index(2);
  EXPECT_EQ(index.add(""), 0U);
  EXPECT_EQ(index.add("ab"), 1U);
  EXPECT_EQ(index.add(""), 2U);
  std::vector<uint32_t> found;
  index.query("", 2, found);
  EXPECT_EQ(found, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(index.first(0, "a"), 1U);
  EXPECT_EQ(index.first(1, "a"), BandIndex::kNone);
}

}  // namespace
}  // namespace neardup
