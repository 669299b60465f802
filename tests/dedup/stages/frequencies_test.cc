// The table of document frequencies in stages against that of one machine, to the byte, and runs with the recipe that names it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <set>

#include "base/limits.h"
#include "dedup/fit/corpus_frequencies.h"
#include "dedup/stages/blob_format.h"
#include "neardup/error.h"
#include "neardup/texts.h"
#include "neardup/tools/frequency_stages.h"
#include "support/corpus.h"
#include "support/recipe_file.h"
#include "support/staged_run.h"

namespace neardup {
namespace {

using testing::make_corpus;
using testing::RecipeFile;
using testing::StagedRun;
using testing::views;

const testing::CorpusShape kCountedCorpus{
    .originals = 200, .words = 60, .vocabulary = 40'000, .max_copies = 4, .edit_rate = 0.05, .boilerplate = 6};

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string table_path(const char* name) {
  return ::testing::TempDir() + "frequencies_test_" + name + ".idf";
}

Options corpus_options(const std::string& recipe) {
  Options options;
  options.recipe = recipe;
  options.max_distance = 7;
  options.max_candidates = 0;
  return options;
}

struct CountShape {
  uint64_t seed = 1;
  uint32_t tasks = 3;
  uint32_t parts = 4;
  uint64_t memory = 256'000'000;
};

// The stages as several machines run them: texts in tasks of any order, blobs shuffled.
class CountedRun {
 public:
  CountedRun(const Options& options, CountShape shape) : stages(options), shape_(shape), random_(shape.seed) {}

  std::vector<Blob> count(const std::vector<std::string_view>& texts) {
    std::vector<std::unique_ptr<CountStage>> tasks;
    for (uint32_t i = 0; i < shape_.tasks; ++i) tasks.push_back(stages.count(shape_.parts, space()));
    tasks[0]->add(std::nullopt);
    std::vector<std::string_view> order = texts;
    std::ranges::shuffle(order, random_);
    for (const std::string_view text : order) tasks[random_() % tasks.size()]->add(text);
    std::vector<Blob> blobs;
    for (const auto& task : tasks) {
      while (auto blob = task->next()) blobs.push_back(std::move(*blob));
    }
    std::ranges::shuffle(blobs, random_);
    return blobs;
  }

  std::vector<Blob> sum(const std::vector<Blob>& counted) {
    std::vector<Blob> made;
    for (uint32_t part = 0; part < shape_.parts; ++part) {
      const auto stage = stages.sum(space());
      for (const Blob& blob : counted) {
        if (blob.kind == BlobKind::kFrequencies && blob.part == part) stage->add(blob.bytes);
      }
      while (auto blob = stage->next()) made.push_back(std::move(*blob));
    }
    std::ranges::shuffle(made, random_);
    return made;
  }

  uint64_t write(const std::vector<std::string_view>& texts, const std::string& path) {
    const std::vector<Blob> counted = count(texts);
    const auto table = stages.table(space());
    for (const Blob& blob : sum(counted)) table->add(blob.bytes);
    return table->finish(path, stages.counts(StagedRun::of_kind(counted, BlobKind::kCounts)).documents);
  }

  [[nodiscard]] StageSpace space() const { return {.memory = shape_.memory, .temp_dir = {}}; }

  const FrequencyStages stages;

 private:
  const CountShape shape_;
  std::mt19937_64 random_;
};

std::string refusal_by(const std::function<void()>& act, ErrorCode code = ErrorCode::kInput) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "none";
}

TEST(FrequencyStages, WriteTheTableOfOneMachine) {
  const auto texts = make_corpus(1, kCountedCorpus);
  const RecipeFile chars(testing::simhash_words_json(128, R"("weighting":{"kind":"tf_idf_v1","idf":"corpus","top_k":20},)"));
  for (const std::string& recipe : {std::string("simhash-words"), chars.path()}) {
    const std::string expected = table_path("expected");
    const std::string path = table_path("found");
    const auto text_views = views(texts);
    const auto source = make_text_source(text_views);
    const FittedRecipe fitted = fit_recipe(Recipe::load(recipe), *source, 2, limits::kMinMemory, "", {}, expected);
    for (const CountShape& shape : {CountShape{.seed = 1, .tasks = 1, .parts = 1}, CountShape{.seed = 2, .tasks = 3, .parts = 7},
                                    CountShape{.seed = 3, .tasks = 6, .parts = 200, .memory = kMinStageMemory}}) {
      CountedRun run(corpus_options(recipe), shape);
      EXPECT_EQ(run.write(text_views, path), fitted.table->id());
      EXPECT_EQ(file_bytes(path), file_bytes(expected)) << shape.parts << " parts";
      Options options = corpus_options(run.stages.fitted_recipe(path));
      EXPECT_EQ(Stages(options).facts().recipe_id, fitted.recipe.id());
    }
    std::remove(expected.c_str());
    std::remove(path.c_str());
  }
}

TEST(FrequencyStages, PartsAreRangesOfHashesThatAscendInATask) {
  const auto texts = make_corpus(2, kCountedCorpus);
  CountedRun run(corpus_options("simhash-words"), {.tasks = 1, .parts = 5});
  const StageSettings settings = StageSettings::to_count(corpus_options("simhash-words"));
  const auto stage = run.stages.count(5, run.space());
  for (const std::string& text : texts) stage->add(text);
  uint64_t last = 0;
  uint32_t part = 0;
  std::set<uint32_t> parts;
  while (const auto blob = stage->next()) {
    if (blob->kind == BlobKind::kCounts) continue;
    EXPECT_GE(blob->part, part);
    part = blob->part;
    parts.insert(part);
    const BlobView view = open_blob(settings, blob->bytes, BlobKind::kFrequencies);
    for (uint32_t i = 0; i < view.records; ++i) {
      uint64_t hash = 0;
      std::memcpy(&hash, view.record(i), sizeof hash);
      EXPECT_GT(hash, last);
      last = hash;
    }
  }
  EXPECT_EQ(parts.size(), 5u);
}

TEST(FrequencyStages, TheirRecipeGivesTheVerdictsOfOneMachine) {
  const auto texts = make_corpus(3, {.originals = 60, .words = 50, .vocabulary = 700, .max_copies = 5, .edit_rate = 0.04});
  Options options = corpus_options("simhash-words");
  for (const char* const clean : {"", "tags"}) {
    options.clean = clean;
    Summary summary;
    const auto expected = dedup_texts(views(texts), options, &summary);
    EXPECT_GT(summary.near_duplicates, 20u);
    const std::string path = table_path("run");
    CountedRun counted(options, {});
    counted.write(views(texts), path);
    Options fitted = options;
    fitted.recipe = counted.stages.fitted_recipe(path);
    StagedRun run(fitted, {.parts = 3});
    EXPECT_EQ(run.stages.facts().recipe_id, summary.recipe_id);
    const auto found = run.run(views(texts));
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].reason, expected[i].reason) << "text " << i;
      ASSERT_EQ(found[i].keeper, expected[i].keeper) << "text " << i;
      ASSERT_EQ(found[i].similarity, expected[i].similarity) << "text " << i;
    }
    std::remove(path.c_str());
  }
}

TEST(FrequencyStages, CountDocumentsButNotRejectedOnes) {
  const FrequencyStages stages(corpus_options("simhash-words"));
  const auto stage = stages.count(2, {});
  stage->add("a rose is a rose");
  stage->add(std::nullopt);
  stage->add("");
  stage->add(std::string(limits::kMaxTextBytes + 1, ' '));
  std::vector<Blob> blobs;
  while (auto blob = stage->next()) blobs.push_back(std::move(*blob));
  const StageCounts counts = stages.counts(StagedRun::of_kind(blobs, BlobKind::kCounts));
  EXPECT_EQ(counts.documents, 2u);
  EXPECT_EQ(counts.text_bytes, 16u);
}

TEST(FrequencyStages, OfNoDocumentsWriteAnEmptyTable) {
  const std::string path = table_path("empty");
  CountedRun run(corpus_options("simhash-words"), {.parts = 2});
  run.write({}, path);
  EXPECT_EQ(DocumentFrequencyTable::open(path).size(), 0u);
  std::remove(path.c_str());
}

TEST(FrequencyStages, AreForRecipesThatNeedThem) {
  EXPECT_TRUE(FrequencyStages::needed(corpus_options("simhash-words")));
  EXPECT_FALSE(FrequencyStages::needed(corpus_options("simhash-words-3")));
  EXPECT_EQ(refusal_by([] { const FrequencyStages stages(corpus_options("simhash-words-3")); }, ErrorCode::kUsage),
            "recipe: 'simhash-words-3' does not weigh by the IDF of the corpus: it needs no table");
  Options options = corpus_options("simhash-words");
  options.max_distance = 16;
  EXPECT_NE(refusal_by([&] { const FrequencyStages stages(options); }, ErrorCode::kUsage).find("max_distance: 16"), std::string::npos)
      << "wrong options are known before a run counts";
}

TEST(FrequencyStages, RefuseWhatIsNotABlobOfTheRun) {
  const auto texts = make_corpus(4, {.originals = 30});
  CountedRun run(corpus_options("simhash-words"), {.tasks = 2, .parts = 1});
  const auto counted = run.count(views(texts));
  const auto summed = run.sum(counted);
  const std::string path = table_path("refused");
  const auto finish = [&](const std::vector<std::string>& blobs, uint64_t documents) {
    const auto table = run.stages.table({});
    for (const std::string& blob : blobs) table->add(blob);
    table->finish(path, documents);
  };
  const std::string good = summed.front().bytes;
  const std::string counts(StagedRun::of_kind(counted, BlobKind::kCounts).front());
  for (size_t byte = 0; byte < good.size(); byte += 1 + good.size() / 97) {
    std::string damaged = good;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 4);
    EXPECT_NE(refusal_by([&] { run.stages.sum({})->add(damaged); }), "none") << "byte " << byte;
    EXPECT_NE(refusal_by([&] { finish({damaged}, texts.size()); }), "none") << "byte " << byte;
  }
  EXPECT_EQ(refusal_by([&] { finish({counts}, texts.size()); }), "a blob of counts does not belong to this stage");
  EXPECT_NE(refusal_by([&] { finish({good, good}, texts.size()); }).find("blobs of frequencies do not ascend"), std::string::npos);
  EXPECT_NE(refusal_by([&] { finish({good}, limits::kMaxDocuments + 1); }, ErrorCode::kResource).find("holds at most 4294967294"),
            std::string::npos);
  const FrequencyStages others(corpus_options(testing::simhash_words_json(64, R"("weighting":{"kind":"tf_idf_v1","idf":"corpus"},)")));
  EXPECT_NE(refusal_by([&] { others.sum({})->add(good); }).find("was made by recipe"), std::string::npos);
  EXPECT_FALSE(std::ifstream(path).good()) << "nothing is left";
}

}  // namespace
}  // namespace neardup
