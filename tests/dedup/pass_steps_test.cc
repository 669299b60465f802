// A run can be stopped in every pass, those that read nothing too; and what it reports on the way.
#include "dedup/pass_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "neardup/error.h"
#include "neardup/memory.h"
#include "neardup/stop.h"

namespace neardup {
namespace {

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

TEST(PassSteps, EveryPassStopsOnRequest) {
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

TEST(PassSteps, PassesAndDuplicatesAreCounted) {
  const Watched whole = watch({}, "");
  ASSERT_FALSE(whole.reports.empty());
  for (size_t i = 1; i < whole.reports.size(); ++i) {
    EXPECT_LE(whole.reports[i - 1].pass_number, whole.reports[i].pass_number);
    EXPECT_LE(whole.reports[i - 1].duplicates, whole.reports[i].duplicates);
  }
  EXPECT_EQ(whole.reports.back().pass_count, 4u) << "sketch, group, features, decide; nothing is written";
  EXPECT_EQ(whole.reports.back().pass_number, 4u);
  EXPECT_EQ(whole.reports.back().duplicates, 200u) << "the exact copies: every text is there twice";
}

TEST(PassSteps, StopsAndSumsUp) {
  Progress known;
  known.duplicates = 7;
  std::vector<Progress> reports;
  bool stop = false;
  const PassMonitor monitor{[&](const Progress& progress) { reports.push_back(progress); }, &known};
  const StopFunction asked = [&] { return stop; };
  const StopScope scope(&asked);
  PassSteps steps(monitor, "decide", 10);
  steps.done(4, 1);
  EXPECT_TRUE(reports.empty()) << "not before it is time";
  stop = true;
  EXPECT_THROW(steps.ask(), Error);
}

}  // namespace
}  // namespace neardup
