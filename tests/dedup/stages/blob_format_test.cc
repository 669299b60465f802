// Blobs come over a network: whatever their bytes are, they are read or refused.
#include "dedup/stages/blob_format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/hash.h"
#include "neardup/error.h"
#include "support/corpus.h"
#include "support/staged_run.h"

namespace neardup {
namespace {

using testing::make_corpus;
using testing::StagedRun;
using testing::views;

std::string id_text(uint64_t id) {
  return fmt::format("{:016x}", id);
}

std::string refusal(const StageSettings& settings, std::string_view blob) {
  try {
    open_blob(settings, blob);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    return error.what();
  }
  return "none";
}

// A checksum that fits, as only a program with a bug, or an enemy, makes it.
std::string with_checksum(std::string blob) {
  const uint64_t sum = mix64(hash64(std::string_view(blob).substr(0, 24)) ^ mix64(hash64(std::string_view(blob).substr(kBlobHeader))));
  std::memcpy(blob.data() + 24, &sum, sizeof sum);
  return blob;
}

// One blob of each kind that a run makes.
std::map<BlobKind, std::string> all_kinds(const Options& options) {
  StagedRun run(options, {.parts = 2});
  const auto texts = make_corpus(71, {});
  std::map<BlobKind, std::string> found;
  const auto collect = [&](const StagedRun::Blobs& blobs) {
    for (const Blob& blob : blobs) found.emplace(blob.kind, blob.bytes);
    return blobs;
  };
  const auto linked = collect(run.link(collect(run.collapse(collect(run.pack(views(texts)))))));
  const auto halves = run.stages.split_edges(2, StagedRun::of_kind(linked, BlobKind::kEdges));
  collect(halves);
  collect(run.reduce(halves, {BlobKind::kHalves}, [&] { return run.stages.small_star(2, run.space()); }));
  return found;
}

TEST(BlobFormat, RefusesWhatIsNotABlobOfTheRun) {
  const Options options;
  const StageSettings settings(options);
  const auto kinds = all_kinds(options);
  EXPECT_EQ(kinds.size(), 10u) << "all but codes";
  for (const auto& [kind, blob] : kinds) {
    EXPECT_EQ(open_blob(settings, blob).kind, kind);
    EXPECT_NE(refusal(settings, blob.substr(0, 10)).find("truncated: 10 bytes"), std::string::npos);
    EXPECT_NE(refusal(settings, blob.substr(0, blob.size() - 1)).find("checksum"), std::string::npos);
    for (size_t byte = 0; byte < blob.size(); byte += 1 + blob.size() / 97) {
      std::string damaged = blob;
      damaged[byte] = static_cast<char>(damaged[byte] ^ 4);
      EXPECT_NE(refusal(settings, damaged), "none") << name_of(kind) << ", byte " << byte;
    }
  }
  std::string later = kinds.at(BlobKind::kIds);
  later[0] = 9;
  EXPECT_EQ(refusal(settings, with_checksum(later)),
            "a blob has format 9, and this version of neardup reads format 1: all machines need the same version");
}

TEST(BlobFormat, NamesBothRecipes) {
  Options options;
  const auto kinds = all_kinds(options);
  options.recipe = "chars-5";
  const StageSettings other(options);
  const std::string message = refusal(other, kinds.at(BlobKind::kKeys));
  EXPECT_NE(message.find(id_text(StageSettings(Options()).stamp().recipe)), std::string::npos) << message;
  EXPECT_NE(message.find(id_text(other.stamp().recipe)), std::string::npos) << message;

  options = Options();
  options.threshold = Threshold::from_millionths(900'000);
  EXPECT_NE(refusal(StageSettings(options), kinds.at(BlobKind::kKeys)).find("made with other options"), std::string::npos);
}

// Changed bytes under a checksum that fits: every function reads or refuses, and stays within the bytes.
TEST(BlobFormat, IsReadSafelyWhateverItHolds) {
  std::mt19937_64 random(72);
  Options fingerprints;
  fingerprints.recipe = "simhash-chars-4";
  for (const Options& options : {Options(), fingerprints}) {
    const Stages stages(options);
    const StageSpace space{.memory = kMinStageMemory, .temp_dir = {}};
    for (const auto& [kind, blob] : all_kinds(options)) {
      for (int i = 0; i < 200; ++i) {
        std::string damaged = blob;
        for (uint64_t changes = 1 + random() % 4; changes > 0; --changes)
          damaged[random() % std::min<size_t>(damaged.size(), 200)] = static_cast<char>(random());
        if (random() % 4 == 0) damaged.resize(kBlobHeader + random() % damaged.size());
        damaged = with_checksum(std::move(damaged));
        const std::string_view views[] = {damaged};
        const auto attempt = [&](const auto& read) {
          try {
            static_cast<void>(read());
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kInput) << error.what();
          }
        };
        attempt([&] { return stages.counts(views); });
        attempt([&] { return stages.count_records(views); });
        attempt([&] { return stages.split_edges(3, views); });
        attempt([&] { return stages.tally(views); });
        attempt([&] { return stages.code_rows(views); });
        attempt([&] { return stages.ranks(BlobKind::kCopies, views); });
        attempt([&] { return stages.ranks(BlobKind::kShorts, views); });
        std::unique_ptr<ReduceStage> reduces[] = {stages.collapse(3, space), stages.link(space), stages.large_star(3, space),
                                                  stages.small_star(3, space)};
        for (const auto& stage : reduces) {
          attempt([&] {
            stage->add(damaged);
            while (stage->next()) {
            }
          });
        }
        for (const auto& stage : {stages.components(space), stages.star_roots(space)}) {
          attempt([&] {
            stage->add(damaged);
            while (!stage->next().ranks.empty()) {
            }
          });
        }
      }
    }
  }
}

}  // namespace
}  // namespace neardup
