// Protected documents and short texts against the naive oracle, in every search.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "neardup/dedup.h"
#include "support/candidate_run.h"
#include "support/corpus.h"
#include "support/group_solvers.h"
#include "support/oracle.h"

namespace neardup {
namespace {

using testing::CandidateRun;
using testing::CorpusShape;
using testing::expect_equal_solvers;
using testing::make_corpus;
using testing::Oracle;
using testing::views;

const CorpusShape kProtectedShapes[] = {
    {},
    {.originals = 5, .words = 80, .vocabulary = 900, .max_copies = 60, .edit_rate = 0.06, .boilerplate = 0},  // large groups
    {.originals = 40, .words = 30, .vocabulary = 900, .max_copies = 3, .edit_rate = 0.1, .boilerplate = 90},  // everything shares
                                                                                                              // boilerplate
};

std::set<size_t> choose(size_t count, uint64_t seed, uint64_t one_in) {
  std::mt19937_64 random(seed);
  std::set<size_t> chosen;
  for (size_t i = 0; i < count; ++i) {
    if (random() % one_in == 0) chosen.insert(i);
  }
  return chosen;
}

class ProtectedBatch final : public Batch {
 public:
  ProtectedBatch(std::unique_ptr<Batch> inner, size_t first, const std::set<size_t>& chosen)
      : inner_(std::move(inner)), first_(first), chosen_(chosen) {}
  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    return inner_->read(need, wanted, [&](uint32_t i, Record record) {
      record.is_protected = chosen_.contains(first_ + i);
      visit(i, record);
    });
  }
  [[nodiscard]] uint32_t source() const noexcept override { return inner_->source(); }
  [[nodiscard]] uint64_t rows() const noexcept override { return inner_->rows(); }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return inner_->input_bytes(); }

 private:
  std::unique_ptr<Batch> inner_;
  size_t first_;
  const std::set<size_t>& chosen_;
};

// Texts in memory, some of them protected.
class ProtectedSource final : public DocumentSource {
 public:
  ProtectedSource(std::span<const std::string_view> texts, std::set<size_t> chosen)
      : inner_(make_text_source(texts)), chosen_(std::move(chosen)) {}
  std::unique_ptr<Batch> next() override {
    auto batch = inner_->next();
    if (!batch) return nullptr;
    const size_t first = std::exchange(first_, first_ + batch->rows());
    return std::make_unique<ProtectedBatch>(std::move(batch), first, chosen_);
  }
  void rewind() override {
    inner_->rewind();
    first_ = 0;
  }
  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t source) const override { return inner_->source_name(source); }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return inner_->input_bytes(); }

 private:
  std::unique_ptr<DocumentSource> inner_;
  const std::set<size_t> chosen_;
  size_t first_ = 0;
};

class KeptVerdicts final : public Sink {
 public:
  std::vector<std::pair<Verdict, size_t>> verdicts;  // with the index of the keeper
  void format(const Record& record, const Verdict& verdict, std::string&) const override {
    auto& all = const_cast<KeptVerdicts*>(this)->verdicts;  // one thread
    all.resize(std::max<size_t>(all.size(), record.where.row));
    all[record.where.row - 1] = {verdict, verdict.decision == Decision::kRemove ? verdict.keeper.row - 1 : 0};
  }
  void append(uint32_t, std::string_view) override {}
  void commit() override {}
  void withdraw() noexcept override {}
};

// Protected documents first, then the others, each in input order.
std::vector<size_t> protected_order(size_t count, const std::set<size_t>& chosen) {
  std::vector<size_t> order(chosen.begin(), chosen.end());
  for (size_t i = 0; i < count; ++i) {
    if (!chosen.contains(i)) order.push_back(i);
  }
  return order;
}

TEST(Protected, ExactSearchEqualsTheOracle) {
  for (const CorpusShape& shape : kProtectedShapes) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      const auto texts = make_corpus(seed, shape);
      const auto chosen = choose(texts.size(), seed, seed % 3 == 0 ? 1 : 2 + 3 * (seed % 3));
      const auto source_views = views(texts);
      ProtectedSource source(source_views, chosen);
      Options options;
      options.search = Search::kExact;
      options.threshold = 0.7;
      options.threads = 1;
      KeptVerdicts sink;
      DedupRun run;
      run.source = &source;
      run.sinks = {&sink};
      const Summary summary = dedup(options, run);
      const Oracle oracle(source_views, Recipe::load("words-5"), options.threshold);
      const auto expected = oracle.scan(protected_order(texts.size(), chosen), {}, chosen);
      uint64_t spared = 0;
      for (size_t i = 0; i < texts.size(); ++i) {
        const auto& [verdict, keeper] = sink.verdicts[i];
        ASSERT_EQ(expected[i].keep, verdict.decision == Decision::kKeep) << i;
        const bool matches = expected[i].similarity > 0;
        ASSERT_EQ(expected[i].keep && matches, verdict.reason == Reason::kProtected) << i;
        spared += expected[i].keep && matches;
        if (expected[i].keep) continue;
        ASSERT_EQ(expected[i].keeper, keeper) << i;
        ASSERT_EQ(expected[i].similarity, verdict.similarity) << i;
      }
      EXPECT_EQ(summary.protected_documents, chosen.size());
      EXPECT_EQ(summary.spared, spared);
      EXPECT_EQ(summary.read, summary.kept + summary.removed + summary.rejected);
    }
  }
}

TEST(Protected, SmallAndLargeGroupSolversAgree) {
  for (const CorpusShape& shape : kProtectedShapes) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      const auto texts = make_corpus(seed, shape);
      const auto source_views = views(texts);
      ProtectedSource source(source_views, choose(texts.size(), seed, 4));
      for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
        Options options;
        options.threshold = 0.7;
        options.threads = 2;
        const CandidateRun run(options, source);
        expect_equal_solvers(run, cluster);
      }
    }
  }
}

TEST(MinLength, ShortTextsMatchTheirCopiesOnly) {
  uint64_t short_texts = 0;
  for (const CorpusShape& shape : kProtectedShapes) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      const auto texts = make_corpus(seed, shape);
      Options options;
      options.search = Search::kExact;
      options.threshold = 0.6;
      options.min_length = 100 + 40 * seed;
      Summary summary;
      const auto verdicts = dedup_texts(views(texts), options, &summary);
      const Oracle oracle(views(texts), Recipe::load("words-5"), options.threshold, options.min_length);
      std::vector<size_t> order(texts.size());
      std::iota(order.begin(), order.end(), size_t{0});
      const auto expected = oracle.scan(order);
      for (size_t i = 0; i < texts.size(); ++i) {
        ASSERT_EQ(expected[i].keep, verdicts[i].decision == Decision::kKeep) << i;
        if (expected[i].keep) continue;
        ASSERT_EQ(expected[i].keeper, verdicts[i].keeper) << i;
        ASSERT_EQ(expected[i].similarity, verdicts[i].similarity) << i;
      }
      short_texts += summary.short_texts;
    }
  }
  EXPECT_GT(short_texts, 100u);
}

}  // namespace
}  // namespace neardup
