#include "store/clue/clue_segment.h"

#include <map>
#include <random>
#include <set>

#include "base/hash.h"
#include "base/limits.h"
#include "io/io_fixture.h"
#include "store/clue/clue_segment_merge.h"
#include "store/clue/clue_segment_writer.h"

namespace neardup::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr uint64_t kRecipe = 0xAB;

struct Entry {
  std::string name;
  std::string text;
  std::vector<Anchor> anchors;
};
using Entries = std::map<uint64_t, Entry>;

// Texts of words with the hashes of these as anchors, in no order and with repetitions; ids with and without gaps.
Entries random_entries(uint64_t seed, size_t count, uint64_t first_id, uint64_t max_gap) {
  std::mt19937_64 random(seed);
  const char* words[] = {"river", "mountain", "lantern", "copper", "window", "village", "orchard", "thunder", "meadow", "harbour"};
  Entries entries;
  uint64_t id = first_id;
  for (size_t i = 0; i < count; ++i, id += 1 + random() % (max_gap + 1)) {
    Entry& entry = entries[id];
    entry.name = i % 11 == 3 ? "" : "corpus.jsonl:" + std::to_string(random() % 100'000);
    const size_t length = i % 97 == 5 ? 5000 : random() % 40;
    for (size_t word = 0; word < length; ++word) {
      const std::string next = words[random() % std::size(words)] + std::to_string(random() % 30) + " ";
      if (random() % 2 == 0) {
        entry.anchors.push_back(
            {hash64(next) >> (64 - kAnchorHashBits), static_cast<uint32_t>(entry.text.size()), static_cast<uint16_t>(random() % 8)});
      }
      entry.text += next;
    }
    std::ranges::shuffle(entry.anchors, random);
  }
  return entries;
}

class ClueSegments : public IoTest {
 protected:
  WrittenSegment make(const std::string& name, const Entries& entries, const StoreBuild& build = {.threads = 1}) const {
    ClueSegmentWriter writer(path(name), kRecipe, R"({"form":"clue_v1"})", build);
    for (const auto& [id, entry] : entries) writer.add(id, entry.name, entry.text, entry.anchors);
    EXPECT_EQ(writer.texts(), entries.size());
    return writer.commit();
  }
  WrittenSegment merge(const std::string& name, const std::vector<ClueMergePart>& parts, const Removals& removals,
                       const StoreBuild& build = {.threads = 1}) const {
    return merge_clue_segments(path(name), kRecipe, R"({"form":"clue_v1"})", parts, removals, build);
  }

  // Everything that a segment answers: each text with its name and postings, asked in both directions.
  static std::string contents(const ClueSegment& segment) {
    ClueSegment::Scratch scratch;
    std::string all;
    std::string bytes;
    for (uint32_t text = 0; text < segment.texts(); ++text) {
      const uint64_t id = segment.id(text);
      if (segment.find(id) != text) return "find()";
      all += std::to_string(id) + " " + std::to_string(segment.min_postings(text)) + " ";
      segment.read_name(text, bytes, scratch);
      all += bytes + " ";
      segment.read_text(text, bytes, scratch);
      all += bytes + "\n";
    }
    segment.anchors().for_each([&](const Posting& posting) {
      all += std::to_string(posting.hash) + " " + std::to_string(posting.text) + " " + std::to_string(posting.context) + "\n";
    });
    return all;
  }
  static std::string contents(const Entries& entries) {
    std::string all;
    std::set<Posting> postings;
    uint32_t text = 0;
    for (const auto& [id, entry] : entries) {
      std::set<std::pair<uint64_t, uint16_t>> distinct;
      for (const Anchor& anchor : entry.anchors) {
        distinct.emplace(anchor.hash, anchor.context);
        postings.insert({anchor.hash, text, anchor.context});
      }
      ++text;
      const uint8_t size_class = clue_segment::posting_class(distinct.size());
      all += std::to_string(id) + " " + std::to_string(clue_segment::postings_of_class(size_class)) + " " + entry.name + " " + entry.text +
             "\n";
    }
    for (const Posting& posting : postings) {
      all += std::to_string(posting.hash) + " " + std::to_string(posting.text) + " " + std::to_string(posting.context) + "\n";
    }
    return all;
  }
};

TEST(PostingClass, RoundsDownALittle) {
  for (uint64_t value = 0; value < 16; ++value) EXPECT_EQ(clue_segment::postings_of_class(clue_segment::posting_class(value)), value);
  uint8_t last = 0;
  for (uint64_t value = 16; value < 100'000'000; value += 1 + value / 100) {
    const uint8_t size_class = clue_segment::posting_class(value);
    ASSERT_GE(size_class, last);
    last = size_class;
    const uint64_t rounded = clue_segment::postings_of_class(size_class);
    ASSERT_LE(rounded, value);
    ASSERT_GE(rounded * 9, value * 8 - 8);
    ASSERT_EQ(clue_segment::posting_class(rounded), size_class);
  }
  EXPECT_EQ(clue_segment::posting_class(UINT64_MAX), 255);
  EXPECT_EQ(clue_segment::posting_class(clue_segment::postings_of_class(255)), 255);
}

TEST_F(ClueSegments, HoldWhatWasWritten) {
  for (const size_t count : {0, 1, 2, 300, 5000}) {
    const Entries entries = random_entries(count, count, count * 7, count % 3);
    const WrittenSegment written = make("a", entries);
    EXPECT_EQ(written.entries, count);
    const ClueSegment segment(path("a"), kRecipe);
    EXPECT_EQ(segment.file().sum(), written.sum);
    EXPECT_EQ(segment.file().recipe(), R"({"form":"clue_v1"})");
    EXPECT_EQ(segment.texts(), count);
    EXPECT_TRUE(contents(segment) == contents(entries)) << count;
    std::vector<uint32_t> some;
    for (uint32_t text = 0; text < count; text += 7) some.push_back(text);
    segment.prefetch_texts(some);
    segment.file().verify_all(1);
  }
}

TEST_F(ClueSegments, FindIds) {
  for (const uint64_t first : {uint64_t{0}, uint64_t{1000}, UINT64_MAX - 100'000'000}) {
    for (const uint64_t gap : {0, 1, 5000}) {
      const Entries entries = random_entries(1, 2000, first, gap);
      make("a", entries);
      const ClueSegment segment(path("a"), kRecipe);
      uint32_t text = 0;
      for (const auto& [id, entry] : entries) {
        ASSERT_EQ(segment.id(text), id);
        ASSERT_EQ(segment.find(id), text);
        if (!entries.contains(id + 1)) {
          ASSERT_EQ(segment.find(id + 1), std::nullopt);
        }
        ++text;
      }
      ASSERT_EQ(segment.find(first - 1), std::nullopt);
      ASSERT_EQ(segment.find(UINT64_MAX), std::nullopt);
    }
  }
}

// The extremes of 64 bits in one segment.
TEST_F(ClueSegments, IdsMayBeAnywhere) {
  Entries entries;
  for (const uint64_t id : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63, UINT64_MAX}) entries[id] = {std::to_string(id), "text", {}};
  make("a", entries);
  const ClueSegment segment(path("a"), kRecipe);
  EXPECT_TRUE(contents(segment) == contents(entries));
  ClueSegmentWriter writer(path("b"), kRecipe, "{}", {});
  writer.add(7, "", "", {});
  EXPECT_EQ(error_of([&] { writer.add(7, "", "", {}); }), "usage: the id 7 after 7; ids must ascend");
}

TEST_F(ClueSegments, BytesDependOnTheEntriesOnly) {
  const Entries entries = random_entries(3, 6000, 0, 1);
  make("a", entries);
  make("b", entries, {.threads = 3, .memory = 1'000'000, .temp_dir = folder_});
  EXPECT_TRUE(read("a") == read("b"));
  EXPECT_THAT(listing(), ElementsAre("a", "b"));
}

TEST_F(ClueSegments, TextsAndNamesAreAnyBytes) {
  std::mt19937_64 random(4);
  Entries entries;
  for (uint64_t id = 0; id < 300; ++id) {
    for (std::string* bytes : {&entries[id].name, &entries[id].text}) {
      bytes->resize(random() % (id == 7 ? 300'000 : 300));
      for (char& c : *bytes) c = static_cast<char>(random());
    }
  }
  make("a", entries);
  const ClueSegment segment(path("a"), kRecipe);
  EXPECT_TRUE(contents(segment) == contents(entries));
}

// A merge gives the bytes of a segment that is built from what remains.
TEST_F(ClueSegments, MergesAreAsIfBuiltAtOnce) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 12; ++round) {
    // Ids of the parts follow one another or interleave.
    const bool interleave = round % 3 == 1;
    const Entries all = random_entries(random(), 200 + random() % 6000, random() % 1000, round % 2);
    const size_t count = 1 + random() % 4;
    std::vector<Entries> of_parts(count);
    size_t position = 0;
    for (const auto& [id, entry] : all) {
      of_parts[interleave ? random() % count : position * count / all.size()].emplace(id, entry);
      ++position;
    }
    Removals removals;
    Entries remaining;
    const uint64_t one_in = round % 4 == 0 ? 0 : round % 4 == 1 ? 2 : 300;
    for (const auto& [id, entry] : all) {
      if (one_in != 0 && random() % one_in == 0)
        removals.add(id, 5);
      else
        remaining.emplace(id, entry);
    }
    std::vector<std::unique_ptr<ClueSegment>> segments;
    std::vector<ClueMergePart> parts;
    for (size_t part = 0; part < count; ++part) {
      make("part" + std::to_string(part), of_parts[part]);
      segments.push_back(std::make_unique<ClueSegment>(path("part" + std::to_string(part)), kRecipe));
      parts.push_back({segments.back().get(), 2});
    }
    std::ranges::shuffle(parts, random);
    const WrittenSegment built = make("built", remaining);
    const WrittenSegment merged =
        merge("merged", parts, removals, {.threads = 1 + static_cast<uint32_t>(round % 2), .memory = 1'000'000, .temp_dir = folder_});
    EXPECT_EQ(merged.entries, remaining.size());
    EXPECT_EQ(merged.sum, built.sum);
    ASSERT_TRUE(read("merged") == read("built")) << round;
  }
}

// More texts than the numbers of a merge have memory, in segments that are moved whole, that lose texts, and that interleave.
TEST_F(ClueSegments, ManyAndLongSegmentsMerge) {
  constexpr uint64_t kTexts = 330'000;
  constexpr size_t kSegments = 60;
  const auto part_of = [](uint64_t id) -> size_t { return id < 300'000 ? 0 : 1 + (id < 320'000 ? id % 7 : (id - 320'000) / 200); };
  const auto is_removed = [](uint64_t id) { return id == 16'384 || id == 299'999 || (id > 325'000 && id % 1000 == 1); };
  const auto add = [](ClueSegmentWriter& writer, uint64_t id) {
    const Anchor anchors[] = {{id * id % 1000 << 20, 0, 0}, {id << 10, 0, 1}};
    writer.add(id, "", id % 100 == 0 ? std::to_string(id) : "", anchors);
  };
  {
    std::vector<std::unique_ptr<ClueSegmentWriter>> writers;
    for (size_t part = 0; part < kSegments; ++part) {
      writers.push_back(std::make_unique<ClueSegmentWriter>(path("part" + std::to_string(part)), kRecipe, "{}", StoreBuild{.threads = 1}));
    }
    ClueSegmentWriter built(path("built"), kRecipe, "{}", {.threads = 1});
    for (uint64_t id = 0; id < kTexts; ++id) {
      add(*writers[part_of(id)], id);
      if (!is_removed(id)) add(built, id);
    }
    for (auto& writer : writers) writer->commit();
    built.commit();
  }
  Removals removals;
  for (uint64_t id = 0; id < kTexts; ++id) {
    if (is_removed(id)) removals.add(id, 1);
  }
  std::vector<std::unique_ptr<ClueSegment>> segments;
  std::vector<ClueMergePart> parts;
  for (size_t part = 0; part < kSegments; ++part) {
    segments.push_back(std::make_unique<ClueSegment>(path("part" + std::to_string(part)), kRecipe));
    parts.push_back({segments.back().get(), 0});
  }
  for (const uint64_t memory : {0, 1}) {
    merge_clue_segments(path("merged"), kRecipe, "{}", parts, removals, {.threads = 1, .memory = memory, .temp_dir = folder_});
    EXPECT_TRUE(read("merged") == read("built")) << memory;
  }
}

TEST_F(ClueSegments, RemovalsConcernSegmentsBornBefore) {
  const Entries entries = random_entries(1, 50, 0, 0);
  make("a", entries);
  const ClueSegment segment(path("a"), kRecipe);
  Removals removals;
  removals.add(7, 3);
  EXPECT_EQ(merge("b", {{{&segment, 2}}}, removals).entries, 49u);
  EXPECT_EQ(merge("b", {{{&segment, 3}}}, removals).entries, 50u);
  EXPECT_TRUE(read("a") == read("b"));
  for (uint64_t id = 0; id < 50; ++id) removals.add(id, 9);
  EXPECT_EQ(merge("b", {{{&segment, 2}}}, removals).entries, 0u);
  EXPECT_EQ(ClueSegment(path("b"), kRecipe).texts(), 0u);
}

TEST_F(ClueSegments, AnIdInTwoSegmentsIsRefused) {
  make("a", random_entries(1, 50, 0, 0));
  make("b", random_entries(2, 50, 49, 0));
  const ClueSegment a(path("a"), kRecipe);
  const ClueSegment b(path("b"), kRecipe);
  EXPECT_THAT(error_of([&] {
                merge("c", {{{&a, 0}, {&b, 0}}}, {});
              }),
              AllOf(StartsWith("input: '" + path("b") + "': the id 49"), HasSubstr("49")));
  EXPECT_FALSE(exists("c"));
}

TEST_F(ClueSegments, NothingAppearsWithoutCommit) {
  {
    ClueSegmentWriter writer(path("a"), kRecipe, "{}", {});
    writer.add(1, "name", "text", {});
  }
  EXPECT_THAT(listing(), IsEmpty());
  EXPECT_THAT(error_of([] {
                ClueSegmentWriter writer("/dev/full", kRecipe, "{}", {});
                writer.add(1, "name", "text", {});
                writer.commit();
              }),
              StartsWith("output: cannot write '/dev/full'"));
}

TEST_F(ClueSegments, RefusalsSayWhy) {
  make("a", random_entries(1, 10, 0, 0));
  EXPECT_EQ(error_of([&] { ClueSegment(path("a"), 7); }),
            "input: '" + path("a") + "': of recipe 00000000000000ab, but the index is of 0000000000000007");
  SegmentWriter writer(path("b"), {.kind = "hamming", .recipe_id = kRecipe});
  writer.commit();
  EXPECT_EQ(error_of([&] { ClueSegment(path("b"), kRecipe); }), "input: '" + path("b") + "': its kind is 'hamming', expected 'clue'");
  SegmentWriter empty(path("c"), {.kind = "clue", .recipe_id = kRecipe});
  empty.commit();
  EXPECT_EQ(error_of([&] { ClueSegment(path("c"), kRecipe); }), "input: '" + path("c") + "': the trailer of the texts is damaged");
}

// Each byte of the payload changed, with hashes that are right again: an error that names the file, or some contents.
TEST_F(ClueSegments, ForgedFilesNameThemselves) {
  const Entries entries = random_entries(5, 60, 3, 2);
  make("a", entries);
  const auto good = SegmentFile::open(path("a"), "clue", 0);
  const std::string payload(good->payload());
  size_t errors = 0;
  for (size_t at = 0; at<payload.size(); at += at + 700> payload.size() ? 1 : 211) {
    std::string changed = payload;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    {
      SegmentWriter writer(path("b"), {.kind = "clue", .recipe_id = kRecipe, .recipe = "{}", .entries = entries.size()});
      writer.append(changed);
      writer.commit();
    }
    const std::string error = error_of([&] { contents(ClueSegment(path("b"), kRecipe)); });
    if (error.empty()) continue;
    ++errors;
    ASSERT_THAT(error, StartsWith("input: '" + path("b") + "'")) << at;
    // A merge of it ends, too.
    const std::string of_merge = error_of([&] {
      const ClueSegment segment(path("b"), kRecipe);
      merge("c", {{{&segment, 0}}}, {});
    });
    if (!of_merge.empty()) {
      ASSERT_THAT(of_merge, StartsWith("input: '" + path("b") + "'")) << at;
    }
  }
  EXPECT_GT(errors, 50u);
}

// The layout of docs/formats.md, read without our structures.
TEST_F(ClueSegments, LayoutIsThatOfTheDocument) {
  Entries entries;
  entries[5] = {"a", "one", {{1, 0, 0}, {2, 0, 0}}};
  entries[6] = {"b", "two", {}};
  entries[9] = {"c", "three", {{2, 0, 0}}};
  make("a", entries);
  const auto file = SegmentFile::open(path("a"), "clue", 0);
  EXPECT_EQ(file->names(), "");
  EXPECT_EQ(file->entries(), 3u);
  const std::string_view payload = file->payload();
  const auto number = [&](size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value |= uint64_t{static_cast<uint8_t>(payload[at + i])} << (8 * i);
    return value;
  };
  const size_t trailer = payload.size() - 56;
  EXPECT_EQ(number(trailer), 1u);
  EXPECT_EQ(number(trailer + 8), 3u);
  const uint64_t texts = number(trailer + 16);
  const uint64_t names = number(trailer + 24);
  EXPECT_EQ(number(texts - 24), 3u) << "records of the table of texts";
  EXPECT_EQ(number(texts + names - 24), 3u);
  EXPECT_EQ(number(trailer + 32), 5u);
  EXPECT_EQ(number(trailer + 40), 9u);
  const uint64_t ids = texts + names;
  EXPECT_EQ(number(ids), uint64_t{2} << 4) << "0, 0 and 2 skipped ids, of two bits";
  EXPECT_EQ(number(ids + 8), uint64_t{2} | uint64_t{1} << 16) << "2, 0 and 1 postings";
  const uint64_t image = number(trailer + 48);
  EXPECT_EQ(ids + 16 + (image + 7) / 8 * 8, trailer);
}

}  // namespace
}  // namespace neardup::testing
