// Several threads use one store: ThreadSanitizer runs these, too.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "neardup/online_store.h"
#include "support/corpus.h"
#include "support/online_model.h"

namespace neardup {
namespace {

constexpr uint64_t kTime = uint64_t{1} << 45;

// Whatever the order in which threads came, it is a decided one: the model gives the same answers in that order.
TEST(OnlineStoreThreads, DecideInOneOrder) {
  const std::string folder = ::testing::TempDir() + "neardup_online_threads_" + std::to_string(::getpid());
  std::filesystem::remove_all(folder);
  const std::vector<std::string> texts = testing::make_corpus(3, {.originals = 150, .words = 40, .vocabulary = 2000});
  constexpr size_t kThreads = 4;
  struct Asked {
    std::string id;
    std::string_view text;
    OnlineAnswer answer;
  };
  std::vector<std::vector<Asked>> asked(kThreads);
  OnlineStoreSpec spec;
  {
    OnlineStore store = OnlineStore::create(folder, spec, {.threads = 2, .rows_in_memory = 50});
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (size_t i = 0; i < texts.size(); i += 5) {
          std::vector<OnlineRequest> requests;
          for (size_t k = i; k < std::min(i + 5, texts.size()); ++k) {
            asked[thread].push_back(
                {"t" + std::to_string(thread) + "-" + std::to_string(k), texts[(k * 7 + thread * 31) % texts.size()], {}});
          }
          const std::span<Asked> group = std::span(asked[thread]).subspan(i);
          for (const Asked& one : group) requests.push_back({.id = one.id, .text = one.text});
          std::vector<OnlineAnswer> answers;
          store.apply(requests, kTime, answers);
          for (size_t k = 0; k < answers.size(); ++k) group[k].answer = answers[k];
          // What was answered is there at once.
          for (OnlineRequest& request : requests) request.insert = false;
          store.apply(requests, kTime, answers);
          for (const OnlineAnswer& answer : answers) EXPECT_EQ(answer.decision, Decision::kRemove);
          if (thread == 0 && i % 60 == 0) store.compact(kTime);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    store.verify();
  }
  std::map<uint64_t, const Asked*> kept;
  for (const std::vector<Asked>& of_thread : asked) {
    for (const Asked& one : of_thread) {
      if (one.answer.decision == Decision::kKeep) kept[one.answer.sequence] = &one;
    }
  }
  testing::OnlineModel model(spec);
  for (const auto& [sequence, one] : kept) {
    const OnlineAnswer expected = model.apply({.id = one->id, .text = one->text}, kTime);
    ASSERT_EQ(expected.decision, Decision::kKeep) << one->id;
    ASSERT_EQ(expected.sequence, sequence);
  }
  for (const std::vector<Asked>& of_thread : asked) {
    for (const Asked& one : of_thread) {
      if (one.answer.decision == Decision::kKeep) continue;
      const OnlineAnswer expected = model.apply({.id = "x", .text = one.text, .insert = false}, kTime);
      ASSERT_EQ(expected.keeper_id, one.answer.keeper_id);
      ASSERT_EQ(expected.similarity, one.answer.similarity);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace neardup
