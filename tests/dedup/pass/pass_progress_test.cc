// A run can be stopped in every pass, those that read nothing too; and what it reports on the way.
#include "dedup/pass/pass_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "dedup/match/solve_groups.h"
#include "neardup/dedup.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/stop.h"
#include "neardup/texts.h"
#include "support/candidate_run.h"

namespace neardup {
namespace {

using testing::CandidateRun;

std::vector<std::string> near_duplicates(size_t count) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text;
    for (size_t word = 0; word < 60; ++word) text += "w" + std::to_string(i % 50 * 1000 + word) + " ";
    texts.push_back(text + "end" + std::to_string(i / 50 / 2));
  }
  return texts;
}

struct Watched {
  std::vector<Progress> reports;
  std::vector<std::string> passes;
  std::optional<ErrorCode> error;
};

// Runs until `stop_in` begins; empty: to the end.
Watched watch(const Options& options, const std::string& stop_in) {
  const auto texts = near_duplicates(400);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto source = make_text_source(views);
  Watched watched;
  DedupRun run;
  run.source = source.get();
  run.progress = [&](const Progress& progress) {
    watched.reports.push_back(progress);
    watched.passes.emplace_back(progress.pass);
  };
  run.stop = [&] { return !watched.passes.empty() && watched.passes.back() == stop_in; };
  try {
    static_cast<void>(dedup(options, run));
  } catch (const Error& error) {
    watched.error = error.code();
  }
  return watched;
}

TEST(PassProgress, EveryPassStopsOnRequest) {
  for (const char* recipe : {"words-5", "simhash-chars-4"}) {
    Options options;
    options.recipe = recipe;
    const Watched whole = watch(options, "");
    EXPECT_EQ(whole.error, std::nullopt);
    const std::set<std::string> passes(whole.passes.begin(), whole.passes.end());
    EXPECT_TRUE(passes.contains("group") && passes.contains("decide")) << recipe;
    for (const std::string& pass : passes) {
      const Watched stopped = watch(options, pass);
      EXPECT_EQ(stopped.error, ErrorCode::kStopped) << recipe << " " << pass;
      EXPECT_EQ(stopped.passes.back(), pass);
    }
  }
}

TEST(PassProgress, PassesAndDuplicatesAreCounted) {
  const Watched whole = watch({}, "");
  ASSERT_FALSE(whole.reports.empty());
  for (size_t i = 1; i < whole.reports.size(); ++i) {
    EXPECT_LE(whole.reports[i - 1].pass_number, whole.reports[i].pass_number);
    EXPECT_EQ(whole.reports[i].pass_count, whole.reports[0].pass_count);
    EXPECT_LE(whole.reports[i - 1].duplicates, whole.reports[i].duplicates);
  }
  EXPECT_EQ(whole.reports.back().pass_count, 4u) << "sketch, group, features, decide; nothing is written";
  EXPECT_EQ(whole.reports.back().pass_number, 4u);
  EXPECT_EQ(whole.reports.back().duplicates, 200u) << "the exact copies: every text is there twice";
}

// Two reference documents that resemble each other; of the others, copies of the second one, texts that resemble both, and unrelated ones.
// The copies are removed for the first reference document: one of them is a copy and a removal as well.
class CopiesOfReferences : public ::testing::Test {
 protected:
  static constexpr size_t kCopies = 6;
  static constexpr size_t kNear = 3;
  static constexpr size_t kDuplicates = kCopies + kNear;

  CopiesOfReferences() {
    const std::string base = words("shared");
    references_ = {base, base + "end"};
    for (size_t i = 0; i < kCopies; ++i) texts_.push_back(references_[1]);
    for (size_t i = 0; i < kNear; ++i) texts_.push_back(base + "near" + std::to_string(i));
    for (size_t i = 0; i < 600; ++i) texts_.push_back(words("other" + std::to_string(i)));  // a second batch
  }

  static std::string words(const std::string& stem) {
    std::string text;
    for (size_t word = 0; word < 60; ++word) text += stem + "w" + std::to_string(word) + " ";
    return text;
  }
  [[nodiscard]] std::unique_ptr<DocumentSource> source() const {
    return concatenate(make_text_source(reference_views_), make_text_source(views_));
  }
  void SetUp() override {
    reference_views_.assign(references_.begin(), references_.end());
    views_.assign(texts_.begin(), texts_.end());
  }

  std::vector<std::string> references_, texts_;
  std::vector<std::string_view> reference_views_, views_;
};

TEST_F(CopiesOfReferences, AreCountedOnceWhileGroupsAreSolved) {
  for (const Cluster cluster : {Cluster::kScan, Cluster::kComponents}) {
    for (const size_t small_group : {size_t{0}, kSmallGroup}) {
      const auto documents = source();
      std::vector<Progress> reports;
      const CandidateRun run({}, *documents, 1, [&](const Progress& progress) { reports.push_back(progress); });
      PassProgress pass(run.monitor(), "decide", run.candidates().members.size());
      GroupStats stats;
      const auto removals = solve_groups(run.inputs(&pass), cluster, stats, small_group);
      EXPECT_EQ(removals.size(), 1 + kNear) << "of the copies, the first one takes part";
      std::this_thread::sleep_for(kReportPassEvery);
      pass.ask();
      ASSERT_EQ(reports.back().pass, "decide");
      EXPECT_EQ(reports.back().duplicates, kDuplicates) << "small groups up to " << small_group;
    }
  }
}

TEST_F(CopiesOfReferences, AreCountedOnceWhenTheirSliceIsDecided) {
  const auto documents = source();
  uint64_t most = 0;
  DedupRun run;
  run.source = documents.get();
  run.reference_sources = 1;
  run.progress = [&](const Progress& progress) { most = std::max(most, progress.duplicates); };
  Options options;
  options.batch = 1;
  const Summary summary = dedup(options, run);
  EXPECT_EQ(summary.slices, 3u);
  EXPECT_EQ(summary.removed, kDuplicates);
  EXPECT_EQ(most, kDuplicates);
}

TEST(PassProgress, StopsAndSumsUp) {
  Progress totals;
  totals.duplicates = 7;
  std::vector<Progress> reports;
  bool stop = false;
  const PassMonitor monitor{[&](const Progress& progress) { reports.push_back(progress); }, &totals};
  const StopFunction asked = [&] { return stop; };
  const StopScope scope(&asked);
  PassProgress pass(monitor, "decide", 10);
  pass.done(4, 1);
  EXPECT_TRUE(reports.empty()) << "not before it is time";
  stop = true;
  EXPECT_THROW(pass.ask(), Error);
}

}  // namespace
}  // namespace neardup
