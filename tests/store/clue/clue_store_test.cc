#include "store/clue/clue_store.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "base/limits.h"
#include "io/io_fixture.h"
#include "neardup/hamming_store.h"
#include "neardup/stop.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

struct NamedText {
  std::string name;
  std::string text;
  friend bool operator==(const NamedText&, const NamedText&) = default;
};
using Texts = std::map<uint64_t, NamedText>;

// Sentences of few words, so that texts share anchors; some are empty or short.
std::string text_of(uint64_t number) {
  std::mt19937_64 random(number);
  const char* words[] = {"river", "mountain", "lantern", "copper", "window", "village", "orchard", "thunder", "meadow", "harbour"};
  std::string text;
  for (uint64_t left = random() % 60; left > 0; --left) text += std::string(text.empty() ? "" : " ") + words[random() % std::size(words)];
  return text;
}

std::vector<Anchor> anchors_of(const std::string& text) {
  AnchorScratch scratch;
  std::vector<Anchor> anchors;
  text_anchors(text, {}, scratch, anchors);
  return anchors;
}

// Everything that a view answers.
struct Answers {
  Texts texts;
  std::map<uint64_t, std::set<std::pair<uint64_t, uint16_t>>> postings;  // of each hash: id, context
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_of(const ClueStore& store, std::span<const uint64_t> hashes) {
  const ClueStore::View view = store.view();
  Answers answers;
  for (const auto& part : view.segments) {
    ClueSegment::Scratch scratch;
    for (uint32_t text = 0; text < part->segment->texts(); ++text) {
      const uint64_t id = part->segment->id(text);
      if (view.removals.kill(id, part->born)) continue;
      EXPECT_EQ(part->segment->find(id), text);
      NamedText& found = answers.texts[id];
      part->segment->read_name(text, found.name, scratch);
      part->segment->read_text(text, found.text, scratch);
    }
    const AnchorImage& image = part->segment->anchors();
    for (const uint64_t hash : hashes) {
      const AnchorImage::List list = image.find(hash);
      if (list.count == 0) continue;
      for (AnchorImage::Cursor at(image, list); !at.done(); at.next()) {
        const uint64_t id = part->segment->id(at.text());
        if (!view.removals.kill(id, part->born)) answers.postings[hash].emplace(id, at.context());
      }
    }
  }
  return answers;
}

class ClueStores : public IoTest {
 protected:
  static ClueStoreSpec spec() { return {.recipe_id = 0xAB, .recipe = R"({"form":"clue_v1"})"}; }

  // Adds texts number `begin` to `end` - 1.
  void add(ClueStore& store, uint64_t begin, uint64_t end, const StoreBuild& build = {}) {
    ClueBulk bulk(store, build);
    for (uint64_t number = begin; number < end; ++number) {
      const NamedText text{"name " + std::to_string(number), text_of(number)};
      expected_[bulk.add(text.name, text.text, anchors_of(text.text))] = text;
    }
    EXPECT_EQ(bulk.size(), end - begin);
    bulk.commit();
    EXPECT_EQ(bulk.size(), 0u);
  }
  void remove(ClueStore& store, uint64_t id) {
    store.remove(id);
    expected_.erase(id);
  }
  void expect_answers(const ClueStore& store) const {
    Answers expected{.texts = expected_, .postings = {}};
    std::set<uint64_t> hashes;
    for (const auto& [id, text] : expected_) {
      for (const Anchor& anchor : anchors_of(text.text)) {
        hashes.insert(anchor.hash);
        expected.postings[anchor.hash].emplace(id, anchor.context);
      }
    }
    EXPECT_TRUE(answers_of(store, std::vector<uint64_t>(hashes.begin(), hashes.end())) == expected);
    for (const auto& [id, text] : expected_) {
      if (id % 50 != 0) continue;
      EXPECT_EQ(store.name(id), text.name);
    }
  }
  // 300 texts in two segments, 2 removed.
  void make() {
    ClueStore store = ClueStore::create(path("a"), spec());
    add(store, 0, 200);
    add(store, 200, 300);
    remove(store, 17);
    remove(store, 250);
    store.flush();
  }
  [[nodiscard]] std::string open_error(StoreAccess access = StoreAccess::kRead) const {
    return error_of([&] { ClueStore::open(path("a"), access); });
  }

  Texts expected_;
};

TEST_F(ClueStores, TextsAreAddedRemovedAndMerged) {
  make();
  {
    ClueStore store = ClueStore::open(path("a"), StoreAccess::kWrite);
    EXPECT_EQ(store.spec(), spec());
    EXPECT_EQ(store.folder(), path("a"));
    expect_answers(store);
    EXPECT_EQ(store.name(17), std::nullopt);
    EXPECT_EQ(store.name(300), std::nullopt);
    ClueStoreStat stat = store.stat();
    ASSERT_EQ(stat.segments.size(), 2u);
    EXPECT_EQ(stat.segments[0].texts, 200u);
    EXPECT_GT(stat.segments[0].postings, 1000u);
    EXPECT_EQ(stat.segments[0].bytes, std::filesystem::file_size(path("a/segment-000001.ndh")));
    EXPECT_EQ(stat.texts, 300u);
    EXPECT_EQ(stat.removed_ids, 2u);
    EXPECT_EQ(stat.next_id, 300u);
    // The same text again has another id.
    add(store, 17, 18);
    EXPECT_EQ(expected_.at(300).name, "name 17");
    add(store, 400, 420);
    remove(store, 302);
    expect_answers(store);
    store.verify(2);
    store.merge(2);
    stat = store.stat();
    ASSERT_EQ(stat.segments.size(), 2u);
    EXPECT_EQ(stat.segments[0].file, "segment-000001.ndh") << "the largest remains";
    EXPECT_EQ(stat.segments[1].texts, 99u + 1 + 19) << "without the removed ones";
    expect_answers(store);
    store.merge();
    stat = store.stat();
    ASSERT_EQ(stat.segments.size(), 1u);
    EXPECT_EQ(stat.texts, expected_.size());
    EXPECT_EQ(stat.removed_ids, 0u);
    expect_answers(store);
    store.merge();
    EXPECT_EQ(store.stat().segments[0].file, stat.segments[0].file) << "nothing to gain";
  }
  const ClueStore store = ClueStore::open(path("a"), StoreAccess::kRead);
  expect_answers(store);
  EXPECT_EQ(listing().size(), 4u) << "the folder, LOCK, MANIFEST, one segment";
}

// The bytes of a segment depend on its texts only.
TEST_F(ClueStores, MemoryThreadsAndMergesDoNotShow) {
  const auto fill = [&](const std::string& name, const StoreBuild& build, bool merged) {
    ClueStore store = ClueStore::create(path(name), spec());
    add(store, 0, merged ? 100 : 300, build);
    if (merged) {
      add(store, 100, 300, build);
      store.merge(1, build);
    }
    const std::string file = store.stat().segments.at(0).file;
    return read(name + "/" + file);
  };
  const std::string expected = fill("a", {}, false);
  EXPECT_TRUE(fill("b", {.threads = 2, .memory = 1, .temp_dir = folder_}, false) == expected);
  EXPECT_TRUE(fill("c", {.threads = 1, .memory = 1 << 16}, true) == expected);
}

TEST_F(ClueStores, NamesAreFound) {
  ClueStore store = ClueStore::create(path("a"), spec());
  ClueBulk bulk(store);
  for (const char* name : {"x", "y", "x", "", "z"}) bulk.add(name, "text", {});
  bulk.commit();
  bulk.add("x", "more", {});
  bulk.commit();
  store.remove(2);
  std::vector<std::pair<size_t, uint64_t>> found;
  const std::vector<std::string> names = {"x", "none", "", "x"};
  store.find_names(names, [&](size_t position, uint64_t id) { found.emplace_back(position, id); });
  EXPECT_THAT(found, ElementsAre(Pair(0, 0), Pair(0, 5), Pair(2, 3), Pair(3, 0), Pair(3, 5)));
}

TEST_F(ClueStores, RemovingEverythingLeavesAnEmptyIndex) {
  ClueStore store = ClueStore::create(path("a"), spec());
  add(store, 0, 10);
  for (uint64_t id = 0; id < 10; ++id) remove(store, id);
  store.merge();
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST"));
  EXPECT_EQ(store.stat().next_id, 10u);
  add(store, 0, 10);
  expect_answers(store);
  EXPECT_EQ(expected_.begin()->first, 10u) << "ids are not used again";
}

TEST_F(ClueStores, AViewDoesNotChange) {
  make();
  ClueStore store = ClueStore::open(path("a"), StoreAccess::kWrite);
  const ClueStore reader = ClueStore::open(path("a"), StoreAccess::kRead);
  const ClueStore::View view = store.view();
  store.remove(5);
  store.merge();
  EXPECT_EQ(view.segments.size(), 2u);
  EXPECT_FALSE(view.removals.kill(5, view.segments[0]->born));
  std::string text;
  ClueSegment::Scratch scratch;
  view.segments[0]->segment->read_text(5, text, scratch);
  EXPECT_EQ(text, text_of(5)) << "its file is removed, but still mapped";
  expect_answers(reader);
}

TEST_F(ClueStores, ARemovalDuringAMergeCounts) {
  make();
  ClueStore store = ClueStore::open(path("a"), StoreAccess::kWrite);
  bool removed = false;
  store.merge(1, {.threads = 1, .stop = [&] {
                    if (!std::exchange(removed, true)) remove(store, 30);
                    return false;
                  }});
  EXPECT_TRUE(removed);
  expect_answers(store);
  store.flush();
  expect_answers(ClueStore::open(path("a"), StoreAccess::kRead));
  EXPECT_EQ(store.stat().removed_ids, 1u);
  store.merge();
  EXPECT_EQ(store.stat().texts, expected_.size());
}

TEST_F(ClueStores, AStoppedMergeLeavesTheStoreAsItWas) {
  make();
  ClueStore store = ClueStore::open(path("a"), StoreAccess::kWrite);
  const auto files = listing();
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
  uint64_t call = 1;
  for (; stopped_at(call); ++call) {
    EXPECT_EQ(listing(), files) << call;
    expect_answers(store);
  }
  EXPECT_GT(call, 1u);
  EXPECT_EQ(store.stat().segments.size(), 1u);
}

TEST_F(ClueStores, UsageIsRefused) {
  make();
  const std::string a = "'" + path("a") + "'";
  ClueStore reader = ClueStore::open(path("a"), StoreAccess::kRead);
  const std::string refused = "usage: the index " + a + " is open for reading";
  EXPECT_EQ(error_of([&] { reader.remove(1); }), refused);
  EXPECT_EQ(error_of([&] { reader.flush(); }), refused);
  EXPECT_EQ(error_of([&] { reader.merge(); }), refused);
  EXPECT_EQ(error_of([&] { const ClueBulk bulk(reader); }), refused);
  EXPECT_EQ(error_of([&] { ClueStore::create(path("a"), spec()); }), "output: " + a + " is an index already");
  EXPECT_EQ(error_of([&] { ClueStore::open(path("b"), StoreAccess::kWrite); }),
            "input: '" + path("b") + "' is not an index: it does not exist");
  EXPECT_FALSE(exists("b"));
  EXPECT_THAT(error_of([&] { ClueStore::create(path("b"), {.recipe = std::string((1 << 20) + 1, 'x')}); }),
              HasSubstr("a recipe of 1048577 bytes; expected at most 1048576"));
  const ClueStore writer = ClueStore::open(path("a"), StoreAccess::kWrite);
  EXPECT_EQ(open_error(StoreAccess::kWrite), "output: the index " + a + " is being written by another process (" +
                                                 std::to_string(getpid()) + "); only one process may write at a time");
}

TEST_F(ClueStores, AnIndexOfAnotherKindIsRefused) {
  make();
  HammingStore64::create(path("h"), {}).flush();
  const std::string hamming = "a Hamming index, which holds fingerprints";
  const std::string clue = "a clue index, which holds texts";
  for (const StoreAccess access : {StoreAccess::kRead, StoreAccess::kWrite}) {
    EXPECT_EQ(error_of([&] { ClueStore::open(path("h"), access); }), "usage: '" + path("h") + "' is " + hamming + "; expected " + clue);
    EXPECT_EQ(error_of([&] { HammingStore64::open(path("a"), access); }),
              "usage: '" + path("a") + "' is " + clue + "; expected " + hamming);
  }
  EXPECT_EQ(index_kind(path("a")), IndexKind::kClue);
  EXPECT_EQ(index_kind(path("h")), IndexKind::kHamming);
  EXPECT_EQ(find_hamming_store(path("a")), HammingStorePlace::kStore);
  EXPECT_THAT(error_of([&] { HammingStore64::create(path("a"), {}); }), HasSubstr("is an index already"));
  // An index that was never filled may become one of another kind.
  add(*std::make_unique<ClueStore>(ClueStore::create(path("h"), spec())), 0, 3);
  EXPECT_EQ(index_kind(path("h")), IndexKind::kClue);
}

TEST_F(ClueStores, DamagedFilesAreNamed) {
  make();
  const std::string first = read("a/segment-000001.ndh");
  const std::string second = read("a/segment-000002.ndh");
  const std::string named = "'" + path("a/segment-000001.ndh") + "'";
  std::string damaged = first;
  damaged[4096 + 100] ^= 4;
  write("a/segment-000001.ndh", damaged);
  EXPECT_THAT(error_of([&] { ClueStore::open(path("a"), StoreAccess::kRead).verify(); }),
              AllOf(StartsWith("input: " + named + ": block 0 (bytes 4096 to "), HasSubstr(" is damaged")));
  write("a/segment-000001.ndh", first.substr(0, 5000));
  EXPECT_EQ(open_error(), "input: " + named + ": cut off: expected " + std::to_string(first.size()) + " bytes, found 5000");
  write("a/segment-000001.ndh", second);
  EXPECT_EQ(open_error(), "input: " + named + ": it is not the file that the MANIFEST of its folder lists");
  std::filesystem::remove(path("a/segment-000001.ndh"));
  EXPECT_THAT(open_error(), AllOf(StartsWith("input: cannot read " + named), HasSubstr("No such file")));
  EXPECT_THAT(open_error(StoreAccess::kWrite), HasSubstr("No such file"));
  write("a/segment-000001.ndh", first);
  EXPECT_EQ(open_error(), "");
  HammingStore64 other = HammingStore64::create(path("h"), {.recipe_id = 0xAB});
  other.add({1});
  other.flush();
  write("a/segment-000001.ndh", read("h/segment-000001.ndh"));
  EXPECT_EQ(open_error(), "input: " + named + ": its kind is 'hamming', expected 'clue'");
}

// The files are intact, but do not belong together.
TEST_F(ClueStores, VerifyFindsWhatHashesDoNot) {
  make();
  EXPECT_EQ(error_of([&] { ClueStore::open(path("a"), StoreAccess::kRead).verify(); }), "");
  const StoreManifest good = StoreManifest::read(path("a"));
  StoreManifest changed = good;
  changed.next_id = 300;
  changed.write(path("a"));
  ClueStore::open(path("a"), StoreAccess::kRead).verify();
  changed.next_id = 299;
  changed.write(path("a"));
  EXPECT_EQ(error_of([&] { ClueStore::open(path("a"), StoreAccess::kRead).verify(); }),
            "input: '" + path("a/segment-000002.ndh") + "': text 99 has the id 299; the index has ids below 299");
  changed = good;
  changed.segments.push_back(good.segments[1]);
  changed.segments.back().file = "segment-000003.ndh";
  changed.next_segment = 4;
  changed.write(path("a"));
  write("a/segment-000003.ndh", read("a/segment-000002.ndh"));
  EXPECT_THAT(error_of([&] { ClueStore::open(path("a"), StoreAccess::kRead).verify(); }),
              AllOf(HasSubstr("segment-00000"), HasSubstr("': the id 200 is also in '" + path("a/segment-00000"))));
}

// Two bulks at the same time: their ids alternate.
TEST_F(ClueStores, BulksMayAlternate) {
  ClueStore store = ClueStore::create(path("a"), spec());
  {
    std::vector<ClueBulk> bulks;
    for (int i = 0; i < 3; ++i) bulks.emplace_back(store);
    for (uint64_t number = 0; number < 300; ++number) {
      const NamedText text{"name " + std::to_string(number), text_of(number)};
      expected_[bulks[number * number % 7 % 3].add(text.name, text.text, anchors_of(text.text))] = text;
    }
    for (ClueBulk& bulk : bulks) bulk.commit();
  }
  EXPECT_EQ(store.stat().segments.size(), 3u);
  expect_answers(store);
  store.verify(1);
  store.merge();
  expect_answers(store);
  store.verify(1);
  const std::string merged = read("a/" + store.stat().segments.at(0).file);
  ClueStore other = ClueStore::create(path("b"), spec());
  add(other, 0, 300);
  EXPECT_TRUE(read("b/" + other.stat().segments.at(0).file) == merged);
}

// A text that is too long is refused before anything is written, so the bulk goes on.
TEST_F(ClueStores, TextsAndNamesHaveALongestLength) {
  ClueStore store = ClueStore::create(path("a"), spec());
  ClueBulk bulk(store);
  const std::string longest(limits::kMaxTextBytes + 1, 'x');
  bulk.add("n", "text", {});
  EXPECT_EQ(error_of([&] { bulk.add("line\n2", longest, {}); }),
            "usage: the index '" + path("a") + "': the text 'line\\n2' has 268435457 bytes; expected at most 268435456");
  EXPECT_EQ(error_of([&] { bulk.add(longest, "text", {}); }), "usage: the index '" + path("a") + "': the name '" + longest.substr(0, 200) +
                                                                  "'... has 268435457 bytes; expected at most 268435456");
  EXPECT_EQ(bulk.add("n", "more", {}), 1u);
  bulk.commit();
  EXPECT_EQ(store.stat().texts, 2u);
}

TEST_F(ClueStores, ScansCanBeStopped) {
  make();
  const ClueStore store = ClueStore::open(path("a"), StoreAccess::kRead);
  const StopFunction stop = [] { return true; };
  const StopScope scope(&stop);
  const std::vector<std::string> names = {"x"};
  EXPECT_EQ(error_of([&] { store.find_names(names, [](size_t, uint64_t) {}); }).find("stopped: "), 0u);
  EXPECT_EQ(error_of([&] { store.verify(1); }).find("stopped: "), 0u);
}

TEST_F(ClueStores, AMergeOfADamagedSegmentChangesNothing) {
  {
    ClueStore store = ClueStore::create(path("a"), spec());
    add(store, 0, 2000);  // some blocks, so that opening reads others
    add(store, 2000, 2001);
  }
  std::string damaged = read("a/segment-000001.ndh");
  damaged[4096 + 100] ^= 4;
  write("a/segment-000001.ndh", damaged);
  ClueStore store = ClueStore::open(path("a"), StoreAccess::kWrite);
  const auto files = listing();
  EXPECT_THAT(error_of([&] { store.merge(); }), HasSubstr("segment-000001.ndh': block 0"));
  EXPECT_EQ(listing(), files);
}

TEST_F(ClueStores, AnAbandonedBulkLeavesNothing) {
  {
    ClueStore store = ClueStore::create(path("a"), spec());
    ClueBulk bulk(store);
    bulk.add("n", "text", {});
    EXPECT_EQ(open_error(), "input: '" + path("a") + "' is not an index: its build is still running, or was killed: then build it again");
  }
  EXPECT_THAT(listing(), ElementsAre()) << "it came to nothing";
  ClueStore store = ClueStore::create(path("a"), spec());
  ClueBulk(store).commit();
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST")) << "without texts, an empty index";
  {
    ClueBulk bulk(store);
    bulk.add("n", "text", {});
  }
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST"));
}

TEST_F(ClueStores, AFailedBulkIsNotUsedAgain) {
  ClueStore store = ClueStore::create(path("a"), spec());
  ClueBulk bulk(store);
  bulk.add("n", "text", {});
  // A folder stands where the segment should go.
  std::filesystem::create_directory(path("a/segment-000001.ndh"));
  EXPECT_THAT(error_of([&] { bulk.commit(); }), AllOf(StartsWith("output: cannot write '"), HasSubstr("segment-000001.ndh")));
  const std::string refused =
      "usage: the index '" + path("a") + "': an addition of these texts failed; they must be added again, by a new bulk";
  EXPECT_EQ(error_of([&] { bulk.commit(); }), refused);
  EXPECT_EQ(error_of([&] { bulk.add("n", "text", {}); }), refused);
  bulk = ClueBulk(store);
  bulk.add("n", "text", {});
  bulk.commit();
  EXPECT_EQ(ClueStore::open(path("a"), StoreAccess::kRead).stat().texts, 1u);
}

// A building process is killed: there is no index, and the next builder clears the folder.
TEST_F(ClueStores, AKilledBuildLeavesNoIndex) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ClueStore store = ClueStore::create(path("a"), spec());
    ClueBulk bulk(store);
    for (uint64_t i = 0; i < 1000; ++i) bulk.add("n", text_of(i), anchors_of(text_of(i)));
    (void)!::write(pipe[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(pipe[0], &byte, 1), 1);
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ::close(pipe[0]);
  ::close(pipe[1]);
  EXPECT_EQ(find_hamming_store(path("a")), HammingStorePlace::kUnfinished);
  EXPECT_THAT(open_error(), HasSubstr("its build is still running, or was killed"));
  make();
  EXPECT_THAT(listing(), ElementsAre("a", "a/LOCK", "a/MANIFEST", "a/segment-000001.ndh", "a/segment-000002.ndh"));
  expect_answers(ClueStore::open(path("a"), StoreAccess::kRead));
}

// A writing process is killed at some moment; it leaves a state between two changes.
TEST_F(ClueStores, AKilledWriterLeavesACommittedState) {
  std::mt19937_64 random(3);
  ClueStore::create(path("a"), spec()).flush();
  uint64_t before = 0;
  for (int round = 0; round < 4; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ClueStore store = ClueStore::open(path("a"), StoreAccess::kWrite);
      for (uint64_t i = 1;; ++i) {
        ClueBulk bulk(store, {.threads = 1});
        for (int text = 0; text < 20; ++text) bulk.add("n", text_of(i), anchors_of(text_of(i)));
        bulk.commit();
        if (i % 5 == 0) store.merge(1, {.threads = 1});
      }
    }
    usleep(static_cast<useconds_t>(30'000 + random() % 150'000));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    const ClueStoreStat stat = ClueStore::open(path("a"), StoreAccess::kRead).stat();
    EXPECT_EQ(stat.texts % 20, 0u);
    EXPECT_GE(stat.texts, before);
    before = stat.texts;
    const ClueStore writer = ClueStore::open(path("a"), StoreAccess::kWrite);
    writer.verify(1);
    EXPECT_EQ(listing().size(), 3 + writer.stat().segments.size()) << "leftovers are swept";
  }
  EXPECT_GT(before, 0u);
}

}  // namespace
}  // namespace neardup::testing
