// The pass "features" of a run with a checkpoint directory: stored sets are taken as they are, and refused where they cannot be right.
#include "dedup/run/feature_pass.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_codec.h"
#include "io/io_fixture.h"
#include "neardup/texts.h"
#include "support/candidate_run.h"
#include "support/corpus.h"

namespace neardup::testing {
namespace {

constexpr const char* kFeaturePart = "features-0000000000.part";

// What the part has of a batch.
struct StoredSets {
  std::vector<uint64_t> features;
  std::vector<uint64_t> weights;
  std::vector<uint32_t> sizes;

  explicit StoredSets(std::string_view bytes) {
    ByteReader from(bytes, "part");
    from.array(features);
    from.array(weights);
    from.array(sizes);
    from.end();
  }
  [[nodiscard]] std::string bytes() const {
    std::string made;
    ByteWriter to(made);
    to.array(features);
    to.array(weights);
    to.array(sizes);
    return made;
  }
};

// A run of three batches, judged by weights, up to its candidates.
class StoredFeatures : public IoTest {
 protected:
  // The sets and their weights, after reading them by two threads.
  std::vector<std::vector<uint64_t>> sets() {
    CandidateFeatures made(run_.context());
    run_.read_features(made);
    std::vector<std::vector<uint64_t>> all;
    std::vector<uint64_t> space;
    for (const FeatureStore* store : {&made.features, &made.weights}) {
      for (uint32_t ordinal = 0; ordinal < store->count(); ++ordinal) {
        const auto set = store->get(ordinal, space);
        all.emplace_back(set.begin(), set.end());
      }
    }
    return all;
  }
  std::string refusal_of_sets() {
    return error_of([&] {
      CandidateFeatures made(run_.context());
      run_.read_features(made);
    });
  }
  // Replaces the second batch of the part. All of its checksums are right afterwards.
  void change_batch(const std::function<void(StoredSets&)>& change) {
    const CheckpointDirectory& directory = *run_.setup().journals.checkpoint_directory();
    std::vector<std::string> batches;
    {
      const PassJournal journal(directory, "features", run_.setup().sketchers.id());
      for (uint64_t batch = 0; batch < journal.end(); ++batch) batches.emplace_back(journal.get(batch));
    }
    ASSERT_EQ(batches.size(), 3U);
    StoredSets sets(batches[1]);
    change(sets);
    batches[1] = sets.bytes();
    directory.remove(kFeaturePart);
    PassJournal journal(directory, "features", run_.setup().sketchers.id());
    for (uint64_t batch = 0; batch < batches.size(); ++batch) journal.put(batch, batches[batch]);
    journal.finish();
  }

 private:
  static Options options() {
    Options options;
    options.recipe = "words-5";
    options.verify = Verify::kCosine;
    options.threads = 2;
    return options;
  }

  const std::vector<std::string> texts_ = make_corpus(3, {.originals = 500, .words = 30, .vocabulary = 300, .edit_rate = 0.03});
  const std::vector<std::string_view> views_ = views(texts_);
  const std::unique_ptr<DocumentSource> source_ = make_text_source(views_);
  GroupedRun run_{options(), *source_, 0, {}, {.path = folder_, .extend_after = {}}};
};

TEST_F(StoredFeatures, AreTakenFromThePart) {
  const auto computed = sets();
  ASSERT_TRUE(exists(kFeaturePart));
  EXPECT_EQ(sets(), computed);
  change_batch([](StoredSets& batch) { batch.weights.front() += 1; });
  EXPECT_NE(sets(), computed) << "computed again";
}

TEST_F(StoredFeatures, ASetTooFewOrTooManyIsRefused) {
  const auto computed = sets();
  for (const bool more : {false, true}) {
    size_t stored = 0;
    change_batch([&](StoredSets& batch) {
      stored = batch.sizes.size();
      ASSERT_GT(stored, 1U);
      const uint32_t last = batch.sizes.back();
      if (more) {
        batch.sizes.push_back(0);
      } else {
        batch.sizes.pop_back();
        batch.features.resize(batch.features.size() - last);
        batch.weights.resize(batch.weights.size() - last);
      }
    });
    EXPECT_EQ(refusal_of_sets(), fmt::format("input: '{}' has the features of {} documents of batch 1, of which {} have candidates; remove "
                                             "the file, and they are computed again",
                                             path(kFeaturePart), more ? stored + 1 : stored - 1, stored));
    std::filesystem::remove(path(kFeaturePart));
    EXPECT_EQ(sets(), computed);
  }
}

TEST_F(StoredFeatures, SizesThatDoNotAddUpAreRefused) {
  sets();
  const std::string corrupt = fmt::format("input: '{}' is corrupt", path(kFeaturePart));
  const std::function<void(StoredSets&)> kChanges[] = {
      [](StoredSets& batch) { batch.sizes.front() += 1; },  // beyond the features
      [](StoredSets& batch) { batch.sizes.back() -= 1; }, [](StoredSets& batch) { batch.weights.pop_back(); },
      [](StoredSets& batch) { batch.weights.clear(); },  // as if unweighted
  };
  for (const auto& change : kChanges) {
    change_batch(change);
    EXPECT_EQ(refusal_of_sets(), corrupt);
    std::filesystem::remove(path(kFeaturePart));
    sets();
  }
}

}  // namespace
}  // namespace neardup::testing
