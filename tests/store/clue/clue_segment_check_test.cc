#include "store/clue/clue_segment_check.h"

#include <cstring>
#include <functional>
#include <random>
#include <set>

#include "io/io_fixture.h"
#include "store/clue/clue_segment_merge.h"
#include "store/clue/clue_segment_writer.h"
#include "support/posting_lists.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kRecipeOfChecks = 0xAB;
constexpr uint32_t kCheckedTexts = 200;
constexpr uint64_t kNextIdOfChecks = 3 * kCheckedTexts;

// The parts of the payload of a segment, to be changed one by one.
struct SegmentParts {
  std::string texts;
  std::string names;
  std::string ids;
  std::string classes;
  std::string image;
  clue_segment::Trailer trailer;
};

SegmentParts segment_parts_of(std::string_view payload) {
  SegmentParts parts;
  std::memcpy(&parts.trailer, payload.data() + payload.size() - sizeof parts.trailer, sizeof parts.trailer);
  const clue_segment::Trailer& trailer = parts.trailer;
  const auto take = [&](uint64_t bytes) {
    std::string part(payload.substr(0, bytes));
    payload.remove_prefix((bytes + 7) / 8 * 8);
    return part;
  };
  parts.texts = take(trailer.text_bytes);
  parts.names = take(trailer.name_bytes);
  const uint64_t skipped = trailer.last_id - trailer.first_id - (trailer.texts - 1);
  parts.ids = take(PackedNumbers::bytes_for(trailer.texts, static_cast<uint32_t>(std::bit_width(skipped))));
  parts.classes = take(trailer.texts);
  parts.image = take(trailer.image_bytes);
  return parts;
}

std::string payload_with(SegmentParts parts) {
  parts.trailer.text_bytes = parts.texts.size();
  parts.trailer.name_bytes = parts.names.size();
  parts.trailer.image_bytes = parts.image.size();
  std::string payload;
  for (const std::string* part : {&parts.texts, &parts.names, &parts.ids, &parts.classes, &parts.image}) {
    payload += *part;
    payload.resize((payload.size() + 7) / 8 * 8);
  }
  return payload.append(reinterpret_cast<const char*>(&parts.trailer), sizeof parts.trailer);
}

class ClueSegmentChecks : public IoTest {
 protected:
  ClueSegmentChecks() {
    ClueSegmentWriter writer(path("good"), kRecipeOfChecks, "{}", {.threads = 1});
    std::mt19937_64 random(1);
    for (uint32_t text = 0; text < kCheckedTexts; ++text) {
      std::set<std::pair<uint64_t, uint16_t>> distinct;
      // One gram is in every text, so its list has blocks.
      distinct.emplace(77, 0);
      for (uint64_t i = random() % 30; i > 0; --i) distinct.emplace(random() % 1000 << 26, static_cast<uint16_t>(random() % 5));
      std::vector<Anchor> anchors;
      for (const auto& [hash, context] : distinct) {
        anchors.push_back({hash, 0, context});
        postings_.insert({hash, text, context});
      }
      writer.add(2 * text, "name " + std::to_string(text), std::string(random() % 500, static_cast<char>('a' + text % 26)), anchors);
    }
    writer.commit();
    parts_ = segment_parts_of(SegmentFile::open(path("good"), "clue", 0)->payload());
  }

  // A segment with right hashes.
  void forge(std::string_view payload) const {
    SegmentWriter writer(path("forged"), {.kind = "clue", .recipe_id = kRecipeOfChecks, .recipe = "{}", .entries = kCheckedTexts});
    writer.append(payload);
    writer.commit();
  }
  // What the checks say of the good segment with this change; without the name of the file.
  [[nodiscard]] std::string refusal(const std::function<void(SegmentParts&)>& change, uint64_t next_id = kNextIdOfChecks) const {
    SegmentParts parts = parts_;
    change(parts);
    forge(payload_with(parts));
    const std::string error = error_of([&] { verify_clue_segment(ClueSegment(path("forged"), kRecipeOfChecks), next_id, 2); });
    const std::string begin = "input: '" + path("forged") + "': ";
    EXPECT_TRUE(error.empty() || error.starts_with(begin)) << error;
    return error.empty() ? error : error.substr(begin.size());
  }
  [[nodiscard]] std::string error_of_merge() const {
    const ClueSegment segment(path("forged"), kRecipeOfChecks);
    return error_of([&] { merge_clue_segments(path("merged"), kRecipeOfChecks, "{}", {{{&segment, 0}}}, {}, {.threads = 1}); });
  }

  SegmentParts parts_;
  Postings postings_;
};

TEST_F(ClueSegmentChecks, AGoodSegmentPasses) {
  EXPECT_EQ(refusal([](SegmentParts&) {}), "");
  EXPECT_EQ(read("forged"), read("good"));
  EXPECT_EQ(refusal([](SegmentParts&) {}, 2 * kCheckedTexts - 1), "");
  {
    ClueSegmentWriter writer(path("empty"), kRecipeOfChecks, "{}", {});
    writer.commit();
  }
  verify_clue_segment(ClueSegment(path("empty"), kRecipeOfChecks), 0, 1);
}

TEST_F(ClueSegmentChecks, DamagedBlocksAreNamed) {
  std::string bytes = read("good");
  bytes[4096 + 10] ^= 1;
  write("forged", bytes);
  EXPECT_THAT(error_of([&] { verify_clue_segment(ClueSegment(path("forged"), kRecipeOfChecks), kNextIdOfChecks, 1); }),
              HasSubstr("block 0 (bytes 4096 to "));
}

TEST_F(ClueSegmentChecks, IdsAscend) {
  // Two skipped ids before each text: of 8 bits in the good one.
  const auto edit = [](size_t text, int value) { return [=](SegmentParts& parts) { parts.ids[text] = static_cast<char>(value); }; };
  EXPECT_EQ(refusal(edit(3, 3)), "") << "as it is";
  EXPECT_EQ(refusal(edit(3, 5)), "text 4 has the id 8 after 8; expected ascending ids");
  EXPECT_EQ(refusal(edit(3, 0)), "text 3 has the id 3 after 4; expected ascending ids");
  EXPECT_EQ(refusal([](SegmentParts&) {}, 2 * kCheckedTexts - 2), "text 199 has the id 398; the index has ids below 398");
  EXPECT_EQ(refusal(edit(199, 201)), "the id 400 of text 199 is not found") << "the trailer says that it is the last one";
}

TEST_F(ClueSegmentChecks, TextsAndNamesCanBeRead) {
  // Somewhere in the compressed bytes of the first block; some flips change a text only.
  size_t refused = 0;
  for (size_t at = 0; at < 60; ++at) {
    const std::string error = refusal([&](SegmentParts& parts) { parts.texts[at] ^= 0x10; });
    if (error.empty()) continue;
    ++refused;
    EXPECT_EQ(error.find("the texts are damaged in block 0 of "), 0u) << error;
  }
  EXPECT_GT(refused, 5u);
  EXPECT_EQ(refusal([](SegmentParts& parts) { parts.names.front() ^= 1; }).find("the names are damaged in block 0 of "), 0u);
}

TEST_F(ClueSegmentChecks, SizesAgreeWithThePostings) {
  EXPECT_EQ(refusal([](SegmentParts& parts) { std::swap(parts.classes[0], parts.classes[1]); }).find("text 0 has "), 0u);
  // A merge reads the sizes only: it refuses sums that are wrong, before it reserves buckets for them.
  for (const int value : {0, 255}) {
    EXPECT_NE(refusal([&](SegmentParts& parts) { parts.classes.assign(kCheckedTexts, static_cast<char>(value)); }), "");
    EXPECT_EQ(error_of_merge(), "input: '" + path("forged") + "': the sizes of its texts do not agree with its " +
                                    std::to_string(postings_.size()) + " postings");
    EXPECT_FALSE(exists("merged"));
  }
}

// Postings whose order is wrong only between two blocks, where a cursor does not look.
TEST_F(ClueSegmentChecks, PostingsAscendFromBlockToBlock) {
  StringSink sink;
  AnchorImageWriter writer(sink, postings_.size());
  for (const Posting& posting : postings_) {
    Posting written = posting;
    if (posting.hash == 77 && posting.text == 128) written.text = 127;  // begins the second block
    writer.add(written);
  }
  writer.finish();
  EXPECT_EQ(refusal([&](SegmentParts& parts) { parts.image = sink.bytes(); }), "bucket 0 of the anchors is corrupt");
  EXPECT_EQ(error_of_merge(), "input: '" + path("forged") + "': bucket 0 of the anchors is corrupt");
}

// What passes can be read, and a merge of it passes.
TEST_F(ClueSegmentChecks, WhatPassesCanBeReadAndMerged) {
  const std::string good = payload_with(parts_);
  std::mt19937_64 random(9);
  size_t passed = 0;
  size_t refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string payload = good;
    const size_t at = random() % payload.size();
    payload[at] = static_cast<char>(payload[at] ^ 1 << random() % 8);
    forge(payload);
    const std::string error = error_of([&] { verify_clue_segment(ClueSegment(path("forged"), kRecipeOfChecks), kNextIdOfChecks, 1); });
    if (!error.empty()) {
      ASSERT_EQ(error.find("input: '" + path("forged") + "': "), 0u) << error;
      ++refused;
      continue;
    }
    ++passed;
    const ClueSegment segment(path("forged"), kRecipeOfChecks);
    ClueSegment::Scratch scratch;
    for (uint32_t text = 0; text < segment.texts(); ++text) {
      static_cast<void>(segment.view_text(text, scratch));
      static_cast<void>(segment.view_name(text, scratch));
      ASSERT_EQ(segment.find(segment.id(text)), text);
    }
    for (const uint64_t hash : {uint64_t{77}, uint64_t{5} << 26}) {
      for (AnchorImage::Cursor cursor(segment.anchors(), segment.anchors().find(hash)); !cursor.done(); cursor.next()) {
        ASSERT_LT(cursor.text(), segment.texts());
      }
    }
    ASSERT_EQ(error_of_merge(), "");
    verify_clue_segment(ClueSegment(path("merged"), kRecipeOfChecks), kNextIdOfChecks, 1);
  }
  EXPECT_GT(passed, 10u);
  EXPECT_GT(refused, 150u);
}

}  // namespace
}  // namespace neardup::testing
