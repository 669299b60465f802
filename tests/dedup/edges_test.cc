// Edges of the two jobs: sources that change, values out of bounds, groups without verification.
#include <gtest/gtest.h>

#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/sketcher.h"
#include "neardup/texts.h"
#include "support/corpus.h"

namespace neardup {
namespace {

using testing::make_corpus;
using testing::views;

// Gives its texts, but after the first reading another number of batches.
class ChangingSource : public DocumentSource {
 public:
  ChangingSource(const std::vector<std::string_view>& texts, size_t later)
      : all_(make_text_source(texts)), few_(make_text_source(std::span(texts).first(later))) {}
  std::unique_ptr<Batch> next() override { return (readings_ > 1 ? few_ : all_)->next(); }
  void rewind() override {
    ++readings_;
    all_->rewind();
    few_->rewind();
  }
  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return "changing"; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return 0; }

 private:
  std::unique_ptr<DocumentSource> all_;
  std::unique_ptr<DocumentSource> few_;
  int readings_ = 0;
};

class CountingSink : public Sink {
 public:
  void format(const Record&, const Verdict&, std::string& out) const override { out += 'x'; }
  void append(uint32_t, std::string_view bytes) override { written += bytes.size(); }
  void commit() override { committed = true; }
  void withdraw() noexcept override {}
  uint64_t written = 0;
  bool committed = false;
};

TEST(Edges, AnInputThatShrinksCommitsNothing) {
  const auto texts = make_corpus(1, {.originals = 900, .words = 20, .vocabulary = 5000, .max_copies = 1, .edit_rate = 0, .boilerplate = 0});
  ASSERT_GT(texts.size(), 1024u);        // several batches
  const auto text_views = views(texts);  // a source does not own what it gives
  ChangingSource source(text_views, 512);
  CountingSink sink;
  DedupRun run;
  run.source = &source;
  run.sinks = {&sink};
  EXPECT_THROW(dedup({}, run), Error);
  EXPECT_FALSE(sink.committed);
}

TEST(Edges, ValuesOutOfBoundsAreRefused) {
  Options options;
  options.threshold = Threshold::from_millionths(0);
  EXPECT_THROW(dedup_texts({}, options), Error);
  Recipe recipe = Recipe::load("words-5");
  recipe.lanes = 20'000;
  EXPECT_THROW(Sketcher{recipe}, Error);
  recipe = Recipe::load("words-5");
  recipe.shingle_size = 0;
  EXPECT_THROW(Sketcher{recipe}, Error);
  EXPECT_THROW(Recipe::load(::testing::TempDir()), Error);
}

TEST(Edges, AnEmptyCorpusIsDone) {
  Summary summary;
  EXPECT_TRUE(dedup_texts({}, {}, &summary).empty());
  EXPECT_EQ(summary.read, 0u);
  EXPECT_TRUE(pair_texts({}, {}).empty());
}

// A chain: each text shares most with the next and nothing with the one far away.
TEST(Edges, ConnectedWithoutASharedBandIsReported) {
  std::vector<std::string> texts;
  for (int first = 0; first < 400; first += 10) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "w" + std::to_string(first + i) + " ";
    texts.push_back(text);
  }
  Options options;
  options.verify = Verify::kFalse;
  options.cluster = Cluster::kComponents;
  options.bands = 64;
  options.rows_per_band = 2;
  Summary summary;
  const auto verdicts = dedup_texts(views(texts), options, &summary);
  EXPECT_GT(summary.connected, 0u);
  for (const TextVerdict& verdict : verdicts) {
    if (verdict.decision == Decision::kRemove) {
      EXPECT_EQ(verdict.similarity == 0, verdict.reason == Reason::kConnected);
    }
  }
}

}  // namespace
}  // namespace neardup
