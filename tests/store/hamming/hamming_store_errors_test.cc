// What is refused, damaged, or killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <random>

#include "io/io_fixture.h"
#include "neardup/hamming_store.h"
#include "neardup/tools/mapped_files.h"
#include "store/store_manifest.h"
#include "support/codes.h"
#include "support/sanitized.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HammingStoreErrors : public IoTest {
 protected:
  static HammingStoreSpec spec() { return {.bits = 64, .radius = 3, .recipe_id = 0xAB}; }
  // 9000 entries in two segments, one of them removed.
  void make() const {
    HammingStore64 store = HammingStore64::create(path("a"), spec());
    const auto codes = make_codes<Fingerprint64>(1, 9000, 3);
    for (size_t i = 0; i < codes.size(); ++i) {
      store.add(codes[i]);
      if (i == 5000) store.flush();
    }
    store.remove(17);
    store.flush();
  }
  [[nodiscard]] std::string open_error(HammingAccess access = HammingAccess::kRead) const {
    return error_of([&] { HammingStore64::open(path("a"), access); });
  }
};

// Intact files that do not belong together: with ids that the index has not given yet, or with names for other entries.
TEST_F(HammingStoreErrors, VerifyReadsEntriesAndNames) {
  make();
  HammingStoreSpec named = spec();
  named.names = true;
  {
    HammingStore64 store = HammingStore64::create(path("n"), named);
    for (const char* name : {"x", "y", "z"}) store.add({7}, name);
    store.flush();
  }
  const auto error_with = [&](const std::string& folder, const auto& change) {
    const StoreManifest good = StoreManifest::read(path(folder));
    StoreManifest changed = good;
    change(changed);
    changed.write(path(folder));
    const std::string error = error_of([&] { HammingStore64::open(path(folder), HammingAccess::kRead).verify(2); });
    good.write(path(folder));
    return error;
  };
  const auto nothing = [](StoreManifest&) {};
  EXPECT_EQ(error_with("a", nothing), "");
  EXPECT_EQ(error_with("n", nothing), "");
  EXPECT_EQ(error_with("a", [](StoreManifest& manifest) { manifest.next_id = 8999; }),
            "input: '" + path("a/segment-000002.ndh") + "': an entry has the id 8999; the index has ids below 8999");
  EXPECT_EQ(error_with("n", [](StoreManifest& manifest) { std::get<HammingStoreSpec>(manifest.spec).names = false; }),
            "input: '" + path("n/segment-000001.ndh") + "': 3 names of 3 entries; expected none");
  EXPECT_EQ(error_with("a", [](StoreManifest& manifest) { std::get<HammingStoreSpec>(manifest.spec).names = true; }),
            "input: '" + path("a/segment-000001.ndh") + "': 0 names of 5001 entries; expected one for each");
}

TEST_F(HammingStoreErrors, UsageIsRefused) {
  make();
  HammingStore64 store = HammingStore64::open(path("a"), HammingAccess::kRead);
  HammingStoreScratch scratch;
  std::vector<HammingHit> hits;
  const std::string a = "'" + path("a") + "'";
  EXPECT_EQ(error_of([&] { store.query({1}, 4, scratch, hits); }), "usage: distance 4 exceeds 3, the maximum of the index " + a);
  EXPECT_THAT(error_of([&] { store.query_all({}, 4, 1, {}); }), HasSubstr("distance 4"));
  EXPECT_THAT(error_of([&] { (void)store.count({1}, 4, scratch); }), HasSubstr("distance 4"));
  EXPECT_EQ(error_of([&] { store.add({1}); }), "usage: the index " + a + " is open for reading");
  EXPECT_THAT(error_of([&] { store.remove(1); }), HasSubstr("open for reading"));
  EXPECT_THAT(error_of([&] { store.flush(); }), HasSubstr("open for reading"));
  EXPECT_THAT(error_of([&] { store.merge(); }), HasSubstr("open for reading"));
  EXPECT_THAT(error_of([&] { const HammingBulk<Fingerprint64> bulk(store); }), HasSubstr("open for reading"));
  EXPECT_EQ(error_of([&] { store.require_recipe(0xAB); }), "");
  EXPECT_EQ(error_of([&] { store.require_recipe(0xCD); }),
            "usage: the index " + a + " was built with recipe 00000000000000ab, not with 00000000000000cd");
  EXPECT_EQ(error_of([&] { HammingStore128::open(path("a"), HammingAccess::kRead); }),
            "usage: the index " + a + " holds fingerprints of 64 bits, not of 128");
  EXPECT_EQ(error_of([&] { HammingStore64::create(path("a"), spec()); }), "output: " + a + " is an index already");
  EXPECT_EQ(error_of([&] { HammingStore64::create(path("b"), {.bits = 128}); }),
            "usage: index '" + path("b") + "': fingerprints of 128 bits; expected 64");
  EXPECT_FALSE(exists("b"));
  EXPECT_EQ(error_of([&] { HammingStore64::open(path("b"), HammingAccess::kWrite); }),
            "input: '" + path("b") + "' is not an index: it does not exist");
  EXPECT_FALSE(exists("b"));
  HammingStore64 writer = HammingStore64::open(path("a"), HammingAccess::kWrite);
  EXPECT_THAT(error_of([&] { writer.add({1}, "name"); }), HasSubstr("has no names, but an entry has one"));
  EXPECT_THAT(error_of([&] { writer.add({1}, UINT64_MAX); }), HasSubstr("an id of 18446744073709551615; expected at most"));
  EXPECT_EQ(hamming_store_spec(path("a")), spec());
}

TEST_F(HammingStoreErrors, OneWriterManyReaders) {
  make();
  HammingStore64 writer = HammingStore64::open(path("a"), HammingAccess::kWrite);
  EXPECT_EQ(open_error(HammingAccess::kWrite), "output: the index '" + path("a") + "' is being written by another process (" +
                                                   std::to_string(getpid()) + "); only one process may write at a time");
  const HammingStore64 reader = HammingStore64::open(path("a"), HammingAccess::kRead);
  writer.merge();
  // The reader continues with the files that it opened, although they were removed.
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST", "a/segment-000003.ndh"));
  HammingStoreScratch scratch;
  const auto codes = make_codes<Fingerprint64>(1, 9000, 3);
  EXPECT_EQ(reader.count(codes[3000], 3, scratch), writer.count(codes[3000], 3, scratch));
  reader.verify(1);
}

TEST_F(HammingStoreErrors, DamagedFilesAreNamed) {
  make();
  const std::string manifest = read("a/MANIFEST");
  const std::string first = read("a/segment-000001.ndh");
  const std::string second = read("a/segment-000002.ndh");
  const std::string path_of_first = "'" + path("a/segment-000001.ndh") + "'";

  std::string damaged = first;
  damaged[50'000] ^= 4;
  write("a/segment-000001.ndh", damaged);
  EXPECT_EQ(open_error(), "");  // the block is verified when it is used
  EXPECT_EQ(error_of([&] { HammingStore64::open(path("a"), HammingAccess::kRead).verify(); }),
            "input: " + path_of_first + ": block 2 (bytes 36864 to 53248) is damaged");

  write("a/segment-000001.ndh", first.substr(0, 60'000));
  EXPECT_EQ(open_error(), "input: " + path_of_first + ": cut off: expected " + std::to_string(first.size()) + " bytes, found 60000");
  write("a/segment-000001.ndh", second);
  EXPECT_EQ(open_error(), "input: " + path_of_first + ": it is not the file that the MANIFEST of its folder lists");
  std::filesystem::remove(path("a/segment-000001.ndh"));
  EXPECT_THAT(open_error(), AllOf(StartsWith("input: cannot read " + path_of_first), HasSubstr("No such file")));
  EXPECT_THAT(open_error(HammingAccess::kWrite), HasSubstr("No such file"));
  write("a/segment-000001.ndh", first);
  EXPECT_EQ(open_error(), "");
  damaged = manifest;
  damaged[4100] ^= 1;
  write("a/MANIFEST", damaged);
  EXPECT_EQ(open_error(), "input: '" + path("a/MANIFEST") + "': block 0 (bytes 4096 to " +
                              std::to_string(4096 + manifest.substr(4096).find('\0')) + ") is damaged");
  write("a/MANIFEST", first);
  EXPECT_EQ(open_error(), "input: '" + path("a/MANIFEST") + "': its kind is 'hamming', expected 'manifest'");
}

TEST_F(HammingStoreErrors, FailedFlushLosesNothing) {
  HammingStore64 store = HammingStore64::create(path("a"), spec());
  store.add({7});
  // A folder stands where the segment should go.
  std::filesystem::create_directory(path("a/segment-000001.ndh"));
  EXPECT_THAT(error_of([&] { store.flush(); }), AllOf(StartsWith("output: cannot write '"), HasSubstr("segment-000001.ndh")));
  HammingStoreScratch scratch;
  EXPECT_EQ(store.count({7}, 0, scratch), 1u);
  EXPECT_EQ(store.stat().unflushed, 1u);
  store.add({8});
  store.flush();
  EXPECT_EQ(HammingStore64::open(path("a"), HammingAccess::kRead).stat().entries, 2u);
}

TEST_F(HammingStoreErrors, FailedBulkIsNotUsedAgain) {
  HammingStore64 store = HammingStore64::create(path("a"), spec());
  HammingBulk<Fingerprint64> bulk(store);
  bulk.add({7});
  std::filesystem::create_directory(path("a/segment-000001.ndh"));
  EXPECT_THAT(error_of([&] { bulk.commit(); }), AllOf(StartsWith("output: cannot write '"), HasSubstr("segment-000001.ndh")));
  const std::string refused =
      "usage: the index '" + path("a") + "': a commit of these entries failed; they must be added again, by a new bulk";
  EXPECT_EQ(error_of([&] { bulk.commit(); }), refused);
  EXPECT_EQ(error_of([&] { bulk.add({8}); }), refused);
  EXPECT_EQ(error_of([&] { bulk.add({8}, 8); }), refused);
  EXPECT_EQ(store.stat().entries, 0u);
  bulk = HammingBulk<Fingerprint64>(store);
  bulk.add({7});
  bulk.commit();
  bulk.add({8});  // it continues after a successful commit
  bulk.commit();
  EXPECT_EQ(HammingStore64::open(path("a"), HammingAccess::kRead).stat().entries, 2u);
}

TEST_F(HammingStoreErrors, TheLeastMemoryOfABulkIsABoundToo) {
  const auto codes = make_codes<Fingerprint64>(1, 300, 3);
  const auto fill = [&](const std::string& name, uint64_t memory) {
    HammingStore64 store = HammingStore64::create(path(name), {.bits = 64, .radius = 3, .names = true});
    HammingBulk<Fingerprint64> bulk(store, {.threads = 1, .memory = memory, .temp_dir = folder_});
    for (size_t i = 0; i < codes.size(); ++i) bulk.add(codes[i], std::to_string(i));
    bulk.commit();
    store.merge(1, {.threads = 1, .memory = memory, .temp_dir = folder_});
    return read(name + "/segment-000001.ndh");
  };
  const std::string expected = fill("unbounded", 0);
  for (const uint64_t memory : {1, 4, 15, 16, 1000}) EXPECT_TRUE(fill("of " + std::to_string(memory), memory) == expected) << memory;
  HammingStore64 store = HammingStore64::create(path("a"), spec());
  HammingBulk<Fingerprint64> bulk(store, {.threads = 1, .memory = 1, .temp_dir = path("none")});
  EXPECT_THAT(error_of([&] {
                bulk.add({7});
                bulk.add({8});
              }),
              HasSubstr("cannot create a temporary file in '" + path("none") + "'"));
}

TEST_F(HammingStoreErrors, IdsEndAndDoNotWrapAround) {
  HammingStore64 store = HammingStore64::create(path("a"), spec());
  store.add({1}, UINT64_MAX - 2);
  EXPECT_EQ(store.add({2}), UINT64_MAX - 1);
  const std::string refused = "usage: the index '" + path("a") + "' has no free ids: 18446744073709551614 is in use";
  for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(error_of([&] { store.add({3}); }), refused);
  HammingBulk<Fingerprint64> bulk(store);
  EXPECT_EQ(error_of([&] { bulk.add({3}); }), refused);
  EXPECT_EQ(store.stat().next_id, UINT64_MAX);
  store.remove(UINT64_MAX - 1);
  store.flush();
  store.merge();
  EXPECT_EQ(store.stat().entries, 1u);
}

TEST_F(HammingStoreErrors, UnusedStoreIsTakenOver) {
  HammingStore64::create(path("a"), spec()).flush();
  EXPECT_TRUE(hamming_store_unused(path("a")));
  EXPECT_EQ(HammingStore64::create(path("a"), {.bits = 64, .radius = 5}).spec().radius, 5u);
  EXPECT_EQ(hamming_store_spec(path("a")), spec()) << "nothing was flushed";
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST"));
  HammingStore64::create(path("a"), {.bits = 64, .radius = 5}).flush();
  EXPECT_EQ(hamming_store_spec(path("a")).radius, 5u);
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST"));
  {
    HammingStore64 store = HammingStore64::open(path("a"), HammingAccess::kWrite);
    EXPECT_THAT(error_of([&] { HammingStore64::create(path("a"), spec()); }), HasSubstr("is being written by another process"));
    store.add({1});
    store.remove(0);
    store.flush();
  }
  // Empty, but ids were given.
  EXPECT_FALSE(hamming_store_unused(path("a")));
  EXPECT_EQ(error_of([&] { HammingStore64::create(path("a"), spec()); }), "output: '" + path("a") + "' is an index already");
  write("b/segment-000001.ndh", "without a manifest");
  EXPECT_THAT(error_of([&] { HammingStore64::create(path("b"), spec()); }), HasSubstr("holds other files ('segment-000001.ndh')"));
}

// Millions of hits at once are answered in chunks; the largest part has enough of them to end one.
TEST_F(HammingStoreErrors, ManyHitsAreAnsweredInOrder) {
  HammingStore64 store = HammingStore64::create(path("a"), spec());
  for (const uint64_t size : {3000, 2000, 1500}) {
    for (uint64_t i = 0; i < size; ++i) store.add({i % 7});
    if (size != 1500) store.flush();
  }
  store.remove(5);
  std::vector<Fingerprint64> queries;
  for (uint64_t i = 0; i < testing::unless_sanitized(700u, 250u); ++i) queries.push_back({i % 10 == 3 ? ~uint64_t{0} : i % 8});
  for (const uint32_t threads : {1u, 2u}) {
    size_t next = 0;
    HammingStoreScratch scratch;
    std::vector<HammingHit> expected;
    store.query_all(queries, 3, threads, [&](size_t query, std::span<const HammingHit> hits) {
      ASSERT_EQ(query, next++);
      store.query(queries[query], 3, scratch, expected);
      ASSERT_TRUE(std::ranges::equal(hits, expected)) << query;
    });
    EXPECT_EQ(next, queries.size());
    next = 0;
    store.nearest_all(queries, 5, 3, threads, [&](size_t query, std::span<const HammingHit> hits) {
      ASSERT_EQ(query, next++);
      store.nearest(queries[query], 5, 3, scratch, expected);
      ASSERT_TRUE(std::ranges::equal(hits, expected)) << query;
    });
    EXPECT_EQ(next, queries.size());
    next = 0;
    store.count_all(queries, 3, threads, [&](size_t query, uint64_t count) {
      ASSERT_EQ(query, next++);
      ASSERT_EQ(count, store.count(queries[query], 3, scratch)) << query;
    });
    EXPECT_EQ(next, queries.size());
  }
}

TEST_F(HammingStoreErrors, ANewStoreIsThereFromTheFirstFlushOn) {
  {
    HammingStore64 store = HammingStore64::create(path("x/y"), spec());
    store.add({1});
    EXPECT_EQ(find_hamming_store(path("x/y")), HammingStorePlace::kUnfinished);
    EXPECT_THAT(error_of([&] { HammingStore64::open(path("x/y"), HammingAccess::kRead); }), HasSubstr("its build is still running"));
    EXPECT_THAT(error_of([&] { HammingStore64::create(path("x/y"), spec()); }), HasSubstr("is being written by another process"));
    EXPECT_THAT(listing(), ElementsAre("x", "x/y", "x/y/BUILDING", "x/y/LOCK"));
  }
  EXPECT_THAT(listing(), ElementsAre()) << "it came to nothing";
  std::filesystem::create_directory(path("x"));
  HammingStore64::create(path("x"), spec());
  EXPECT_THAT(listing(), ElementsAre("x")) << "the folder was there before";
  {
    HammingStore64 store = HammingStore64::create(path("x"), spec());
    store.flush();
    EXPECT_EQ(HammingStore64::open(path("x"), HammingAccess::kRead).stat().entries, 0u);
    EXPECT_THAT(listing(), ElementsAre("x", "x/LOCK", "x/MANIFEST"));
  }
  // As a killed builder leaves it.
  std::filesystem::remove(path("x/MANIFEST"));
  write("x/BUILDING", "neardup index, not finished\n");
  write("x/segment-000001.ndh", "half");
  write("x/.segment-000002.ndh.abcdef.partial", "half");
  write("x/.BUILDING.abcdef.partial", "");
  {
    HammingStore64 store = HammingStore64::create(path("x"), spec());
    EXPECT_THAT(listing(), ElementsAre("x", "x/BUILDING", "x/LOCK"));
    store.add({1});
    store.flush();
  }
  EXPECT_THAT(listing(), ElementsAre("x", "x/LOCK", "x/MANIFEST", "x/segment-000001.ndh"));
  // Killed after the manifest, before the mark was removed.
  write("x/BUILDING", "neardup index, not finished\n");
  EXPECT_EQ(HammingStore64::open(path("x"), HammingAccess::kRead).stat().entries, 1u);
  EXPECT_TRUE(exists("x/BUILDING"));
  HammingStore64::open(path("x"), HammingAccess::kWrite);
  EXPECT_FALSE(exists("x/BUILDING"));
}

// Blocks that were read and verified before are lost too: the answer after that must be an error, never a smaller one.
TEST_F(HammingStoreErrors, AFileThatShrinksUnderAStoreIsAnError) {
  guard_mapped_files();
  const auto codes = make_codes<Fingerprint64>(1, 9000, 3);
  const std::string name = "a/segment-000001.ndh";
  for (const double left : {0.0, 0.3, 0.7, 1.0}) {
    std::filesystem::remove_all(path("a"));
    make();
    const HammingStore64 store = HammingStore64::open(path("a"), HammingAccess::kRead);
    HammingStore64 writer = HammingStore64::open(path("a"), HammingAccess::kWrite);
    HammingStoreScratch scratch;
    std::vector<HammingHit> hits;
    for (size_t i = 0; i < codes.size(); i += 7) store.query(codes[i], 3, scratch, hits);
    const auto size = static_cast<double>(std::filesystem::file_size(path(name)));
    std::filesystem::resize_file(path(name), static_cast<uintmax_t>(left == 1.0 ? size - 1 : size * left));
    const std::string lost = "input: cannot read '" + path(name) + "': it shrank while it was read, or its disk failed";
    EXPECT_EQ(error_of([&] { store.query(codes[0], 3, scratch, hits); }), lost) << left;
    EXPECT_EQ(error_of([&] { (void)store.count(codes[7], 3, scratch); }), lost) << left;
    size_t visited = 0;
    EXPECT_EQ(error_of([&] { store.query_all(codes, 3, 2, [&](size_t, std::span<const HammingHit>) { ++visited; }); }), lost) << left;
    EXPECT_EQ(error_of([&] { store.nearest_all(codes, 2, 3, 2, [&](size_t, std::span<const HammingHit>) { ++visited; }); }), lost);
    EXPECT_EQ(visited, 0u);
    EXPECT_THAT(error_of([&] { store.verify(2); }), StartsWith("input: cannot read '" + path(name) + "': it shrank")) << left;
    const std::string manifest = read("a/MANIFEST");
    EXPECT_EQ(error_of([&] { writer.merge(); }), lost);
    EXPECT_EQ(read("a/MANIFEST"), manifest);
    EXPECT_EQ(listing().size(), 5u) << "no new segment";
  }
}

// How the system reads ahead in the mappings of a file: "sr" for a file that is read in order, "rr" here and there.
std::string reading_flags(const std::string& file) {
  std::ifstream maps("/proc/self/smaps");
  std::string flags;
  bool ours = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("-") < line.find(":")) ours = line.ends_with(file);  // the line that names a mapping
    if (!ours || !line.starts_with("VmFlags:")) continue;
    for (const char* flag : {" sr", " rr"}) {
      if (line.find(flag) != std::string::npos) flags += flag;
    }
  }
  return flags;
}

TEST_F(HammingStoreErrors, AStoppedMergeLeavesTheStoreAsItWas) {
  make();
  HammingStore64 store = HammingStore64::open(path("a"), HammingAccess::kWrite);
  const auto codes = make_codes<Fingerprint64>(1, 9000, 3);
  store.add(codes[0]);
  HammingStoreScratch scratch;
  const auto answers = [&] {
    std::vector<HammingHit> hits;
    std::vector<uint64_t> ids;
    for (size_t i = 0; i < codes.size(); i += 100) {
      store.query(codes[i], 3, scratch, hits);
      for (const HammingHit& hit : hits) ids.push_back(hit.id);
    }
    return ids;
  };
  const auto before = answers();
  const auto stopped_at = [&](uint64_t call) {
    std::atomic<uint64_t> asked{0};
    try {
      store.merge(1, {.threads = 1, .stop = [&] { return ++asked == call; }});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kStopped) << error.what();
      return true;
    }
    return false;
  };
  store.flush();
  const auto files = listing();
  EXPECT_EQ(files.size(), 6u) << "three segments";
  ASSERT_EQ(reading_flags("a/segment-000001.ndh"), " rr");
  // The first request is noticed while entries are read, before there is a new file.
  bool any_file = false;
  std::string flags;
  EXPECT_THROW(store.merge(1, {.threads = 1,
                               .stop =
                                   [&] {
                                     any_file = listing() != files;
                                     flags = reading_flags("a/segment-000003.ndh");  // the smallest is read first
                                     return true;
                                   }}),
               Error);
  EXPECT_FALSE(any_file);
  EXPECT_EQ(flags, " sr") << "a merge reads in order";
  uint64_t call = 1;
  for (; stopped_at(call); ++call) {
    EXPECT_EQ(listing(), files) << call;
    EXPECT_EQ(answers(), before) << call;
    for (const char* file : {"a/segment-000001.ndh", "a/segment-000002.ndh"}) EXPECT_EQ(reading_flags(file), " rr") << call;
  }
  EXPECT_GT(call, 3u);
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(store.stat().segments.size(), 1u);
}

TEST_F(HammingStoreErrors, AMergeThatIsStoppedAfterItFlushedHasFlushed) {
  make();
  HammingStore64 store = HammingStore64::open(path("a"), HammingAccess::kWrite);
  store.add({1});
  const std::string manifest = read("a/MANIFEST");
  // Stopped as soon as the new manifest exists.
  EXPECT_THROW(store.merge(1, {.threads = 1, .stop = [&] { return read("a/MANIFEST") != manifest; }}), Error);
  EXPECT_EQ(store.stat().segments.size(), 3u);
  EXPECT_EQ(store.stat().unflushed, 0u);
  EXPECT_EQ(HammingStore64::open(path("a"), HammingAccess::kRead).stat().entries, store.stat().entries);
}

// A writing process is killed at some moment; it leaves a flushed state.
TEST_F(HammingStoreErrors, KilledWriterLeavesAFlushedState) {
  std::mt19937_64 random(3);
  HammingStore64::create(path("a"), spec()).flush();
  uint64_t before = 0;
  for (int round = 0; round < 8; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Ids in ascending order, 20 with each flush; each tenth flush is followed by a merge.
      HammingStore64 store = HammingStore64::open(path("a"), HammingAccess::kWrite);
      for (uint64_t i = 1;; ++i) {
        const uint64_t id = store.add({i * 0x9E3779B97F4A7C15});
        if (id % 20 == 19) store.flush({.threads = 1});
        if (id % 200 == 199) store.merge(1, {.threads = 1});
      }
    }
    usleep(static_cast<useconds_t>(20'000 + random() % 150'000));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    {
      const HammingStore64 reader = HammingStore64::open(path("a"), HammingAccess::kRead);
      reader.verify(1);
      const HammingStoreStat stat = reader.stat();
      EXPECT_EQ(stat.entries, stat.next_id);
      EXPECT_EQ(stat.entries % 20, 0u);
      EXPECT_GE(stat.entries, before);
      before = stat.entries;
    }
    const HammingStore64 writer = HammingStore64::open(path("a"), HammingAccess::kWrite);
    const size_t segments = writer.stat().segments.size();
    EXPECT_EQ(listing().size(), 3 + segments) << "leftovers are swept";
  }
  EXPECT_GT(before, 0u);
}

}  // namespace
}  // namespace neardup::testing
