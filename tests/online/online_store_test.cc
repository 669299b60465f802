#include "neardup/online_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "neardup/error.h"
#include "neardup/recipe.h"
#include "support/corpus.h"
#include "support/online_model.h"

namespace neardup {
namespace {

using ::testing::HasSubstr;
using testing::OnlineModel;

std::string temp_folder() {
  static int count = 0;
  const std::string folder = ::testing::TempDir() + "neardup_online_" + std::to_string(::getpid()) + "_" + std::to_string(count++);
  std::filesystem::remove_all(folder);
  return folder;
}

class StoreFolder {
 public:
  StoreFolder() : path_(temp_folder()) {}
  ~StoreFolder() { std::filesystem::remove_all(path_); }
  StoreFolder(const StoreFolder&) = delete;
  StoreFolder& operator=(const StoreFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string shown(const OnlineAnswer& answer) {
  static constexpr const char* kOutcomes[] = {"decided", "repeated", "conflict", "invalid"};
  return std::string(kOutcomes[static_cast<size_t>(answer.outcome)]) + " " + std::string(to_string(answer.decision)) + " " +
         std::string(to_string(answer.reason)) + " keeper '" + answer.keeper_id + "' sequence " + std::to_string(answer.sequence) +
         " similarity " + std::to_string(answer.similarity);
}

std::vector<std::pair<uint64_t, std::string>> documents_of(const OnlineStore& store) {
  std::vector<std::pair<uint64_t, std::string>> all;
  store.for_each_document([&](const OnlineDocument& document) {
    all.emplace_back(document.sequence, document.id);
    return true;
  });
  return all;
}

// Texts that resemble each other in all ways: near-duplicates, copies, short texts, and pages of a template, which differ enough.
std::vector<std::string> make_pool(uint64_t seed, size_t texts) {
  std::vector<std::string> pool = testing::make_corpus(seed, {.originals = texts / 4, .words = 40, .vocabulary = 2000});
  std::mt19937_64 random(seed + 1);
  std::string shared;
  for (size_t i = 0; i < 60; ++i) shared += " t" + std::to_string(i);
  while (pool.size() < texts) {
    std::string own;
    for (size_t i = 0; i < 12; ++i) own += " " + testing::word(random, 20000);
    pool.push_back(shared + own);
  }
  return pool;
}

struct ModelRun {
  OnlineStoreSpec spec;
  uint64_t seed = 1;
  size_t operations = 3000;
  uint32_t rows_in_memory = 64;
  size_t ids = 400;
  size_t texts = 600;
  size_t largest_call = 600;
};

uint64_t wanted_operations(uint64_t standard) {
  const char* const wanted = std::getenv("NEARDUP_MODEL_OPERATIONS");
  return wanted == nullptr ? standard : std::strtoull(wanted, nullptr, 10);
}

// Random operations on the store and on the model; every answer must be the same.
void compare_with_model(const ModelRun& run) {
  const StoreFolder folder;
  std::mt19937_64 random(run.seed);
  const std::vector<std::string> pool = make_pool(run.seed, run.texts);
  OnlineModel model(run.spec);
  const OnlineStoreRun how{.threads = 2, .rows_in_memory = run.rows_in_memory};
  std::optional<OnlineStore> store = OnlineStore::create(folder.path(), run.spec, how);
  uint64_t now = 1'000'000'000'000;  // in 2001: time is given by requests alone
  size_t done = 0;
  while (done < run.operations) {
    now += random() % 40;
    const uint64_t kind = random() % 100;
    if (kind < 2) {
      store.reset();
      store = OnlineStore::open(folder.path(), OnlineAccess::kWrite, how);
    } else if (kind < 3) {
      store->compact(now);
    } else if (kind < 10) {
      const std::string id = "d" + std::to_string(random() % run.ids);
      std::vector<bool> deleted;
      const std::string_view ids[] = {id};
      store->remove(ids, now, deleted);
      ASSERT_EQ(deleted.at(0), model.remove(id, now)) << "operation " << done << ", deletion of " << id;
      ++done;
    } else {
      const size_t count = random() % 4 == 0 ? 1 + random() % run.largest_call : 1 + random() % 9;
      std::vector<std::string> ids;
      std::vector<OnlineRequest> requests;
      for (size_t i = 0; i < count; ++i) ids.push_back("d" + std::to_string(random() % run.ids));
      for (size_t i = 0; i < count; ++i) {
        OnlineRequest request{.id = ids[i], .text = pool[random() % pool.size()]};
        request.insert = random() % 5 != 0;
        request.replace = random() % 4 == 0;
        request.touch = random() % 4 == 0;
        if (random() % 4 == 0) request.expires_ms = now + random() % 2000;
        requests.push_back(request);
      }
      std::vector<OnlineAnswer> answers;
      store->apply(requests, now, answers);
      ASSERT_EQ(answers.size(), count);
      for (size_t i = 0; i < count; ++i) {
        const OnlineAnswer expected = model.apply(requests[i], now);
        ASSERT_EQ(shown(answers[i]), shown(expected)) << "operation " << done << ": " << requests[i].id << " '" << requests[i].text << "'";
        ++done;
      }
    }
  }
  EXPECT_EQ(documents_of(*store), model.documents());
  store->verify();
}

TEST(OnlineStores, EqualTheModel) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare_with_model({.spec = {}, .seed = seed, .operations = wanted_operations(6000)});
    if (HasFatalFailure()) return;
  }
}

// Many requests in a call, and rows in memory that grow past several sizes of their tables while some are deleted.
TEST(OnlineStores, EqualTheModelInLargeCalls) {
  compare_with_model({.spec = {},
                      .seed = 8,
                      .operations = wanted_operations(12'000),
                      .rows_in_memory = 3000,
                      .ids = 2000,
                      .texts = 1500,
                      .largest_call = 4000});
}

TEST(OnlineStores, EqualTheModelWithExpiry) {
  compare_with_model({.spec = {.recipe = "chars-5", .ttl_ms = 3000}, .seed = 5, .operations = wanted_operations(6000)});
}

TEST(OnlineStores, EqualTheModelWithoutTexts) {
  compare_with_model({.spec = {.min_length = 30, .texts = false}, .seed = 6, .operations = wanted_operations(4000)});
}

// Signatures are made of texts, or of stored features.
TEST(OnlineStores, OnePermutationEqualsTheModel) {
  Recipe recipe = Recipe::load("chars-5");
  recipe.sketch = SketchKind::kMinHashV2;
  for (const bool texts : {true, false}) {
    compare_with_model({.spec = {.recipe = recipe.canonical_json(), .texts = texts}, .seed = 9, .operations = wanted_operations(3000)});
    if (HasFatalFailure()) return;
  }
}

TEST(OnlineStores, FingerprintsEqualTheModel) {
  for (const bool texts : {true, false}) {
    compare_with_model(
        {.spec = {.recipe = "simhash-words-3", .max_distance = 6, .texts = texts}, .seed = 7, .operations = wanted_operations(4000)});
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace neardup
