#include "dedup/run_folder.h"

#include <numeric>

#include "base/byte_codec.h"
#include "dedup/decisions.h"
#include "dedup/pass_journal.h"
#include "dedup/sketched_batch.h"
#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunFolders : public IoTest {
 protected:
  static RunIdentity identity() {
    RunIdentity made;
    made.settings = {{"threshold", "0.8"}, {"keep", "first"}};
    made.sources = {{"a", "3 bytes"}, {"b", "4 bytes"}};
    return made;
  }
  std::string refusal(const RunIdentity& now, const std::vector<uint32_t>& extend_behind = {}) {
    return error_of([&] { const RunFolder folder(folder_, now, extend_behind); });
  }
};

TEST_F(RunFolders, IdentityComesBack) {
  RunIdentity made = identity();
  made.sources.push_back({"c \"\\\n\xE4\xB8\xAD", ""});
  const RunIdentity read = RunIdentity::parse(made.to_json(), "x");
  EXPECT_EQ(read.settings, made.settings);
  EXPECT_EQ(read.sources, made.sources);
  for (const char* broken : {"", "{}", "[]", R"({"format":1,"settings":[],"sources":[{}]})", R"({"format":1,"settings":3,"sources":[]})"}) {
    EXPECT_THAT(error_of([&] { RunIdentity::parse(broken, "the file"); }), HasSubstr("input: 'the file' does not describe a run"))
        << broken;
  }
  EXPECT_EQ(error_of([&] { RunIdentity::parse(R"({"format":2,"settings":[],"sources":[]})", "f"); }),
            "input: 'f' has format 2; this program reads format 1");
}

TEST_F(RunFolders, WhatChangedIsNamed) {
  { const RunFolder folder(folder_, identity(), {}); }
  EXPECT_EQ(refusal(identity()), "");
  RunIdentity now = identity();
  now.settings[0].value = "0.7";
  EXPECT_THAT(refusal(now), HasSubstr("threshold was '0.8' when it began, and is '0.7' now"));
  now = identity();
  now.sources[1].value = "5 bytes";
  EXPECT_THAT(refusal(now), HasSubstr("'b' changed: it had 4 bytes, and has 5 bytes now"));
  now = identity();
  now.sources.pop_back();
  EXPECT_THAT(refusal(now), HasSubstr("input 2, 'b', is missing"));
  now = identity();
  std::swap(now.sources[0], now.sources[1]);
  EXPECT_THAT(refusal(now), HasSubstr("input 1 was 'a', and is 'b' now"));
  now = identity();
  now.settings.push_back({"new", "1"});
  EXPECT_THAT(refusal(now), HasSubstr("begun by a program that had no 'new'"));
}

TEST_F(RunFolders, MoreSourcesOnlyWhenAsked) {
  {
    const RunFolder folder(folder_, identity(), {});
    Decisions().save(folder, 1);
    write("features-0000000000.part", "x");
    write("sketch-0000000000.part", "x");
    write("fitted-1.idf", "x");
  }
  RunIdentity now = identity();
  now.sources.push_back({"c", "1 bytes"});
  EXPECT_THAT(refusal(now), HasSubstr("'c' was not among its inputs; --add takes more"));
  EXPECT_THAT(refusal(now, {1, 3}), HasSubstr("'c' was not among its inputs; --add takes more")) << "it had two";
  EXPECT_EQ(refusal(now, {2}), "");
  EXPECT_FALSE(exists("decided") || exists("features-0000000000.part") || exists("fitted-1.idf"))
      << "they were made without the new documents";
  EXPECT_TRUE(exists("sketch-0000000000.part"));
  EXPECT_EQ(refusal(now), "") << "it has three sources from now on";
  EXPECT_THAT(refusal(identity()), HasSubstr("input 3, 'c', is missing"));
}

TEST_F(RunFolders, TasksShareARunDoesNot) {
  EXPECT_THAT(error_of([&] { const RunFolder folder(folder_, identity(), {}, RunFolder::Use::kShared); }), HasSubstr("there is no run in"));
  { const RunFolder folder(folder_, identity(), {}); }
  const RunFolder task(folder_, identity(), {}, RunFolder::Use::kShared);
  const RunFolder other(folder_, identity(), {}, RunFolder::Use::kShared);
  EXPECT_THAT(refusal(identity()), HasSubstr("the run in '" + folder_ + "' is being written by another process"));
}

class Journals : public RunFolders {
 protected:
  Journals() : run_(folder_, identity(), {}) {}
  static std::string bytes_of(uint64_t batch) { return std::string(batch % 3 * 100, static_cast<char>('a' + batch)); }
  void fill(PassJournal& journal, uint64_t batches) {
    for (uint64_t i = 0; i < batches; ++i) {
      if (!journal.has(i)) journal.put(i, bytes_of(i));
    }
    journal.finish();
  }
  [[nodiscard]] std::vector<std::string> parts() const { return run_.files("sketch-", ".part"); }
  RunFolder run_;
};

TEST_F(Journals, BatchesComeBack) {
  PassJournal first(run_, "sketch", 7);
  EXPECT_EQ(first.end(), 0u);
  fill(first, 10);
  EXPECT_THAT(parts(), ElementsAre("sketch-0000000000.part", "sketch-0000000004.part", "sketch-0000000008.part"));
  const PassJournal again(run_, "sketch", 7);
  EXPECT_EQ(again.end(), 10u);
  EXPECT_TRUE(again.complete());
  for (uint64_t i = 0; i < 10; ++i) {
    ASSERT_TRUE(again.has(i));
    EXPECT_EQ(again.get(i), bytes_of(i));
  }
  EXPECT_FALSE(again.has(10));
}

TEST_F(Journals, AHoleIsFilledWithTheSameFile) {
  {
    PassJournal journal(run_, "sketch", 7);
    fill(journal, 14);
  }
  const std::string whole = read("sketch-0000000004.part");
  run_.remove("sketch-0000000004.part");
  PassJournal journal(run_, "sketch", 7);
  EXPECT_FALSE(journal.complete());
  EXPECT_TRUE(journal.has(3) && !journal.has(4) && !journal.has(7) && journal.has(8));
  fill(journal, 14);
  EXPECT_EQ(read("sketch-0000000004.part"), whole);
}

TEST_F(Journals, PartsGoOnBehindAShortOne) {
  for (const uint64_t batches : {2u, 3u, 9u}) {
    PassJournal journal(run_, "sketch", 7);
    fill(journal, batches);
  }
  EXPECT_THAT(parts(), ElementsAre("sketch-0000000000.part", "sketch-0000000002.part", "sketch-0000000003.part", "sketch-0000000004.part",
                                   "sketch-0000000008.part"));
  const PassJournal journal(run_, "sketch", 7);
  EXPECT_TRUE(journal.complete());
  for (uint64_t i = 0; i < 9; ++i) EXPECT_EQ(journal.get(i), bytes_of(i));
}

TEST_F(Journals, DamagedPartsAndThoseOfAnotherRecipeAreRemoved) {
  {
    PassJournal journal(run_, "sketch", 7);
    fill(journal, 8);
  }
  std::string damaged = read("sketch-0000000000.part");
  damaged[damaged.size() / 2] ^= 1;
  write("sketch-0000000000.part", damaged);
  EXPECT_EQ(PassJournal(run_, "sketch", 7).end(), 8u);
  EXPECT_THAT(parts(), ElementsAre("sketch-0000000004.part"));
  EXPECT_EQ(PassJournal(run_, "sketch", 8).end(), 0u);
  EXPECT_THAT(parts(), ElementsAre());
}

SketchedBatch some_batch(bool plain) {
  SketchedBatch batch;
  batch.source = 3;
  batch.rows = 12;
  batch.rejected = 1;
  batch.text_bytes = 99;
  for (uint64_t i = 0; i < 5; ++i) {
    const std::string id = i == 2 && plain ? "" : "id" + std::to_string(i);
    Record record;
    record.where = {plain ? 3u : 3u + static_cast<uint32_t>(i / 3), i + 1};
    record.id = id;
    record.has_id = !id.empty();
    record.has_rank_value = !plain && i == 1;
    record.rank_value = 2.5;
    batch.documents.add(record, i == 4 ? BatchDocuments::kRejected : 0, {i, i * 7});
    batch.codes.push_back({i, ~i});
    batch.lacks.push_back(static_cast<uint8_t>(i));
  }
  batch.block.assign(60, 7);
  batch.filter_rows.assign(20, 9);
  return batch;
}

TEST(SketchedBatches, ComeBackAndDoNotReadBeyondTheirBytes) {
  for (const bool plain : {true, false}) {
    const SketchedBatch batch = some_batch(plain);
    std::string bytes;
    batch.save(bytes);
    SketchedBatch read;
    read.load(bytes, "x");
    std::string again;
    read.save(again);
    EXPECT_EQ(again, bytes);
    EXPECT_EQ(read.documents.places, batch.documents.places);
    EXPECT_EQ(read.documents.id_ends, batch.documents.id_ends);
    EXPECT_EQ(read.documents.value_keys, batch.documents.value_keys);
    EXPECT_EQ(read.codes, batch.codes);
    for (size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(read.load(bytes.substr(0, cut), "x"), Error) << cut;
    EXPECT_THROW(read.load(bytes + "x", "x"), Error);
    for (size_t at = 0; at < bytes.size(); ++at) {  // a length that is too long by much must not be believed
      std::string wrong = bytes;
      wrong[at] = '\xFF';
      try {
        read.load(wrong, "x");
      } catch (const Error&) {
      }
    }
  }
}

TEST_F(RunFolders, DecisionsComeBackAndHoldTogether) {
  const RunFolder run(folder_, identity(), {});
  EXPECT_FALSE(Decisions::load(run, 5));
  Decisions made;
  made.batches = 2;
  made.copy_of = {0, 0, 2, 3};
  made.removals = {{.document = 2, .keeper = 0, .overlap = {8, 9, 10}},
                   {.document = 3, .keeper = 3, .overlap = {60, 64, 60}, .witness = 1}};
  made.witnesses = {{.document = 3, .index = 1, .entry = 77, .name = "n", .named = true, .distance = 4}};
  made.stats = {.verifications = 5, .capped_documents = 6};
  made.candidate_documents = 4;
  made.largest_group = 3;
  made.reference_entries = 1000;
  made.save(run, 5);
  const auto read_back = Decisions::load(run, 5);
  ASSERT_TRUE(read_back);
  EXPECT_EQ(read_back->batches, 2u);
  EXPECT_EQ(read_back->copy_of, made.copy_of);
  ASSERT_EQ(read_back->removals.size(), 2u);
  EXPECT_EQ(read_back->removals[0].overlap.union_size(), 11u);
  EXPECT_EQ(read_back->removals[1].witness, 1u);
  ASSERT_EQ(read_back->witnesses.size(), 1u);
  EXPECT_EQ(read_back->witnesses[0].name, "n");
  Summary summary;
  read_back->count(summary);
  EXPECT_EQ(std::vector({summary.verifications, summary.capped_documents, summary.candidate_documents, summary.largest_group,
                         summary.reference_entries}),
            (std::vector<uint64_t>{5, 6, 4, 3, 1000}));
  made.removals[0].keeper = 4;  // no such document
  made.save(run, 5);
  EXPECT_FALSE(Decisions::load(run, 5));
  EXPECT_FALSE(exists("decided"));
  made.removals[0].keeper = 1;
  made.save(run, 5);
  EXPECT_FALSE(Decisions::load(run, 6)) << "of another recipe";
}

}  // namespace
}  // namespace neardup::testing
