// The join by containment against the oracle: the scan rule in every rank order, pairs, slices of any size, any number of threads.
#include "dedup/match/containment/containment_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "neardup/texts.h"
#include "support/candidate_run.h"
#include "support/corpus.h"

namespace neardup {
namespace {

using testing::CandidateRun;
using testing::make_corpus;
using testing::views;

// The corpus, and parts of its texts.
std::vector<std::string> with_parts(uint64_t seed, size_t originals, size_t boilerplate = 0) {
  std::vector<std::string> texts = make_corpus(
      seed, {.originals = originals, .words = 90, .vocabulary = 400, .max_copies = 2, .edit_rate = 0.02, .boilerplate = boilerplate});
  std::mt19937_64 random(seed + 100);
  const size_t whole = texts.size();
  for (size_t i = 0; i < whole; ++i) {
    if (random() % 3 == 0 || texts[i].size() < 20) continue;
    const size_t begin = texts[i].find(' ', random() % (texts[i].size() / 2));
    if (begin == std::string::npos) continue;
    texts.push_back(texts[i].substr(begin, random() % texts[i].size()));
  }
  std::shuffle(texts.begin(), texts.end(), random);
  return texts;
}

// The slow twin: sets of features, one thread, the scan rule as the sentence says it.
class ContainmentTwin {
 public:
  ContainmentTwin(const std::vector<std::string>& texts, const Options& options) : options_(options) {
    const Sketcher sketcher(Recipe::load(options.recipe));
    Sketcher::Scratch scratch;
    for (const std::string& text : texts) {
      normalized_.emplace_back(sketcher.normalize(text, scratch));
      const auto features = sketcher.features(text, scratch);
      sets_.emplace_back(features.begin(), features.end());
    }
  }

  [[nodiscard]] std::optional<double> contained(size_t a, size_t b) const {
    if (normalized_[a] == normalized_[b]) return 1.0;
    const uint64_t size = sets_[a].size();
    if (size < options_.min_contained || sets_[b].empty()) return std::nullopt;
    const auto common = static_cast<uint64_t>(std::ranges::count_if(sets_[a], [&](uint64_t f) { return sets_[b].contains(f); }));
    if (common * 1'000'000 < size * options_.threshold.millionths()) return std::nullopt;
    const uint64_t floor = options_.min_jaccard ? options_.min_jaccard->millionths() : 0;
    if (common * 1'000'000 < (size + sets_[b].size() - common) * floor) return std::nullopt;
    return static_cast<double>(common) / static_cast<double>(size);
  }

  [[nodiscard]] std::vector<size_t> largest_first() const {
    std::vector<size_t> order(sets_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](size_t i) { return sets_[i].size(); });
    return order;
  }

  void expect_scan(const std::vector<size_t>& order, const std::vector<TextVerdict>& verdicts) const {
    std::vector<size_t> kept;
    for (const size_t d : order) {
      const auto keeper = std::ranges::find_if(kept, [&](size_t k) { return contained(d, k).has_value(); });
      ASSERT_EQ(verdicts[d].decision == Decision::kKeep, keeper == kept.end()) << d;
      if (keeper == kept.end()) {
        kept.push_back(d);
        continue;
      }
      ASSERT_EQ(verdicts[d].keeper, *keeper) << d;
      ASSERT_EQ(verdicts[d].similarity, *contained(d, *keeper)) << d;
      ASSERT_EQ(verdicts[d].reason, normalized_[d] == normalized_[*keeper] ? Reason::kExactCopy : Reason::kContained) << d;
    }
  }

 private:
  const Options options_;
  std::vector<std::string> normalized_;
  std::vector<std::set<uint64_t>> sets_;
};

Options containment(uint32_t millionths, uint32_t least = 5, uint32_t floor = 0) {
  Options options;
  options.measure = Measure::kContainment;
  options.search = Search::kExact;
  options.threshold = Threshold::from_millionths(millionths);
  options.min_contained = least;
  if (floor != 0) options.min_jaccard = Threshold::from_millionths(floor);
  options.threads = 2;
  return options;
}

TEST(ContainmentJoin, EqualsTheTwin) {
  size_t removed = 0;
  for (const char* recipe : {"words-5", "chars-5"}) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      Options options = containment(400'000 + 100'000 * static_cast<uint32_t>(seed), seed % 2 == 0 ? 1 : 10, seed % 3 == 0 ? 300'000 : 0);
      options.recipe = recipe;
      const auto texts = with_parts(seed, 60, seed % 2 == 0 ? 30 : 0);
      const ContainmentTwin twin(texts, options);
      Summary summary;
      twin.expect_scan(twin.largest_first(), dedup_texts(views(texts), options, &summary));
      EXPECT_EQ(summary.removed, summary.contained + summary.exact_copies);
      removed += summary.contained;
      std::vector<size_t> order(texts.size());
      std::iota(order.begin(), order.end(), size_t{0});
      options.keep = "first";
      twin.expect_scan(order, dedup_texts(views(texts), options));
      std::ranges::reverse(order);
      options.keep = "last";
      twin.expect_scan(order, dedup_texts(views(texts), options));
    }
  }
  EXPECT_GT(removed, 300u);
}

TEST(ContainmentJoin, PairsEqualTheTwin) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const Options options = containment(600'000 + 100'000 * static_cast<uint32_t>(seed), 8, seed == 2 ? 200'000 : 0);
    const auto texts = with_parts(seed + 10, 40);
    const ContainmentTwin twin(texts, options);
    const std::vector<TextPair> pairs = pair_texts(views(texts), options);
    size_t next = 0;
    for (size_t a = 0; a < texts.size(); ++a) {
      for (size_t b = 0; b < texts.size(); ++b) {
        const auto share = a == b ? std::nullopt : twin.contained(a, b);
        if (!share) continue;
        ASSERT_LT(next, pairs.size());
        EXPECT_EQ(std::tuple(pairs[next].a, pairs[next].b, pairs[next].similarity), std::tuple(a, b, *share));
        ++next;
      }
    }
    EXPECT_EQ(next, pairs.size());
    EXPECT_GT(next, 30u);
  }
}

bool equal(const std::vector<Removal>& a, const std::vector<Removal>& b) {
  return std::ranges::equal(a, b, [](const Removal& x, const Removal& y) {
    return x.document == y.document && x.keeper == y.keeper && x.overlap.common == y.overlap.common &&
           x.overlap.size_a == y.overlap.size_a && x.overlap.size_b == y.overlap.size_b;
  });
}

// Texts of about 90 features and fewer: nothing of them can be missed.
TEST(ContainmentJoin, BySamplesMissesNothingOfShortTexts) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    Options options = containment(800'000, seed % 2 == 0 ? 1 : 20);
    const auto texts = with_parts(seed + 30, 60);
    const ContainmentTwin twin(texts, options);
    const auto all = pair_texts(views(texts), options);
    options.search = Search::kLsh;
    Summary summary;
    twin.expect_scan(twin.largest_first(), dedup_texts(views(texts), options, &summary));
    EXPECT_EQ(summary.sample_features, 32u);
    EXPECT_EQ(pair_texts(views(texts), options).size(), all.size());
  }
}

// A miss of one pair in a million is not seen among thousands of pairs; every removed document has a kept container all the same.
TEST(ContainmentJoin, BySamplesFindsPartsOfLongTexts) {
  std::mt19937_64 random(3);
  std::vector<std::string> texts;
  for (int whole = 0; whole < 40; ++whole) {
    std::vector<std::string> words(2000);
    for (std::string& word : words) word = "w" + std::to_string(random() % 1'000'000);
    const auto text = [&](size_t begin, size_t end) {
      std::string made;
      for (size_t i = begin; i < end; ++i) made += (random() % 40 == 0 ? "x" + std::to_string(random()) : words[i]) + " ";
      return made;
    };
    for (int part = 0; part < 30; ++part) {
      const size_t begin = random() % 1500;
      texts.push_back(text(begin, begin + 100 + random() % 400));
    }
    texts.push_back(text(0, words.size()));
  }
  Options options = containment(800'000, 20);
  const auto expected = pair_texts(views(texts), options);
  EXPECT_GT(expected.size(), 300u);
  options.search = Search::kLsh;
  const auto found = pair_texts(views(texts), options);
  EXPECT_EQ(found.size(), expected.size());
  const ContainmentTwin twin(texts, options);
  const auto verdicts = dedup_texts(views(texts), options);
  for (size_t d = 0; d < texts.size(); ++d) {
    if (verdicts[d].decision == Decision::kKeep) continue;
    EXPECT_EQ(verdicts[verdicts[d].keeper].decision, Decision::kKeep) << d;
    EXPECT_TRUE(twin.contained(d, verdicts[d].keeper).has_value()) << d;
  }
}

using ContainedPairs = std::set<std::tuple<uint32_t, uint32_t, uint32_t>>;  // contained document, container, common features

// The scan rule over pairs: by removed document, its keeper and their common features.
ContainedPairs scan_of(const GroupInputs& in, const ContainedPairs& pairs, bool largest_first) {
  std::vector<uint32_t> order = in.candidates.members;
  if (largest_first) std::ranges::stable_sort(order, std::ranges::greater{}, [&](uint32_t ordinal) { return in.features.size(ordinal); });
  std::map<uint32_t, std::map<uint32_t, uint32_t>> containers;
  for (const auto& [a, b, common] : pairs) containers[a][b] = common;
  std::vector<uint32_t> kept;
  ContainedPairs removals;
  for (const uint32_t ordinal : order) {
    const uint32_t document = in.document(ordinal);
    const auto& of_document = containers[document];
    const auto keeper = std::ranges::find_if(kept, [&](uint32_t other) { return of_document.contains(other); });
    if (keeper == kept.end()) {
      kept.push_back(document);
    } else {
      removals.insert({document, *keeper, of_document.at(*keeper)});
    }
  }
  return removals;
}

// Several blocks and slices; every slice has one block at least.
TEST(ContainmentJoin, NeitherSlicesNorThreadsMatter) {
  const auto texts = with_parts(50, 700, 25);
  const auto texts_views = views(texts);
  const auto source = make_text_source(texts_views);
  for (const char* keep : {"auto", "first", "auto by samples"}) {
    Options options = containment(800'000);
    options.keep = std::string_view(keep).substr(0, std::string_view(keep).find(' '));
    if (options.keep != keep) options.search = Search::kLsh;
    const CandidateRun run(options, *source);
    GroupInputs in = run.inputs();
    ASSERT_GT(in.candidates.members.size(), 1500u);
    GroupStats expected_stats;
    in.index_memory = 0;
    const auto expected = solve_contained(in, expected_stats);
    EXPECT_GT(expected.size(), 500u);
    ContainedPairs expected_pairs;
    for (const uint64_t memory : {uint64_t{0}, uint64_t{1}, uint64_t{100'000}, uint64_t{1'000'000}}) {
      for (const uint32_t threads : {1u, 2u, 5u}) {
        in.index_memory = memory;
        in.threads = threads;
        GroupStats stats;
        EXPECT_TRUE(equal(solve_contained(in, stats), expected));
        EXPECT_EQ(stats.verifications, expected_stats.verifications);
        EXPECT_EQ(stats.just_below, expected_stats.just_below);
        ContainedPairs pairs;
        std::mutex mutex;
        join_contained(
            in,
            [&](uint32_t, uint32_t a, uint32_t b, const Overlap& overlap) {
              const std::lock_guard lock(mutex);
              EXPECT_TRUE(pairs.insert({a, b, overlap.common}).second) << "a pair twice";
            },
            stats);
        if (expected_pairs.empty()) expected_pairs = pairs;
        EXPECT_EQ(pairs, expected_pairs);
      }
    }
    ContainedPairs removals;
    for (const Removal& removal : expected) removals.insert({removal.document, removal.keeper, removal.overlap.common});
    EXPECT_EQ(removals, scan_of(in, expected_pairs, options.keep == "auto")) << keep;
  }
}

TEST(ContainmentJoin, CountsKeptDocumentsJustBelow) {
  // 100 words of a text of 200, then other words: of 96 + k features, 96 are in the container.
  std::string whole;
  for (int i = 0; i < 200; ++i) whole += "a" + std::to_string(i) + " ";
  std::vector<std::string> texts{whole};
  for (const int other : {10, 20, 30, 60, 100}) {  // 0.91, 0.83, 0.76, 0.62, 0.49
    std::string text;
    for (int i = 0; i < 100; ++i) text += "a" + std::to_string(i) + " ";
    for (int i = 0; i < other; ++i) text += "b" + std::to_string(other) + "c" + std::to_string(i) + " ";
    texts.push_back(text);
  }
  const auto texts_views = views(texts);
  const auto source = make_text_source(texts_views);
  Options options = containment(800'000);
  options.search = Search::kLsh;  // the exact search looks at fewer pairs that do not match
  const CandidateRun run(options, *source);
  GroupStats stats;
  EXPECT_EQ(solve_contained(run.inputs(), stats).size(), 2u);
  EXPECT_EQ(stats.just_below, 1u);
}

TEST(ContainmentJoin, AReferenceCorpusIsNotComparedWithItself) {
  const auto texts = with_parts(60, 60);
  const auto texts_views = views(texts);
  const auto source = make_text_source(texts_views);
  const CandidateRun run(containment(700'000), *source, 1);
  GroupStats stats;
  EXPECT_TRUE(solve_contained(run.inputs(), stats).empty());
  EXPECT_EQ(stats.verifications, 0u);
}

}  // namespace
}  // namespace neardup
