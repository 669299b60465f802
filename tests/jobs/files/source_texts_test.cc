#include "neardup/tools/source_texts.h"

#include <string>
#include <vector>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

class TextsOfSources : public IoTest {
 protected:
  // Lines with blank ones between them, so that rows are not the numbers of records.
  static std::string lines(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      text += "{\"id\":\"doc" + std::to_string(i) + "\",\"text\":\"text number " + std::to_string(i) + "\"}\n";
      if (i % 3 == 0) text += "  \n\n";
      if (i % 7 == 0) text += "broken\n";
    }
    return text;
  }

  static SourceOptions small_batches() {
    SourceOptions options;
    options.batch_bytes = 300;
    return options;
  }

  // Every document, read alone and with others, is the one that a whole reading finds.
  void check(const std::string& input) {
    SCOPED_TRACE(input);
    const auto source = open_source({input}, small_batches());
    const std::vector<Seen> all = collect(*source);
    std::vector<TextPlace> places;
    std::vector<Seen> wanted;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].problem.empty() || i % 2 != 0) continue;
      places.push_back({.source = std::string(source->source_name(all[i].source)), .row = all[i].row});
      places.back().state = source->state_of(all[i].source);
      places.back().id = all[i].id;
      places.back().has_id = all[i].has_id;
      wanted.push_back(all[i]);
    }
    ASSERT_FALSE(places.empty());
    std::ranges::reverse(places);
    std::ranges::reverse(wanted);
    const SourceTexts texts({input}, small_batches());
    const auto read = [&](const std::vector<TextPlace>& some, size_t first) {
      std::vector<bool> seen(some.size());
      texts.read(some, [&](size_t place, const Record& record) {
        EXPECT_FALSE(seen[place]);
        seen[place] = true;
        EXPECT_EQ(record.text, wanted[first + place].text);
        EXPECT_EQ(record.id, wanted[first + place].id);
      });
      EXPECT_EQ(std::ranges::count(seen, true), static_cast<ptrdiff_t>(some.size()));
    };
    read(places, 0);
    for (size_t i = 0; i < places.size(); i += places.size() / 5 + 1) read({places[i]}, i);
    size_t twice = 0;
    texts.read(std::vector{places[0], places[0]}, [&](size_t, const Record& record) { twice += record.text == wanted[0].text; });
    EXPECT_EQ(twice, 2u);
  }
};

TEST_F(TextsOfSources, AreThoseOfTheRun) {
  const std::string text = lines(200);
  check(write("plain.jsonl", text));
  check(write("packed.jsonl.gz", gzip_bytes(text)));
  check(write("array.json", "[{\"id\":1,\"text\":\"one\"},\n{\"id\":2,\"text\":\"two\"},{\"id\":3,\"text\":\"three\"}]"));
  write("texts/a.txt", "the first");
  write("texts/b.txt", "the second");
  write("texts/c.txt", "the third");
  check(path("texts"));
}

TEST_F(TextsOfSources, AreReadAtTheirOffsets) {
  const std::string text = lines(50) + "{\"id\":\"last\",\"text\":\"no newline\"}";
  const std::string file = write("plain.jsonl", text);
  const auto source = open_source({file}, {});
  std::vector<TextPlace> places;
  std::vector<std::string> expected;
  while (const auto batch = source->next()) {
    batch->read(Batch::Need::kParsed, {}, [&](uint32_t, const Record& record) {
      if (!record.problem.empty()) return;
      places.push_back({.source = file, .row = record.where.row, .offset = record.offset, .id = std::string(record.id), .has_id = true});
      expected.emplace_back(record.text);
    });
  }
  ASSERT_TRUE(places.front().offset.has_value());
  std::vector<std::string> found(places.size());
  SourceTexts({}, {}).read(places, [&](size_t place, const Record& record) { found[place] = record.text; });
  EXPECT_EQ(found, expected);
}

TEST_F(TextsOfSources, NoticeChanges) {
  const std::string file = write("plain.jsonl", lines(20));
  const std::string state = open_source({file}, {})->state_of(0);
  const auto refusal = [&](const TextPlace& place) {
    return error_of([&] { SourceTexts({}, {}).read(std::vector{place}, [](size_t, const Record&) {}); });
  };
  const TextPlace first{.source = file, .row = 1, .offset = 0, .id = "doc0", .has_id = true, .state = state};
  EXPECT_EQ(refusal(first), "");
  TextPlace other = first;
  other.id = "doc1";
  EXPECT_THAT(refusal(other), HasSubstr("its id was 'doc1' and is 'doc0' now"));
  other = first;
  other.state = "3 bytes";
  EXPECT_THAT(refusal(other), HasSubstr("changed since the run: it had 3 bytes and now has "));
  other = first;
  other.offset = 1'000'000;
  EXPECT_THAT(refusal(other), HasSubstr("its line is empty"));
  other.offset.reset();
  other.row = 2;
  EXPECT_THAT(refusal(other), HasSubstr("is not there any more")) << "a blank line";
  other.row = 4;
  EXPECT_THAT(refusal(other), HasSubstr("cannot be read any more"));
  other.row = 9999;
  EXPECT_THAT(refusal(other), HasSubstr("is not there any more"));
  other.source = path("nowhere.jsonl");
  EXPECT_NE(refusal(other), "");
  other.source = "-";
  EXPECT_THAT(refusal(other), HasSubstr("standard input"));
}

TEST_F(TextsOfSources, MayHaveLongLines) {
  const std::string text = std::string(3'000'000, 'y');
  const std::string file = write("long.jsonl", "{\"text\":\"" + text + "\"}\n{\"text\":\"z\"}\n");
  std::string found;
  const std::vector<TextPlace> places{{.source = file, .row = 1, .offset = 0}};
  SourceTexts({}, {}).read(places, [&](size_t, const Record& record) { found = record.text; });
  EXPECT_EQ(found, text);
}

}  // namespace
}  // namespace neardup::testing
