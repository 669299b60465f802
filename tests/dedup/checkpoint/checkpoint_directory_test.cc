#include "dedup/checkpoint/checkpoint_directory.h"

#include <algorithm>

#include "dedup/checkpoint/pass_journal.h"
#include "dedup/decisions.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/texts.h"
#include "support/checkpoint_directories.h"

namespace neardup::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(CheckpointDirectories, IdentityRoundTrips) {
  RunIdentity made = identity();
  made.sources.push_back({"c \"\\\n\xE4\xB8\xAD", ""});
  const RunIdentity read = RunIdentity::parse(made.to_json(), "x");
  EXPECT_EQ(read.settings, made.settings);
  EXPECT_EQ(read.sources, made.sources);
  for (const char* broken : {"", "{}", "[]", R"({"format":4,"settings":[],"sources":[{}]})", R"({"format":4,"settings":3,"sources":[]})"}) {
    EXPECT_THAT(error_of([&] { RunIdentity::parse(broken, "the file"); }), HasSubstr("input: 'the file' does not describe a run"))
        << broken;
  }
  EXPECT_EQ(error_of([&] { RunIdentity::parse(R"({"format":3,"settings":[],"sources":[]})", "f"); }),
            "input: 'f' has format 3; this program reads format 4");
}

TEST_F(CheckpointDirectories, WhatChangedIsNamed) {
  { const CheckpointDirectory directory(folder_, identity(), {}); }
  EXPECT_EQ(refusal(identity()), "");
  RunIdentity now = identity();
  now.settings[0].value = "0.7";
  EXPECT_THAT(refusal(now), HasSubstr("threshold was '0.8' when it began and is '0.7' now"));
  now = identity();
  now.sources[1].value = "5 bytes";
  EXPECT_THAT(refusal(now), HasSubstr("'b' changed: it had 4 bytes and now has 5 bytes"));
  now = identity();
  now.sources.pop_back();
  EXPECT_THAT(refusal(now), HasSubstr("input 2, 'b', is missing"));
  now = identity();
  std::swap(now.sources[0], now.sources[1]);
  EXPECT_THAT(refusal(now), HasSubstr("input 1 was 'a' and is 'b' now"));
  now = identity();
  now.settings.push_back({"new", "1"});
  EXPECT_THAT(refusal(now), HasSubstr("begun by a version without 'new'"));
}

// A run begun by a program without these options compared texts as their defaults say.
TEST_F(CheckpointDirectories, NewOptionsHaveTheirDefaultsInOldRuns) {
  { const CheckpointDirectory directory(folder_, identity(), {}); }
  RunIdentity now = identity();
  for (const char* name : {"measure", "min_contained", "min_jaccard"}) {
    const auto row = std::ranges::find(option_table(), name, &OptionRow::name);
    ASSERT_NE(row, option_table().end());
    now.settings.push_back({name, row->get(Options())});
  }
  EXPECT_EQ(refusal(now), "");
  std::ranges::find(now.settings, "measure", &RunIdentity::Member::name)->value = "containment";
  EXPECT_THAT(refusal(now), HasSubstr("it was begun by a version without 'measure', which is 'containment' now"));
}

// The default of --keep was called 'first' before there was another measure.
TEST_F(CheckpointDirectories, TheDefaultOrderHasItsOldName) {
  const Recipe recipe = Recipe::load("words-5");
  const std::vector<std::string_view> texts{"a"};
  const auto source = make_text_source(texts);
  const auto keep_of = [&](const Options& options) {
    const RunIdentity made(options, {&recipe}, 0, *source);
    return std::ranges::find(made.settings, "keep", &RunIdentity::Member::name)->value;
  };
  Options options;
  EXPECT_EQ(options.keep, "auto");
  EXPECT_EQ(keep_of(options), "first");
  options.measure = Measure::kContainment;
  EXPECT_EQ(keep_of(options), "auto");
  options.keep = "last";
  EXPECT_EQ(keep_of(options), "last");
}

TEST_F(CheckpointDirectories, MoreSourcesOnlyWhenAsked) {
  {
    const CheckpointDirectory directory(folder_, identity(), {});
    Decisions().save(directory, 1, {});
    write("decided-0000000009.part", "x");
    write("features-0000000000.part", "x");
    write("sketch-0000000000.part", "x");
    write("fitted-1.idf", "x");
  }
  RunIdentity now = identity();
  now.sources.push_back({"c", "1 bytes"});
  EXPECT_THAT(refusal(now), HasSubstr("'c' was not an input of this run; remove it, or add it with --add"));
  EXPECT_THAT(refusal(now, {1, 3}), HasSubstr("'c' was not an input of this run; remove it, or add it with --add")) << "it had two";
  EXPECT_EQ(refusal(now, {2}), "");
  EXPECT_FALSE(exists("decided-0000000009.part") || exists("features-0000000000.part") || exists("fitted-1.idf"))
      << "they were made without the new documents";
  EXPECT_TRUE(exists("decided-0000000000.part")) << "a slice that was full";
  EXPECT_TRUE(exists("sketch-0000000000.part"));
  EXPECT_EQ(refusal(now), "") << "it has three sources from now on";
  EXPECT_THAT(refusal(identity()), HasSubstr("input 3, 'c', is missing"));
}

TEST_F(CheckpointDirectories, TasksShareARunDoesNot) {
  EXPECT_THAT(error_of([&] { const CheckpointDirectory directory(folder_, identity(), {}, CheckpointDirectory::Use::kShared); }),
              HasSubstr("there is no run in"));
  { const CheckpointDirectory directory(folder_, identity(), {}); }
  const CheckpointDirectory task(folder_, identity(), {}, CheckpointDirectory::Use::kShared);
  const CheckpointDirectory other(folder_, identity(), {}, CheckpointDirectory::Use::kShared);
  EXPECT_THAT(refusal(identity()), HasSubstr("the run in '" + folder_ + "' is being written by another process"));
}

// Somebody else may be at work on what is damaged here.
TEST_F(CheckpointDirectories, NothingIsRemovedFromASharedFolder) {
  { const CheckpointDirectory begun(folder_, identity(), {}); }
  write("sketch-0000000000.part", "x");
  {
    const CheckpointDirectory shared(folder_, identity(), {}, CheckpointDirectory::Use::kShared);
    EXPECT_EQ(PassJournal(shared, "sketch", 7).end(), 0u);
    EXPECT_TRUE(exists("sketch-0000000000.part"));
  }
  const CheckpointDirectory alone(folder_, identity(), {});
  EXPECT_EQ(PassJournal(alone, "sketch", 7).end(), 0u);
  EXPECT_FALSE(exists("sketch-0000000000.part"));
}

}  // namespace
}  // namespace neardup::testing
