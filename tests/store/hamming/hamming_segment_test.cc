#include "store/hamming/hamming_segment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/spill_file.h"
#include "index/hamming/hamming_access.h"
#include "io/io_fixture.h"
#include "support/codes.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

template <typename Code>
struct Entries {
  std::vector<Code> codes;
  std::vector<uint64_t> ids;
};

// SegmentCodes of which many share their low bits, so that buckets get images of their own, and ids that repeat.
template <typename Code>
Entries<Code> make_entries(uint64_t seed, size_t count) {
  Entries<Code> entries{make_codes<Code>(seed, count, 5), {}};
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) entries.codes[i].low |= 0xFFFFFF;
    entries.ids.push_back(random() >> (random() % 64));
  }
  return entries;
}

template <typename Code>
std::vector<HammingHit> flat_hits(const Entries<Code>& entries, Code code, uint32_t radius) {
  std::vector<HammingHit> hits;
  for (size_t i = 0; i < entries.codes.size(); ++i) {
    const uint32_t distance = hamming_distance(entries.codes[i], code);
    if (distance <= radius) hits.push_back({distance, entries.ids[i]});
  }
  std::ranges::sort(hits);
  return hits;
}

template <typename Code>
class HammingSegments : public IoTest {
 protected:
  HammingStoreSpec spec_{.bits = Code::kBits, .radius = 3, .recipe_id = 9, .recipe = "{}"};
};
using SegmentCodes = ::testing::Types<Fingerprint64, Fingerprint128>;
TYPED_TEST_SUITE(HammingSegments, SegmentCodes);

TYPED_TEST(HammingSegments, AnswerAsTheFlatTwinDoes) {
  for (const size_t count : {0, 1, 300, 20'000}) {
    const auto entries = make_entries<TypeParam>(count, count);
    const std::string path = this->path("a");
    EXPECT_EQ(write_hamming_segment<TypeParam>(path, this->spec_, entries.codes, entries.ids, {}, {}).entries, count);
    const HammingSegment<TypeParam> segment(path, this->spec_);
    EXPECT_EQ(segment.index().size(), count);
    EXPECT_EQ(segment.names().size(), 0u);
    HammingScratch scratch;
    std::vector<HammingHit> hits;
    const auto others = make_entries<TypeParam>(99, 50);
    for (size_t i = 0; i < 100; ++i) {
      const TypeParam code = count == 0 || i >= 50 ? others.codes[i % 50] : entries.codes[i * 97 % count];
      segment.index().query(code, i % 4, scratch, hits);
      ASSERT_EQ(hits, flat_hits(entries, code, static_cast<uint32_t>(i % 4)));
    }
  }
}

TYPED_TEST(HammingSegments, GiveAllEntriesBack) {
  for (const size_t count : {0, 1, 300, 20'000}) {
    const auto entries = make_entries<TypeParam>(count, count);
    write_hamming_segment<TypeParam>(this->path("a"), this->spec_, entries.codes, entries.ids, {}, {});
    const HammingSegment<TypeParam> segment(this->path("a"), this->spec_);
    std::vector<std::pair<TypeParam, uint64_t>> expected;
    std::vector<std::pair<TypeParam, uint64_t>> got;
    for (size_t i = 0; i < count; ++i) expected.emplace_back(entries.codes[i], entries.ids[i]);
    for_each_entry(segment.index(), [&](TypeParam code, uint64_t id) { got.emplace_back(code, id); });
    std::ranges::sort(expected);
    std::ranges::sort(got);
    ASSERT_EQ(got, expected);
  }
}

// The same bytes from memory, from mapped files, in another order, with less memory and more threads.
TYPED_TEST(HammingSegments, BytesDependOnTheEntriesOnly) {
  auto entries = make_entries<TypeParam>(3, 30'000);
  write_hamming_segment<TypeParam>(this->path("a"), this->spec_, entries.codes, entries.ids, {}, {.threads = 1});
  const std::string expected = this->read("a");

  std::vector<size_t> order(entries.codes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::shuffle(order, std::mt19937_64(5));
  SpillFile codes(10'000, this->folder_);
  SpillFile ids(10'000, this->folder_);
  for (const size_t i : order) {
    codes.add(entries.codes[i]);
    ids.add(entries.ids[i]);
  }
  const HammingStoreBuild small{.threads = 3, .memory = 100'000, .temp_dir = this->folder_};
  const auto sum = write_hamming_segment<TypeParam>(this->path("a"), this->spec_, codes.template values<TypeParam>(),
                                                    ids.template values<uint64_t>(), {}, small);
  EXPECT_TRUE(this->read("a") == expected);
  EXPECT_EQ(sum.sum, SegmentFile::open(this->path("a"), "hamming", 0)->sum());
  EXPECT_THAT(this->listing(), ::testing::ElementsAre("a"));
}

TYPED_TEST(HammingSegments, DamageAnywhereIsAnErrorOrChangesNothing) {
  const auto entries = make_entries<TypeParam>(4, 9'000);
  write_hamming_segment<TypeParam>(this->path("a"), this->spec_, entries.codes, entries.ids,
                                   [](NameWriter& names) {
                                     for (uint64_t id = 0; id < 2000; ++id) names.add(id, "name " + std::to_string(id));
                                   },
                                   {});
  const std::string bytes = this->read("a");
  const auto answers = [&](const std::string& path) {
    const HammingSegment<TypeParam> segment(path, this->spec_);
    HammingScratch scratch;
    std::vector<HammingHit> all;
    std::vector<HammingHit> hits;
    for (size_t i = 0; i < entries.codes.size(); i += 37) {
      segment.index().query(entries.codes[i], 3, scratch, hits);
      all.insert(all.end(), hits.begin(), hits.end());
    }
    std::string names;
    for (uint64_t id = 0; id < 2000; id += 100) names.append(*segment.names().find(id));
    return std::pair(all, names);
  };
  const auto expected = answers(this->path("a"));
  size_t errors = 0;
  size_t tried = 0;
  for (size_t at = 0; at < bytes.size(); at += at < 5000 || at + 600 > bytes.size() ? 61 : 4099) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    this->write("b", damaged);
    ++tried;
    const std::string error = error_of([&] { EXPECT_TRUE(answers(this->path("b")) == expected) << at; });
    if (error.empty()) continue;
    ++errors;
    ASSERT_THAT(error, StartsWith("input: '" + this->path("b") + "': "));
  }
  EXPECT_GT(errors, tried / 4);
  for (size_t size = 0; size < bytes.size(); size += 4001) {
    this->write("b", bytes.substr(0, size));
    EXPECT_THAT(error_of([&] { answers(this->path("b")); }), StartsWith("input: '" + this->path("b") + "': ")) << size;
  }
}

TYPED_TEST(HammingSegments, RefuseWhatDoesNotBelong) {
  const auto entries = make_entries<TypeParam>(1, 10);
  write_hamming_segment<TypeParam>(this->path("a"), this->spec_, entries.codes, entries.ids, {}, {});
  const auto refusal = [&](HammingStoreSpec spec) {
    return error_of([&] { const HammingSegment<TypeParam> segment(this->path("a"), spec); });
  };
  HammingStoreSpec other = this->spec_;
  EXPECT_EQ(refusal(other), "");
  other.recipe_id = 10;
  EXPECT_EQ(refusal(other), "input: '" + this->path("a") + "': of recipe 0000000000000009, but the index is of 000000000000000a");
  other = this->spec_;
  other.radius = 4;
  EXPECT_EQ(refusal(other), "input: '" + this->path("a") + "': planned for distances up to 3, but the index is for 4");
  using Other = std::conditional_t<TypeParam::kBits == 64, Fingerprint128, Fingerprint64>;
  EXPECT_THAT(error_of([&] { const HammingSegment<Other> segment(this->path("a"), this->spec_); }),
              HasSubstr("fingerprints of " + std::to_string(TypeParam::kBits) + " bits, expected " + std::to_string(Other::kBits)));
}

}  // namespace
}  // namespace neardup::testing
