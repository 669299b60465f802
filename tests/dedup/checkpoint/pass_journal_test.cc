#include "dedup/checkpoint/pass_journal.h"

#include "dedup/checkpoint/sketched_batch.h"
#include "support/checkpoint_directories.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;

class Journals : public CheckpointDirectories {
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
  CheckpointDirectory run_;
};

TEST_F(Journals, BatchesRoundTrip) {
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

TEST_F(Journals, PartsContinueAfterAShortOne) {
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
  batch.text_bytes = 99;
  for (uint64_t i = 0; i < 5; ++i) {
    const std::string id = i == 2 && plain ? "" : "id" + std::to_string(i);
    Record record;
    record.where = {plain ? 3u : 3u + static_cast<uint32_t>(i / 3), i + 1};
    record.id = id;
    record.has_id = !id.empty();
    record.has_rank_value = !plain && i == 1;
    record.rank_value = 2.5;
    batch.documents.add(record, i == 4 ? BatchDocuments::kShort : 0, {i, i * 7});
    if (!plain && i % 2 == 0) batch.documents.reject();
    batch.codes.push_back({i, ~i});
    batch.missing_sketches.push_back(static_cast<uint8_t>(i));
  }
  batch.block.assign(60, 7);
  batch.filter_rows.assign(20, 9);
  return batch;
}

TEST(SketchedBatches, RoundTripWithinTheirBytes) {
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

// A thin batch has zeros for removed documents, and fewer bytes; it loads as saved, and reads nothing beyond its bytes.
TEST(SketchedBatches, ThinOnesHaveTheSketchesOfSome) {
  for (const std::vector<uint8_t>& stay : {std::vector<uint8_t>{1, 0, 0, 1, 0}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}}) {
    SketchedBatch batch = some_batch(true);
    for (size_t i = 0; i < batch.block.size(); ++i) batch.block[i] = static_cast<uint8_t>(i + 1);  // 5 documents, 2 bands
    for (size_t i = 0; i < batch.filter_rows.size(); ++i) batch.filter_rows[i] = static_cast<uint8_t>(100 + i);
    std::string whole;
    batch.save(whole);
    batch.thin([&](uint32_t i) { return stay[i] != 0; });
    std::string bytes;
    batch.save(bytes);
    EXPECT_EQ(bytes.size() < whole.size(), stay[1] == 0);
    SketchedBatch read;
    read.load(bytes, "x");
    EXPECT_EQ(read.documents.exact, batch.documents.exact);
    ASSERT_EQ(read.block.size(), batch.block.size());
    ASSERT_EQ(read.filter_rows.size(), batch.filter_rows.size());
    ASSERT_EQ(read.codes.size(), 5u);
    ASSERT_EQ(read.missing_sketches.size(), 5u);
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(read.codes[i], stay[i] != 0 ? batch.codes[i] : Fingerprint128{});
      EXPECT_EQ(read.missing_sketches[i], stay[i] != 0 ? batch.missing_sketches[i] : 0);
      for (size_t at = 4 * i; at < 4 * i + 4; ++at) EXPECT_EQ(read.filter_rows[at], stay[i] != 0 ? batch.filter_rows[at] : 0);
      for (size_t band = 0; band < 2; ++band) {
        for (size_t at = (band * 5 + i) * 6; at < (band * 5 + i) * 6 + 6; ++at)
          EXPECT_EQ(read.block[at], stay[i] != 0 ? batch.block[at] : 0);
      }
    }
    std::string again;
    read.save(again);
    EXPECT_EQ(again, bytes);
    for (size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(read.load(bytes.substr(0, cut), "x"), Error) << cut;
    for (size_t at = 0; at < bytes.size(); ++at) {
      std::string wrong = bytes;
      wrong[at] = '\xFF';
      try {
        read.load(wrong, "x");
      } catch (const Error&) {
      }
    }
  }
}

TEST_F(Journals, PartsBecomeThinOnceTheyAreDecided) {
  const auto shorter = [](uint64_t batch, std::string_view bytes, const std::string&) {
    EXPECT_EQ(bytes, bytes_of(batch));
    return std::string(bytes.substr(0, 1));
  };
  std::string whole;
  {
    PassJournal journal(run_, "sketch", 7);
    fill(journal, 11);
    whole = read("sketch-0000000004.part");
    journal.thin(7, shorter);  // the second part ends after it
    journal.thin(7, shorter);
    EXPECT_EQ(read("sketch-0000000004.part"), whole);
  }
  {
    PassJournal journal(run_, "sketch", 7, 7);
    EXPECT_EQ(journal.get(3), bytes_of(3).substr(0, 1));
    EXPECT_EQ(journal.get(4), bytes_of(4));
    journal.thin(8, shorter);
    EXPECT_FALSE(journal.has(4));
    EXPECT_NE(read("sketch-0000000004.part"), whole);
    EXPECT_THAT(parts(), ElementsAre("sketch-0000000000.part", "sketch-0000000004.part", "sketch-0000000008.part"));
  }
  const PassJournal journal(run_, "sketch", 7, 5);
  EXPECT_THAT(parts(), ElementsAre("sketch-0000000000.part", "sketch-0000000008.part")) << "batches 5 to 7 are not decided";
}

}  // namespace
}  // namespace neardup::testing
