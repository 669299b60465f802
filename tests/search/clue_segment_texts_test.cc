// Indexes that refer to their texts: what ClueIndex reads in sources, and what it refuses. Questions themselves: answer_test.cc.
#include "neardup/clue_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "io/io_fixture.h"

namespace neardup::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kFox = "The quick brown fox jumps over the lazy dog.";
constexpr std::string_view kLaw = "中华人民共和国的一切权力属于人民，人民行使国家权力。";

// Sources in memory.
class FakeTexts final : public ReferredTexts {
 public:
  explicit FakeTexts(const std::map<std::string, std::string>& sources) : sources_(sources) {}
  void read(const TextReference& reference, std::string& text) override {
    const auto found = sources_.find(std::string(reference.source));
    if (found == sources_.end()) throw Error(ErrorCode::kInput, "no source " + std::string(reference.source));
    text = found->second.substr(reference.offset, reference.length);
  }

 private:
  const std::map<std::string, std::string>& sources_;
};

class ReferringIndexes : public IoTest {
 protected:
  [[nodiscard]] OpenReferredTexts fake() const {
    return [this] { return std::make_unique<FakeTexts>(sources_); };
  }
  [[nodiscard]] ClueIndex create() const {
    ClueRecipe recipe;
    recipe.refer = true;
    return ClueIndex::create(path("index"), recipe, fake());
  }
  void add(ClueIndex& index, const std::string& source, std::string_view text) {
    const uint64_t offset = sources_[source].size() + 2;
    sources_[source] += "..";
    sources_[source] += text;
    ClueWriter writer(index);
    std::string piece;
    writer.prepare(text, TextReference{.source = source, .offset = offset, .length = text.size()}, scratch_, piece);
    writer.add_prepared("name of " + source, piece);
    writer.commit();
  }
  std::vector<uint64_t> ask(const ClueIndex& index, std::string_view clue, bool scan = false) {
    std::vector<uint64_t> ids;
    for (const ClueHit& hit : index.search(clue, {.scan = scan, .threads = 2}, scratch_).hits) ids.push_back(hit.id);
    return ids;
  }

  std::map<std::string, std::string> sources_;
  ClueScratch scratch_;
};

TEST_F(ReferringIndexes, TextsAreReadInTheirSources) {
  ClueIndex index = create();
  add(index, "a", kFox);
  add(index, "b", kLaw);
  add(index, "a", kFox);
  EXPECT_THAT(ask(index, "QUICK brown fox jumps over"), ElementsAre(0, 2));
  EXPECT_THAT(ask(index, "人民行使国家权力", true), ElementsAre(1));
  EXPECT_EQ(index.text(1), kLaw);
  EXPECT_EQ(index.name(2), "name of a");
  index.verify(2);
  index.merge();
  EXPECT_EQ(index.stat().segments.size(), 1u);
  index.verify(1);
  const ClueIndex reader = ClueIndex::open(path("index"), ClueAccess::kRead, fake());
  EXPECT_TRUE(reader.recipe().refer);
  EXPECT_THAT(ask(reader, "QUICK brown fox jumps over"), ElementsAre(0, 2));
  EXPECT_EQ(reader.text(2), kFox);
}

TEST_F(ReferringIndexes, AMissingSourceIsAnErrorUntilItsTextsAreRemoved) {
  ClueIndex index = create();
  add(index, "a", kFox);
  add(index, "b", kFox);
  sources_.erase("a");
  EXPECT_EQ(error_of([&] { ask(index, "quick brown fox jumps over"); }), "input: no source a");
  EXPECT_EQ(error_of([&] { ask(index, "lazy", true); }), "input: no source a");
  EXPECT_EQ(error_of([&] { index.verify(2); }), "input: no source a");
  EXPECT_EQ(error_of([&] { static_cast<void>(index.text(0)); }), "input: no source a");
  EXPECT_THAT(ask(index, "no text has this one"), ElementsAre()) << "nothing is read";
  index.remove(0);
  EXPECT_THAT(ask(index, "quick brown fox jumps over"), ElementsAre(1));
  index.verify();
  index.merge();
  EXPECT_THAT(ask(index, "quick brown fox jumps over"), ElementsAre(1));
}

TEST_F(ReferringIndexes, UsageIsRefused) {
  ClueIndex index = create();
  add(index, "a", kFox);
  {
    ClueWriter writer(index);
    EXPECT_EQ(error_of([&] { writer.add("name", kFox); }), "usage: the index refers to texts; a text requires its place in a source");
  }
  {
    ClueWriter writer(index);
    std::string piece;
    const TextReference huge{.source = "a", .length = (uint64_t{256} << 20) + 1};
    EXPECT_EQ(error_of([&] { writer.prepare(kFox, huge, scratch_, piece); }),
              "usage: the index cannot refer to a text in 268435457 bytes; expected at most 268435456");
    EXPECT_EQ(piece, "");
  }
  const ClueIndex reader = ClueIndex::open(path("index"), ClueAccess::kRead);
  EXPECT_THAT(error_of([&] { ask(reader, "quick brown fox jumps over"); }), HasSubstr("usage: the index refers to texts in their sources"));
  EXPECT_THAT(error_of([&] { reader.verify(); }), HasSubstr("usage: the index refers to texts in their sources"));
  EXPECT_EQ(reader.name(0), "name of a");
  ClueIndex keeping = ClueIndex::create(path("keeping"), {});
  ClueWriter writer(keeping);
  std::string piece;
  EXPECT_EQ(error_of([&] { writer.prepare(kFox, TextReference{}, scratch_, piece); }),
            "usage: the index keeps texts; it cannot refer to one in a source");
}

TEST(ClueRecipes, SaysWhetherTextsAreKept) {
  ClueRecipe recipe;
  const std::string keep = recipe.canonical_json();
  EXPECT_EQ(keep.find("texts"), std::string::npos) << "as before there was a choice";
  recipe.refer = true;
  EXPECT_THAT(recipe.canonical_json(), HasSubstr(R"(,"form":"clue_v1","texts":"refer"})"));
  recipe.fold_han = true;
  EXPECT_EQ(ClueRecipe::parse(recipe.canonical_json()), recipe);
  EXPECT_EQ(ClueRecipe::parse(keep), ClueRecipe());
  std::string other = recipe.canonical_json();
  other.replace(other.find("refer"), 5, "other");
  EXPECT_THAT(error_of([&] { ClueRecipe::parse(other); }), HasSubstr("this build makes"));
}

}  // namespace
}  // namespace neardup::testing
