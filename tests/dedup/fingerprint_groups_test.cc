// Runs over fingerprints: the ways of small and of large groups agree, with and without a reference corpus, which the oracle judges too.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "dedup/match/join_groups.h"
#include "dedup/match/solve_groups.h"
#include "neardup/dedup.h"
#include "neardup/io.h"
#include "support/candidate_run.h"
#include "support/corpus.h"
#include "support/fingerprint_oracle.h"
#include "support/recipe_file.h"
#include "support/sanitized.h"

namespace neardup {
namespace {

using testing::CandidateRun;
using testing::CorpusShape;
using testing::FingerprintOracle;
using testing::make_corpus;
using testing::RecipeFile;
using testing::simhash_words_json;
using testing::views;

const CorpusShape kGroupShapes[] = {
    {.originals = 5, .words = 80, .vocabulary = 900, .max_copies = 60, .edit_rate = 0.06, .boilerplate = 0},
    {.originals = 300, .words = 8, .vocabulary = 40, .max_copies = 2, .edit_rate = 0.1, .boilerplate = 60},  // several blocks, in chains
};

struct Case {
  std::string name;
  Options options;
};

class FingerprintGroups : public ::testing::Test {
 protected:
  FingerprintGroups() {
    for (const RecipeFile* recipe : {&tf_64_, &top_128_}) {
      for (const uint32_t max_distance : {0u, 3u, 8u, 64u}) {
        Options options;
        options.recipe = recipe->path();
        options.max_distance = max_distance;
        options.threads = 2;
        options.max_candidates = 0;
        options.threshold = Threshold::from_millionths(900'000);
        cases_.push_back({"distance " + std::to_string(max_distance), options});
        if (max_distance == 0 || max_distance == 64) continue;
        for (const Verify verify : {Verify::kJaccard, Verify::kCosine}) {
          options.verify = verify;
          cases_.push_back({"verified, distance " + std::to_string(max_distance), options});
        }
        options.verify = Verify::kTrue;
        options.also = "words-5";
        options.bands = 8;
        options.rows_per_band = 6;
        cases_.push_back({"also words-5, distance " + std::to_string(max_distance), options});
        std::swap(options.recipe, options.also);
        cases_.push_back({"words-5 and also fingerprints, distance " + std::to_string(max_distance), options});
      }
    }
  }

  const RecipeFile tf_64_{simhash_words_json(64, R"("weighting":{"kind":"tf_v1"},)")};
  const RecipeFile top_128_{simhash_words_json(128, R"("weighting":{"kind":"tf_v1","top_k":20},)")};
  std::vector<Case> cases_;
};

// The first texts as a source of their own: the reference corpus.
std::unique_ptr<DocumentSource> split_source(const std::vector<std::string_view>& texts, size_t references) {
  const std::span<const std::string_view> all(texts);
  if (references == 0) return make_text_source(all);
  return concatenate(make_text_source(all.first(references)), make_text_source(all.subspan(references)));
}

using PairSet = std::map<std::pair<uint32_t, uint32_t>, double>;

PairSet joined(const GroupInputs& inputs, size_t small_group) {
  std::vector<std::vector<std::pair<std::pair<uint32_t, uint32_t>, double>>> found(2);
  GroupStats stats;
  join_groups(
      inputs,
      [&](uint32_t worker, uint32_t a, uint32_t b, const Overlap& overlap) {
        found[worker].push_back({{std::min(a, b), std::max(a, b)}, overlap.jaccard()});
      },
      stats, small_group);
  PairSet pairs;
  for (const auto& each : found) {
    for (const auto& [pair, similarity] : each) EXPECT_TRUE(pairs.emplace(pair, similarity).second) << "a pair twice";
  }
  return pairs;
}

TEST_F(FingerprintGroups, SmallAndLargeSolversAgree) {
  size_t removed = 0;
  for (const Case& each : cases_) {
    for (const CorpusShape& shape : kGroupShapes) {
      for (const uint64_t seed : {1u, 2u}) {
        if (testing::kSanitized && seed > 1) continue;
        const auto texts = make_corpus(seed, shape);
        const auto text_views = views(texts);
        for (const size_t references : {size_t{0}, texts.size() / 3}) {
          SCOPED_TRACE(each.name + ", " + std::to_string(references) + " references, seed " + std::to_string(seed));
          const auto source = split_source(text_views, references);
          const CandidateRun run(each.options, *source, references == 0 ? 0 : 1);
          const GroupInputs inputs = run.inputs();
          GroupStats stats;
          for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
            const auto small = solve_groups(inputs, cluster, stats, 1'000'000);
            removed += small.size();
            for (const size_t limit : {0u, 8u}) {
              const auto large = solve_groups(inputs, cluster, stats, limit);
              ASSERT_EQ(small.size(), large.size());
              for (size_t i = 0; i < small.size(); ++i) {
                ASSERT_EQ(small[i].document, large[i].document);
                ASSERT_EQ(small[i].keeper, large[i].keeper);
                ASSERT_EQ(small[i].overlap.jaccard(), large[i].overlap.jaccard());
                ASSERT_EQ(small[i].connected, large[i].connected);
              }
            }
          }
          ASSERT_EQ(joined(inputs, 1'000'000), joined(inputs, 0));
        }
      }
    }
  }
  EXPECT_GT(removed, 10'000u);
}

// Verdicts as lines "K" or "K keeper similarity", the keeper counted over both corpora.
class VerdictRecorder : public Sink {
 public:
  explicit VerdictRecorder(size_t references) : references_(references) {}
  void format(const Record&, const Verdict& verdict, std::string& out) const override {
    out += line(verdict.decision == Decision::kKeep, verdict.keeper.row - 1 + (verdict.keeper.source == 0 ? 0 : references_),
                verdict.similarity);
  }
  void append(uint32_t, std::string_view bytes) override { recorded += bytes; }
  void commit() override {}
  void withdraw() noexcept override {}
  static std::string line(bool keep, size_t keeper, double similarity) {
    return keep ? "keep\n" : std::to_string(keeper) + " " + std::to_string(similarity) + "\n";
  }
  std::string recorded;

 private:
  size_t references_;
};

TEST_F(FingerprintGroups, AgainstAReferenceCorpusEqualsTheOracle) {
  for (const Case& each : cases_) {
    for (const CorpusShape& shape : kGroupShapes) {
      const auto texts = make_corpus(41, shape);
      const auto text_views = views(texts);
      const size_t references = texts.size() / 3;
      for (const bool backwards : {false, true}) {
        Options options = each.options;
        if (backwards) options.keep = "last";
        std::vector<size_t> order(texts.size());
        std::iota(order.begin(), order.end(), size_t{0});
        if (backwards) {
          std::reverse(order.begin(), order.begin() + static_cast<ptrdiff_t>(references));
          std::reverse(order.begin() + static_cast<ptrdiff_t>(references), order.end());
        }
        const auto expected = FingerprintOracle(text_views, options).scan(order, references);
        std::string wanted;
        for (size_t i = references; i < texts.size(); ++i)
          wanted += VerdictRecorder::line(expected[i].keep, expected[i].keeper, expected[i].similarity);
        const auto source = split_source(text_views, references);
        VerdictRecorder sink(references);
        DedupRun run;
        run.source = source.get();
        run.reference_sources = 1;
        run.sinks = {&sink};
        dedup(options, run);
        ASSERT_EQ(sink.recorded, wanted) << each.name << (backwards ? ", backwards" : "");
      }
    }
  }
}

}  // namespace
}  // namespace neardup
