#include "server/service/check_queue.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace neardup::server {
namespace {

namespace fs = std::filesystem;

class TestJob final : public CheckJob {
 public:
  TestJob(std::vector<std::string> ids, std::string text, std::function<void(std::span<OnlineAnswer>)> done, std::atomic<int>& failures)
      : ids_(std::move(ids)), text_(std::move(text)), done_(std::move(done)), failures_(failures) {
    for (const std::string& id : ids_) requests_.push_back({.id = id, .text = text_});
  }
  void decided(std::span<OnlineAnswer> answers) noexcept override { done_(answers); }
  void failed(const Error&) noexcept override { ++failures_; }

 private:
  const std::vector<std::string> ids_;
  const std::string text_;
  const std::function<void(std::span<OnlineAnswer>)> done_;
  std::atomic<int>& failures_;
};

class CheckQueueTest : public testing::Test {
 protected:
  CheckQueueTest()
      : folder_(fs::path(testing::TempDir()) / ("check-queue-" + std::to_string(::getpid()))), store_(OnlineStore::create(folder_, {})) {}
  ~CheckQueueTest() override { fs::remove_all(folder_); }

  const std::string folder_;
  OnlineStore store_;
  std::atomic<int> failures_ = 0;
};

// Many clients send the same few texts at once: of each text one is kept, whoever was first, and all others name it.
TEST_F(CheckQueueTest, OneOfEachTextIsKept) {
  constexpr int kClients = 8;
  constexpr int kEach = 100;
  std::mutex mutex;
  std::map<std::string, std::vector<OnlineAnswer>> answers;  // by text
  {
    CheckQueue queue(store_);
    std::vector<std::thread> clients;
    for (int client = 0; client < kClients; ++client) {
      clients.emplace_back([&, client] {
        for (int i = 0; i < kEach; ++i) {
          std::string text = "the text of number " + std::to_string(i) + " has words enough for shingles of five words";
          std::vector<std::string> ids;
          for (int copy = 0; copy <= i % 3; ++copy)
            ids.push_back(std::to_string(client) + "-" + std::to_string(i) + "-" + std::to_string(copy));
          EXPECT_TRUE(queue.post(std::make_unique<TestJob>(
              std::move(ids), text,
              [&, text](std::span<OnlineAnswer> found) {
                const std::lock_guard lock(mutex);
                answers[text].insert(answers[text].end(), found.begin(), found.end());
              },
              failures_)));
        }
      });
    }
    for (std::thread& client : clients) client.join();
  }  // everything is answered before it ends
  EXPECT_EQ(failures_, 0);
  ASSERT_EQ(answers.size(), static_cast<size_t>(kEach));
  for (const auto& [text, found] : answers) {
    EXPECT_EQ(std::ranges::count(found, Decision::kKeep, &OnlineAnswer::decision), 1) << text;
    std::string keeper;
    for (const OnlineAnswer& answer : found) {
      if (answer.decision == Decision::kKeep) continue;
      if (keeper.empty()) keeper = answer.keeper_id;
      EXPECT_EQ(answer.keeper_id, keeper);
    }
  }
}

TEST_F(CheckQueueTest, TakesNothingAfterStop) {
  CheckQueue queue(store_);
  queue.stop();
  std::unique_ptr<CheckJob> job = std::make_unique<TestJob>(
      std::vector<std::string>{"a"}, "text", [](auto) {}, failures_);
  EXPECT_FALSE(queue.post(std::move(job)));
  ASSERT_NE(job, nullptr);  // NOLINT(bugprone-use-after-move): post() takes it only if it returns true
  EXPECT_EQ(queue.waiting(), 0u);
}

TEST_F(CheckQueueTest, FinishWaitsForWhatWasPosted) {
  CheckQueue queue(store_);
  std::atomic<int> decided = 0;
  for (int i = 1; i <= 50; ++i) {
    EXPECT_TRUE(queue.post(std::make_unique<TestJob>(
        std::vector<std::string>{std::to_string(i)}, "text " + std::to_string(i), [&](auto) { ++decided; }, failures_)));
    if (i % 10 == 0) {
      queue.finish();
      EXPECT_EQ(decided, i);
    }
  }
}

TEST_F(CheckQueueTest, AnEmptyJobIsAnswered) {
  bool answered = false;
  {
    CheckQueue queue(store_);
    EXPECT_TRUE(queue.post(std::make_unique<TestJob>(
        std::vector<std::string>{}, "", [&](std::span<OnlineAnswer> found) { answered = found.empty(); }, failures_)));
  }
  EXPECT_TRUE(answered);
}

// A store that cannot be written: every job hears of it.
TEST_F(CheckQueueTest, EveryJobHearsOfAFailure) {
  OnlineStore reader = [&] {
    store_ = OnlineStore::open(std::string(folder_), OnlineAccess::kRead);
    return OnlineStore::open(folder_, OnlineAccess::kRead);
  }();
  {
    CheckQueue queue(reader);
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(queue.post(std::make_unique<TestJob>(
          std::vector<std::string>{"a"}, "text", [](auto) { FAIL() << "it was decided"; }, failures_)));
    }
  }
  EXPECT_EQ(failures_, 10);
}

}  // namespace
}  // namespace neardup::server
