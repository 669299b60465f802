#include "store/store_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "io/io_fixture.h"
#include "store/folder_lock.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StoreFolders : public IoTest {
 protected:
  StoreFolders() {
    manifest_.spec =
        HammingStoreSpec{.bits = 128, .radius = 7, .recipe_id = 0xF0000000'00000001, .recipe = R"({"sketch":"x"})", .names = true};
    manifest_.next_id = UINT64_MAX;
    manifest_.clock = 12;
    manifest_.next_segment = 4;
    manifest_.segments = {{"segment-000001.ndh", UINT64_MAX - 1, 3, 100}, {"segment-000003.ndh", 5, 12, 0}};
    manifest_.removals = {{0, 1}, {7, 12}, {UINT64_MAX, 11}};
  }
  void write_payload(const std::string& payload, const std::string& removals = {}) const {
    SegmentWriter writer(path("MANIFEST"), {.kind = "manifest", .bits = 64});
    writer.append(payload);
    writer.begin_names();
    writer.append(removals);
    writer.commit();
  }
  StoreManifest manifest_;
};

TEST_F(StoreFolders, ManifestRoundTrips) {
  manifest_.write(folder_);
  EXPECT_EQ(StoreManifest::read(folder_), manifest_);
  const StoreManifest empty{.spec = HammingStoreSpec{.bits = 64, .radius = 0}};
  empty.write(folder_);
  EXPECT_EQ(StoreManifest::read(folder_), empty);
}

// Older programs read it, and indexes are compared by their bytes.
TEST_F(StoreFolders, HammingManifestHasTheBytesOfBefore) {
  manifest_.write(folder_);
  const auto file = SegmentFile::open(path("MANIFEST"), "manifest", 128);
  file->verify_all(1);
  EXPECT_EQ(file->payload(),
            R"({"version":1,"radius":7,"names":true,"next_id":18446744073709551615,"clock":12,"next_segment":4,"segments":[)"
            R"({"file":"segment-000001.ndh","sum":18446744073709551614,"born":3,"entries":100},)"
            R"({"file":"segment-000003.ndh","sum":5,"born":12,"entries":0}]})");
  EXPECT_EQ(file->recipe_id(), 0xF0000000'00000001u);
  EXPECT_EQ(file->recipe(), R"({"sketch":"x"})");
  EXPECT_EQ(file->entries(), 2u);
  EXPECT_EQ(file->names().size(), 48u);
}

TEST_F(StoreFolders, ManifestSaysItsKind) {
  manifest_.spec = ClueStoreSpec{.recipe_id = 5, .recipe = R"({"form":"clue_v1"})"};
  manifest_.write(folder_);
  EXPECT_EQ(StoreManifest::read(folder_), manifest_);
  EXPECT_EQ(manifest_.kind(), IndexKind::kClue);
  EXPECT_EQ(index_kind(folder_), IndexKind::kClue);
  EXPECT_EQ(find_hamming_store(folder_), HammingStorePlace::kStore) << "an index, of any kind";
  EXPECT_THAT(std::string(SegmentFile::open(path("MANIFEST"), "manifest", 0)->payload()),
              StartsWith(R"({"version":1,"kind":"clue","next_id":)"));
  const std::string refused =
      "usage: '" + folder_ + "' is a clue index, which holds texts; expected a Hamming index, which holds fingerprints";
  EXPECT_EQ(error_of([&] { (void)hamming_store_spec(folder_); }), refused);
  for (const HammingAccess access : {HammingAccess::kRead, HammingAccess::kWrite}) {
    EXPECT_EQ(error_of([&] { HammingStore64::open(folder_, access); }), refused);
  }
  EXPECT_FALSE(exists("LOCK")) << "no writer touched it";
  StoreManifest fingerprints{.spec = HammingStoreSpec{}};
  EXPECT_EQ(error_of([&] { (void)clue_spec_of(fingerprints, "x"); }),
            "usage: 'x' is a Hamming index, which holds fingerprints; expected a clue index, which holds texts");
  fingerprints.write(folder_);
  EXPECT_EQ(index_kind(folder_), IndexKind::kHamming);
  const auto with = [](const std::string& kind) {
    return R"({"version":1,"kind":)" + kind + R"(,"next_id":0,"clock":0,"next_segment":1,"segments":[]})";
  };
  write_payload(with(R"("graph")"));
  EXPECT_EQ(error_of([&] { (void)index_kind(folder_); }),
            "input: '" + path("MANIFEST") + "': an index of the kind 'graph', which this program does not know");
  write_payload(with("7"));
  EXPECT_THAT(error_of([&] { (void)index_kind(folder_); }), HasSubstr("'kind' is not a string"));
  write_payload(with(R"("clue")"));
  EXPECT_THAT(error_of([&] { (void)index_kind(folder_); }), HasSubstr("fingerprints of 64 bits in a clue index"));
}

TEST_F(StoreFolders, EveryFlippedBitOfTheManifestIsAnErrorOrChangesNothing) {
  manifest_.write(folder_);
  const std::string bytes = read("MANIFEST");
  size_t errors = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    write("MANIFEST", damaged);
    const std::string error = error_of([&] { EXPECT_EQ(StoreManifest::read(folder_), manifest_) << at; });
    if (error.empty()) continue;
    ++errors;
    ASSERT_THAT(error, StartsWith("input: '" + path("MANIFEST") + "': "));
  }
  EXPECT_GT(errors, 128 + 24 + 16 + 48 + 200u);
}

TEST_F(StoreFolders, WhatAManifestCannotSayIsAnError) {
  EXPECT_EQ(error_of([&] { StoreManifest::read(path("none")); }), "input: '" + path("none") + "' is not an index: it does not exist");
  EXPECT_EQ(error_of([&] { StoreManifest::read(folder_); }), "input: '" + folder_ + "' is not an index: it has no MANIFEST");
  write("MANIFEST", "{}");
  EXPECT_THAT(error_of([&] { StoreManifest::read(folder_); }), HasSubstr("not a file of a neardup index"));
  const auto refusal = [&](const std::string& payload, const std::string& removals = {}) {
    write_payload(payload, removals);
    return error_of([&] { StoreManifest::read(folder_); });
  };
  const auto with = [](const std::string& segments, const std::string& version = "1", const std::string& radius = "3") {
    return R"({"version":)" + version + R"(,"radius":)" + radius + R"(,"names":false,"next_id":0,"clock":5,"next_segment":2,"segments":)" +
           segments + "}";
  };
  EXPECT_EQ(refusal(with("[]")), "");
  EXPECT_THAT(refusal("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal("{\"version\":1"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(with("[]", "2")), HasSubstr("manifest version 2, this program reads version 1"));
  EXPECT_THAT(refusal(with("[]", "\"1\"")), HasSubstr("'version' is not a number"));
  EXPECT_THAT(refusal(with("[]", "1", "65")), HasSubstr("a distance of 65 for 64 bits"));
  EXPECT_THAT(refusal(with("[]", "1", "-1")), HasSubstr("'radius' is not a number"));
  EXPECT_THAT(refusal(with("{}")), HasSubstr("'segments' is not a list"));
  EXPECT_THAT(refusal(with("[1]")), HasSubstr("a segment is not a JSON object"));
  const auto listed = [](const std::string& file, const std::string& born = "1") {
    return R"({"file":")" + file + R"(","sum":1,"born":)" + born + R"(,"entries":1})";
  };
  // Names of files elsewhere, of other files, and those that later segments get.
  for (const std::string file : {"", "x", "../segment-000001.ndh", "MANIFEST", "segment-1.ndh", "segment-000001.ndh\\u0000",
                                 "segment-000002.ndh", "segment-99999999999999999999.ndh"}) {
    EXPECT_THAT(refusal(with("[" + listed(file) + "]")),
                AllOf(HasSubstr("the name of a segment is not valid: '"), HasSubstr("expected segment-N.ndh with N below 2")))
        << file;
  }
  EXPECT_EQ(refusal(with("[" + listed("segment-000001.ndh") + "]")), "");
  EXPECT_THAT(refusal(with("[" + listed("segment-000001.ndh") + "," + listed("segment-000001.ndh") + "]")),
              HasSubstr("'segment-000001.ndh' is listed twice"));
  EXPECT_THAT(refusal(with("[" + listed("segment-000001.ndh", "6") + "]")), HasSubstr("'segment-000001.ndh' is newer than the manifest"));
  EXPECT_THAT(refusal(with("[]"), "12345678"), HasSubstr("the list of removals is cut off"));
  EXPECT_THAT(refusal(with("[]"), std::string(8, '\1') + std::string(8, '\7')), HasSubstr("removal 0 is out of order"));
  EXPECT_THAT(refusal(with("[]"), std::string(32, '\0')), HasSubstr("removal 1 is out of order"));
}

TEST_F(StoreFolders, LockIsForOne) {
  {
    const FolderLock lock(folder_);
    EXPECT_EQ(error_of([&] { const FolderLock second(folder_); }),
              "output: the index '" + folder_ + "' is being written by another process (" + std::to_string(getpid()) +
                  "); only one process may write at a time");
  }
  const FolderLock again(folder_);
  EXPECT_THAT(error_of([&] { const FolderLock nowhere(path("none")); }), StartsWith("output: cannot write in '" + path("none") + "'"));
}

TEST_F(StoreFolders, ASharedLockNamesNobody) {
  { const FolderLock alone(folder_); }
  EXPECT_EQ(read("LOCK"), std::to_string(getpid()) + "\n");
  const FolderLock first(folder_, "the run in", true);
  const FolderLock second(folder_, "the run in", true);
  EXPECT_EQ(read("LOCK"), "") << "of several holders none is the one, and the one before has gone";
  EXPECT_EQ(error_of([&] { const FolderLock alone(folder_, "the run in"); }),
            "output: the run in '" + folder_ + "' is being written by another process; only one process may write at a time");
}

TEST_F(StoreFolders, FolderIsItsOwn) {
  std::filesystem::create_directories(path("a/b"));
  require_free(path("a/b"));
  write("a/b/LOCK", "");
  require_free(path("a/b"));
  write("a/b/.segment-000001.ndh.abcdef.partial", "");
  require_free(path("a/b"));
  write("a/b/segment-000001.ndh", "");
  EXPECT_THAT(error_of([&] { require_free(path("a/b")); }), HasSubstr("holds other files ('segment-000001.ndh')"));
  mark_folder(path("a/b"));
  require_free(path("a/b"));
  write("a/b/BUILDING", "plans of a house");
  EXPECT_THAT(error_of([&] { require_free(path("a/b")); }), HasSubstr("holds other files"));
  unmark_folder(path("a/b"));
  EXPECT_TRUE(exists("a/b/BUILDING")) << "somebody else's";
  write("a/b/MANIFEST", "");
  EXPECT_EQ(error_of([&] { require_free(path("a/b")); }), "output: '" + path("a/b") + "' is an index already");
  EXPECT_EQ(error_of([&] { require_free(path("a")); }),
            "output: '" + path("a") + "' holds other files ('b'); an index needs a folder of its own");
}

TEST_F(StoreFolders, OneAnswerToWhatAFolderIs) {
  using Place = HammingStorePlace;
  EXPECT_EQ(find_hamming_store(path("none")), Place::kNothing);
  write("file", "x");
  EXPECT_EQ(find_hamming_store(path("file")), Place::kFile);
  EXPECT_EQ(find_hamming_store("/dev/null"), Place::kFile);
  EXPECT_EQ(find_hamming_store(folder_), Place::kOtherFolder);
  write("MANIFEST", "include *.txt\n");
  EXPECT_EQ(find_hamming_store(folder_), Place::kOtherFolder) << "many things have a MANIFEST";
  write("MANIFEST", "");
  EXPECT_EQ(find_hamming_store(folder_), Place::kOtherFolder);
  write("LOCK", "");
  EXPECT_EQ(find_hamming_store(folder_), Place::kStore) << "damaged";
  std::filesystem::remove(path("LOCK"));
  write("segment-000001.ndh", "");
  EXPECT_EQ(find_hamming_store(folder_), Place::kStore) << "damaged";
  std::filesystem::remove(path("segment-000001.ndh"));
  manifest_.write(folder_);
  EXPECT_EQ(find_hamming_store(folder_), Place::kStore);
  mark_folder(folder_);
  EXPECT_EQ(find_hamming_store(folder_), Place::kStore);
  std::filesystem::remove(path("MANIFEST"));
  EXPECT_EQ(find_hamming_store(folder_), Place::kUnfinished);
  EXPECT_EQ(error_of([&] { StoreManifest::read(folder_); }),
            "input: '" + folder_ + "' is not an index: its build is still running, or was killed: then build it again");
  write("BUILDING", "how to build this program");
  EXPECT_EQ(find_hamming_store(folder_), Place::kOtherFolder);
  ASSERT_EQ(::mkfifo(path("MANIFEST").c_str(), 0600), 0);
  EXPECT_EQ(find_hamming_store(folder_), Place::kOtherFolder);
  EXPECT_EQ(error_of([&] { StoreManifest::read(folder_); }),
            "input: cannot read '" + path("MANIFEST") + "': it is a pipe, not a regular file");
}

TEST_F(StoreFolders, ALockRemovedByItsHolderIsTakenAgain) {
  auto first = std::make_unique<FolderLock>(folder_);
  std::filesystem::remove(path("LOCK"));
  const FolderLock second(folder_);
  first.reset();
  EXPECT_THAT(error_of([&] { const FolderLock third(folder_); }), HasSubstr("is being written by another process"));
  std::filesystem::create_directory(path("d"));
  ASSERT_EQ(::mkfifo(path("d/LOCK").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { const FolderLock pipe(path("d")); }), "output: cannot lock '" + path("d/LOCK") + "': it is not a regular file");
}

TEST_F(StoreFolders, SweepTakesWhatNoManifestLists) {
  for (const char* name : {"segment-000001.ndh", "segment-000002.ndh", "segment-000003.ndh", "MANIFEST", "LOCK", "notes.txt",
                           ".segment-000004.ndh.abcdef.partial", ".MANIFEST.abcdef.partial", ".notes.partial"}) {
    write(name, "x");
  }
  sweep_folder(folder_, manifest_);
  EXPECT_THAT(listing(), ElementsAre(".notes.partial", "LOCK", "MANIFEST", "notes.txt", "segment-000001.ndh", "segment-000003.ndh"));
}

TEST_F(StoreFolders, SpecHasBounds) {
  check_spec(HammingStoreSpec{.bits = 64, .radius = 64});
  EXPECT_EQ(error_of([] { check_spec(HammingStoreSpec{.bits = 32}); }), "usage: index: fingerprints of 32 bits; expected 64 or 128");
  EXPECT_EQ(error_of([] { check_spec(HammingStoreSpec{.bits = 64, .radius = 65}); }),
            "usage: index: a distance of 65; expected at most 64, the bits of a fingerprint");
}

}  // namespace
}  // namespace neardup::testing
