#include "neardup/clue_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <random>
#include <set>
#include <thread>

#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "search/alignment.h"
#include "search/code_points.h"
#include "text/clue/clue_form.h"

namespace neardup {
namespace {

class ClueIndexTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo* const info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "clue_index_" + info->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

std::string sentence(std::mt19937_64& random, size_t words) {
  static constexpr std::string_view kWords[] = {"river", "Law", "shall", "of", "the", "people", "power", "权力", "人民", "house"};
  std::string text;
  for (size_t i = 0; i < words; ++i) text.append(kWords[random() % std::size(kWords)]).append(" ");
  return text;
}

std::vector<std::string> names_of(const ClueAnswer& answer) {
  std::vector<std::string> names;
  for (const ClueHit& hit : answer.hits) names.push_back(hit.name);
  return names;
}

void add_texts(ClueIndex& index, const std::vector<std::pair<std::string, std::string>>& texts) {
  ClueWriter writer(index);
  for (const auto& [name, text] : texts) writer.add(name, text);
  EXPECT_EQ(writer.size(), texts.size());
  writer.commit();
}

std::string problem_of(const std::function<void()>& call, ErrorCode code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST_F(ClueIndexTest, FindsAddsRemovesAndMerges) {
  ClueScratch scratch;
  const std::string clue = "the best of times, it was the worst";
  {
    ClueIndex index = ClueIndex::create(folder_, {});
    add_texts(index, {{"dickens", "It was the best of times, it was the worst of times, it was the age of wisdom."},
                      {"other", "Nothing of the kind is in this text, which is long enough."}});
    add_texts(index, {{"letter", "You said: \"IT WAS THE BEST OF TIMES -- it was the worst of times!\" I do not agree."}});
    EXPECT_EQ(names_of(index.search(clue, {}, scratch)), (std::vector<std::string>{"dickens", "letter"}));
  }
  ClueIndex reader = ClueIndex::open(folder_, ClueAccess::kRead);
  const ClueAnswer answer = reader.search(clue, {}, scratch);
  EXPECT_EQ(answer.certainty, ClueCertainty::kExact);
  ASSERT_EQ(answer.hits.size(), 2u);
  EXPECT_EQ(answer.hits[1].passage, "THE BEST OF TIMES -- it was the worst");
  EXPECT_EQ(answer.hits[1].begin, 18u);
  EXPECT_EQ(reader.text(answer.hits[1].id)->substr(18, 3), "THE");
  EXPECT_EQ(reader.name(1), "other");
  EXPECT_EQ(reader.text(77), std::nullopt);
  EXPECT_EQ(reader.stat().texts, 3u);
  EXPECT_EQ(reader.stat().segments.size(), 2u);
  EXPECT_GT(reader.stat().segments[0].anchor_bytes, 0u);
  {
    ClueIndex index = ClueIndex::open(folder_, ClueAccess::kWrite);
    index.remove(0);
    EXPECT_EQ(names_of(index.search(clue, {}, scratch)), (std::vector<std::string>{"letter"}));
    EXPECT_EQ(index.text(0), std::nullopt);
    index.flush();
  }
  EXPECT_EQ(reader.search(clue, {}, scratch).hits.size(), 2u);  // the state that it opened
  {
    ClueIndex index = ClueIndex::open(folder_, ClueAccess::kWrite);
    EXPECT_EQ(names_of(index.search(clue, {}, scratch)), (std::vector<std::string>{"letter"}));
    index.merge();
    EXPECT_EQ(index.stat().segments.size(), 1u);
    EXPECT_EQ(index.stat().texts, 2u);
    EXPECT_EQ(names_of(index.search(clue, {}, scratch)), (std::vector<std::string>{"letter"}));
    index.verify();
    std::vector<uint64_t> ids;
    const std::vector<std::string> wanted{"letter", "dickens"};
    index.find_names(wanted, [&](size_t, uint64_t id) { ids.push_back(id); });
    EXPECT_EQ(ids, (std::vector<uint64_t>{2}));
  }
}

// The same answers from many segments, after removals, and from one, and with pieces that threads prepared.
TEST_F(ClueIndexTest, AnswersAreEqualBeforeAndAfterAMerge) {
  std::mt19937_64 random(31);
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back(sentence(random, 1 + random() % 60));
  ClueIndex index = ClueIndex::create(folder_, {.min_run = 16});
  for (size_t begin = 0; begin < texts.size(); begin += 50) {
    ClueWriter writer(index);
    std::vector<std::string> pieces(50);
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&, thread] {
        ClueScratch scratch;
        for (size_t i = thread; i < 50; i += 3) writer.prepare(texts[begin + i], scratch, pieces[i]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < 50; ++i) writer.add_prepared("t" + std::to_string(begin + i), pieces[i]);
    writer.commit();
  }
  for (int i = 0; i < 20; ++i) index.remove(random() % 200);
  std::vector<std::string> clues;
  for (int i = 0; i < 30; ++i) clues.push_back(sentence(random, 4) + texts[random() % texts.size()].substr(0, 40));
  for (int i = 0; i < 30; ++i) clues.push_back(texts[random() % texts.size()].substr(0, 10 + random() % 40));
  ClueScratch scratch;
  const auto answers = [&] {
    std::vector<std::string> all;
    for (size_t i = 0; i < clues.size(); ++i) {
      ClueSearch options{.limit = 5};
      if (i % 3 == 1) options.edits = 0.2;
      if (i % 3 == 2) options = {.mode = ClueSearch::Mode::kResembles, .threshold = 0.3, .limit = 4};
      const ClueAnswer answer = index.search(clues[i], options, scratch);
      std::string line = std::to_string(answer.count) + (answer.more ? " more" : "");
      for (const ClueHit& hit : answer.hits) line += " " + hit.name + " " + std::to_string(hit.edits) + " " + hit.passage + hit.differences;
      all.push_back(line);
    }
    return all;
  };
  const std::vector<std::string> before = answers();
  index.merge(2);
  EXPECT_EQ(answers(), before);
  index.merge(1);
  EXPECT_EQ(index.stat().segments.size(), 1u);
  EXPECT_EQ(answers(), before);
  EXPECT_EQ(index.stat().removed_ids, 0u);
}

// What the texts of an index should answer, from their forms.
class Oracle {
 public:
  void add(const std::string& text) {
    std::string form;
    ClueForm::Scratch scratch;
    former_.form(text, form, scratch);
    forms_.push_back(form);
  }
  void remove(uint64_t id) { removed_.insert(id); }

  // The texts with a passage of at most so many edits, in the order of hits.
  [[nodiscard]] std::vector<uint64_t> matches(const std::string& form, uint32_t max_edits) const {
    std::vector<std::pair<uint32_t, uint64_t>> found;
    const Aligner aligner(points_of(form));
    Aligner::Scratch scratch;
    for (size_t id = 0; id < forms_.size(); ++id) {
      if (removed_.contains(id)) continue;
      const bool contains = forms_[id].find(form) != std::string::npos;
      const auto edits = contains ? 0 : max_edits == 0 ? std::nullopt : aligner.distance(points_of(forms_[id]), max_edits, scratch);
      if (edits) found.emplace_back(*edits, id);
    }
    std::ranges::sort(found);
    std::vector<uint64_t> ids;
    for (const auto& [edits, id] : found) ids.push_back(id);
    return ids;
  }

 private:
  static std::vector<char32_t> points_of(const std::string& form) {
    std::vector<char32_t> points;
    to_code_points(form, points);
    return points;
  }

  const ClueForm former_{false};
  std::vector<std::string> forms_;
  std::set<uint64_t> removed_;
};

std::vector<uint64_t> found_ids(const ClueAnswer& answer) {
  std::vector<uint64_t> ids;
  for (const ClueHit& hit : answer.hits) ids.push_back(hit.id);
  return ids;
}

// The answer to a question with limits, against `found`: the hits without them.
void expect_limited(const ClueAnswer& answer, const std::vector<uint64_t>& found, const ClueSearch& options) {
  if (answer.capped) {
    EXPECT_TRUE(answer.more);
    EXPECT_GT(answer.trace.candidates - answer.trace.settled, options.max_candidates);
    EXPECT_TRUE(std::ranges::all_of(found_ids(answer), [&](uint64_t id) { return std::ranges::find(found, id) != found.end(); }));
    return;
  }
  EXPECT_EQ(answer.more, found.size() > options.limit);
  const size_t expected = std::min<size_t>(found.size(), options.limit);
  EXPECT_EQ(found_ids(answer), std::vector<uint64_t>(found.begin(), found.begin() + static_cast<ptrdiff_t>(expected)));
}

// With several segments and removals, and after each merge. `more` is true exactly if the limit leaves out a text, or reading was capped.
TEST_F(ClueIndexTest, EqualsTheObviousScan) {
  std::mt19937_64 random(41);
  ClueIndex index = ClueIndex::create(folder_, {});
  Oracle oracle;
  std::vector<std::string> texts;
  for (int segment = 0; segment < 5; ++segment) {
    ClueWriter writer(index);
    for (int i = 0; i < 40; ++i) {
      const bool copy = i > 0 && random() % 3 == 0;
      texts.push_back(copy ? sentence(random, random() % 4) + texts[random() % texts.size()] : sentence(random, 1 + random() % 40));
      EXPECT_EQ(writer.add(std::to_string(texts.size() - 1), texts.back()), texts.size() - 1);
      oracle.add(texts.back());
    }
    writer.commit();
    // Also of segments that are older than the next one.
    for (int i = 0; i < 4; ++i) {
      const uint64_t id = random() % texts.size();
      index.remove(id);
      oracle.remove(id);
    }
  }
  ClueScratch scratch;
  size_t exact = 0;
  size_t capped = 0;
  size_t more = 0;
  for (const size_t segments : {5u, 2u, 1u}) {
    if (segments < 5) index.merge(segments);
    EXPECT_EQ(index.stat().segments.size(), segments);
    for (int trial = 0; trial < 24; ++trial) {
      const std::string& text = texts[random() % texts.size()];
      std::string clue = text.substr(random() % (text.size() / 2 + 1), 12 + random() % 60);
      ClueSearch options{.limit = 1000};
      if (trial % 2 == 1) {
        options.edits = trial % 4 == 1 ? 0.05 : 0.1;
        clue[clue.size() / 2] = 'q';
      }
      const ClueAnswer whole = index.search(clue, options, scratch);
      const std::vector<uint64_t> expected = oracle.matches(whole.form, whole.max_edits);
      const std::vector<uint64_t> found = found_ids(whole);
      EXPECT_FALSE(whole.more) << clue;
      EXPECT_FALSE(whole.capped) << clue;
      if (whole.certainty == ClueCertainty::kExact) {
        ++exact;
        EXPECT_EQ(found, expected) << clue;
      }
      EXPECT_TRUE(std::ranges::all_of(found, [&](uint64_t id) { return std::ranges::find(expected, id) != expected.end(); })) << clue;
      ClueSearch scanning = options;
      scanning.scan = true;
      EXPECT_EQ(found_ids(index.search(clue, scanning, scratch)), expected) << clue;
      ClueSearch counting = options;
      counting.count_only = true;
      const ClueAnswer counted = index.search(clue, counting, scratch);
      EXPECT_EQ(counted.count, found.size()) << clue;
      EXPECT_FALSE(counted.more);
      for (const uint64_t limit : {uint64_t{1}, std::max<uint64_t>(1, found.size()), uint64_t{found.size()} + 1}) {
        for (const uint64_t candidates : {uint64_t{1}, uint64_t{8}, uint64_t{4096}}) {
          ClueSearch limited = options;
          limited.limit = limit;
          limited.max_candidates = candidates;
          const ClueAnswer answer = index.search(clue, limited, scratch);
          SCOPED_TRACE(clue);
          expect_limited(answer, found, limited);
          capped += answer.capped ? 1 : 0;
          more += answer.more ? 1 : 0;
          EXPECT_FALSE(answer.capped && answer.certainty == ClueCertainty::kExact && answer.max_edits == 0);
        }
      }
    }
  }
  EXPECT_GT(exact, 20u);
  EXPECT_GT(capped, 10u);
  EXPECT_GT(more, 30u);
}

TEST_F(ClueIndexTest, SearchesWhileOthersAdd) {
  ClueIndex index = ClueIndex::create(folder_, {});
  add_texts(index, {{"first", "The people of the river shall have all the power of the law."}});
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      ClueScratch scratch;
      while (!done) {
        const ClueAnswer answer = index.search("people of the river shall have all", {.scan = false}, scratch);
        EXPECT_GE(answer.hits.size(), 1u);
        EXPECT_FALSE(answer.more);
      }
    });
  }
  for (int i = 0; i < 12; ++i) {
    add_texts(index, {{"more", "Again: the people of the river shall have all the power."}});
    if (i % 4 == 3) index.merge();
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  ClueScratch scratch;
  EXPECT_EQ(index.search("people of the river shall have all", {}, scratch).hits.size(), 13u);
}

TEST_F(ClueIndexTest, KeepsAnyBytes) {
  ClueIndex index = ClueIndex::create(folder_, {});
  const std::string bytes("\xff\0abc\xe4\xb8", 7);
  add_texts(index, {{"", bytes}, {std::string("\0\n", 2), ""}});
  EXPECT_EQ(index.text(0), bytes);
  EXPECT_EQ(index.text(1), "");
  EXPECT_EQ(index.name(0), "");
  EXPECT_EQ(index.name(1), std::string("\0\n", 2));
  ClueScratch scratch;
  const ClueAnswer answer = index.search("ABC", {.scan = true}, scratch);
  ASSERT_EQ(answer.hits.size(), 1u);
  EXPECT_EQ(answer.hits[0].begin, 2u);
  EXPECT_EQ(answer.hits[0].begin_character, 2u);
}

TEST_F(ClueIndexTest, AnEmptyIndexHasNoHits) {
  ClueIndex index = ClueIndex::create(folder_, {});
  index.flush();
  ClueScratch scratch;
  for (const bool scan : {false, true}) {
    const ClueAnswer answer = index.search("any clue of a length that is certain", {.scan = scan}, scratch);
    EXPECT_TRUE(answer.hits.empty());
    EXPECT_FALSE(answer.more);
  }
}

TEST_F(ClueIndexTest, RefusesOtherFolders) {
  EXPECT_NE(problem_of([&] { ClueIndex::open(folder_, ClueAccess::kRead); }, ErrorCode::kInput), "no error");
  EXPECT_EQ(problem_of([&] { ClueIndex::create(folder_, {.min_run = 7}); }, ErrorCode::kUsage), "min_run is 7; expected 8 to 256");
  HammingStore64::create(folder_, {}).flush();
  EXPECT_NE(problem_of([&] { ClueIndex::open(folder_, ClueAccess::kRead); }, ErrorCode::kUsage).find("a Hamming index"), std::string::npos);
}

TEST(ClueRecipe, HasOneCanonicalForm) {
  const ClueRecipe recipe;
  EXPECT_EQ(recipe.canonical_json(), R"({"anchors":{"gram":6,"kind":"open_closed_v1","window":18},"form":"clue_v1"})");
  EXPECT_EQ(recipe.min_run_wide(), 11u);
  for (const bool fold : {false, true}) {
    for (const uint32_t run : {8u, 9u, 23u, 256u}) {
      const ClueRecipe other{.fold_han = fold, .min_run = run};
      EXPECT_EQ(ClueRecipe::parse(other.canonical_json()), other);
      EXPECT_EQ(other.id() == recipe.id(), other == recipe);
    }
  }
  for (const std::string_view json : {"", "[]", "{}", R"({"anchors":{"window":0}})", R"({"anchors":{"window":250}})",
                                      R"({"anchors":{"gram":7,"kind":"open_closed_v1","window":18},"form":"clue_v1"})",
                                      R"({"anchors":{"gram":6,"kind":"open_closed_v1","window":18},"form":"clue_v2"})"}) {
    EXPECT_EQ(problem_of([&] { (void)ClueRecipe::parse(json); }, ErrorCode::kUsage).find("the recipe of the clue index: "), 0u) << json;
  }
}

}  // namespace
}  // namespace neardup
