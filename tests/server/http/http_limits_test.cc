#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/raw_http.h"
#include "support/sanitized.h"
#include "support/scripted_http.h"

namespace neardup::server {
namespace {

class HttpLimitsTest : public HttpServerTest {};

TEST_F(HttpLimitsTest, CutsSlowHeads) {
  start({.header_time = milliseconds(100)});
  RawHttp client(port());
  const auto begin = steady_clock::now();
  for (int i = 0; i < 8; ++i) {
    client.send(i == 0 ? "G" : "E");
    std::this_thread::sleep_for(milliseconds(30));  // that bytes arrive does not help
  }
  EXPECT_EQ(client.read().status, 408);
  EXPECT_TRUE(client.ended());
  EXPECT_LT(steady_clock::now() - begin, milliseconds(5000));
  // A client that says nothing gets no answer.
  RawHttp silent(port());
  EXPECT_TRUE(silent.ended());
  // From the first byte of a later request.
  RawHttp later(port());
  later.send(kGet);
  EXPECT_EQ(later.read().status, 200);
  std::this_thread::sleep_for(milliseconds(200));
  later.send("G");
  EXPECT_EQ(later.read().status, 408);
}

TEST_F(HttpLimitsTest, ClosesIdleConnections) {
  start({.idle_time = milliseconds(400)});
  RawHttp client(port());
  for (int i = 0; i < 4; ++i) {
    client.send(kGet);
    EXPECT_EQ(client.read().status, 200);
    std::this_thread::sleep_for(milliseconds(150));
  }
  const auto begin = steady_clock::now();
  EXPECT_TRUE(client.ended());
  EXPECT_LT(steady_clock::now() - begin, milliseconds(5000));
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
}

TEST_F(HttpLimitsTest, CutsSlowBodies) {
  start({.progress_time = milliseconds(100)});
  RawHttp stalled(port());
  stalled.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nab");
  const RawResponse stalled_answer = stalled.read();
  EXPECT_EQ(stalled_answer.status, 408);
  EXPECT_EQ(stalled_answer.body, "No byte of the body arrived for 100 ms.");
  EXPECT_TRUE(stalled.ended());
  server_.reset();
  start({.progress_time = milliseconds(5000), .body_time = milliseconds(300)});
  RawHttp slow(port());
  slow.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n");
  int sent = 0;
  while (sent < 100 && !slow.readable(20)) sent += slow.send("a") ? 1 : 100;
  const RawResponse slow_answer = slow.read();
  EXPECT_EQ(slow_answer.status, 408);
  EXPECT_EQ(slow_answer.body, "The body did not arrive within 300 ms.");
  EXPECT_EQ(handler_.handled, 0);
}

TEST_F(HttpLimitsTest, CutsSlowReaders) {
  handler_.on_handle = [](const HttpRequest&, HttpReply reply) {
    reply.send({.content_type = "text/plain", .body = std::string(16 << 20, 'x')});
  };
  start({.progress_time = milliseconds(1000)});
  RawHttp stalled(port(), 4096);
  stalled.send(kGet);
  EXPECT_TRUE(soon([&] { return handler_.handled == 1; }));
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
  // One that reads gets all.
  EXPECT_EQ(ask(kGet).body.size(), size_t{16} << 20);
}

TEST_F(HttpLimitsTest, WaitsForTheHandlerAsLongAsItTakes) {
  keep_replies();
  start(
      {.header_time = milliseconds(300), .idle_time = milliseconds(30), .progress_time = milliseconds(30), .body_time = milliseconds(30)});
  RawHttp client(port());
  client.send(post("abc"));
  HttpReply reply = desk_.next();
  std::this_thread::sleep_for(milliseconds(500));
  reply.send({.content_type = "text/plain", .body = "done"});
  EXPECT_EQ(client.read().body, "done");
}

TEST_F(HttpLimitsTest, TurnsAwayConnectionsAboveTheLimit) {
  start({.connections = 2});
  RawHttp first(port()), second(port());
  first.send(kGet);
  second.send(kGet);
  EXPECT_EQ(first.read().status, 200);
  EXPECT_EQ(second.read().status, 200);
  EXPECT_EQ(server_->connections(), 2U);
  for (int i = 0; i < 3; ++i) {
    RawHttp third(port());
    third.send(kGet);
    const RawResponse response = third.read();
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(response.header("retry-after"), "1");
    EXPECT_EQ(response.header("connection"), "close");
    EXPECT_TRUE(third.ended());
  }
  first.close();
  EXPECT_TRUE(soon([&] { return server_->connections() == 1; }));
  EXPECT_EQ(ask(kGet).status, 200);
  second.send(kGet);
  EXPECT_EQ(second.read().status, 200);
}

TEST_F(HttpLimitsTest, SurvivesAFloodOfConnectionsAboveTheLimit) {
  start({.connections = 1});
  RawHttp first(port());
  first.send(kGet);
  EXPECT_EQ(first.read().status, 200);
  std::deque<RawHttp> flood;
  for (int i = 0; i < 200; ++i) flood.emplace_back(port());
  first.send(kGet);
  EXPECT_EQ(first.read().status, 200);
  EXPECT_EQ(server_->connections(), 1U);
}

TEST_F(HttpLimitsTest, RestsWhenThereAreNoFileDescriptors) {
  // UBSan opens a pipe to learn whether it may read memory, and reports the memory when it cannot.
  if constexpr (testing::kSanitized) return;
  start();
  RawHttp client(port());
  client.send(kGet);
  EXPECT_EQ(client.read().status, 200);
  rlimit limit = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  std::deque<RawHttp> waiting;
  const int highest = ::fcntl(0, F_DUPFD, 3);
  ASSERT_GE(highest, 3);
  ::close(highest);
  // The client takes the last one.
  rlimit low = limit;
  low.rlim_cur = static_cast<rlim_t>(highest) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  waiting.emplace_back(port());
  EXPECT_TRUE(waiting.back().connected());
  waiting.back().send(kGet);
  const std::clock_t begin = std::clock();
  std::this_thread::sleep_for(milliseconds(250));
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_FALSE(waiting.back().readable(0));
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_LT(seconds, 0.1);
  EXPECT_EQ(waiting.back().read().status, 200);
}

TEST_F(HttpLimitsTest, DropsAnswersForClientsThatAreGone) {
  keep_replies();
  start();
  for (int i = 0; i < 20; ++i) {
    RawHttp client(port());
    client.send(post("abc"));
    HttpReply reply = desk_.next();
    i % 2 == 0 ? client.close() : client.reset();
    std::thread([&] { reply.send({.content_type = "text/plain", .body = std::string(100'000, 'x')}); }).join();
  }
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
  EXPECT_TRUE(soon([&] { return handler_.released == 20; }));
  // Clients that go in the middle of a head or a body.
  for (const std::string& part : {std::string("GET"), post("abc").substr(0, 50), kChunkedHead + "5\r\nab"}) {
    RawHttp client(port());
    client.send(part);
  }
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
}

TEST_F(HttpLimitsTest, UnusedRepliesAreAnswered) {
  handler_.on_handle = [](const HttpRequest& request, HttpReply reply) {
    if (request.target == "/assigned") {
      // NOLINTNEXTLINE(bugprone-unused-local-non-trivial-variable)
      HttpReply other = std::move(reply);
    } else if (request.target == "/thread") {
      std::thread([reply = std::move(reply)]() {}).detach();
    }
  };
  start();
  RawHttp client(port());
  for (const char* target : {"/", "/assigned", "/thread"}) {
    client.send(std::string("GET ") + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    const RawResponse response = client.read();
    EXPECT_EQ(response.status, 500);
    EXPECT_FALSE(response.body.empty());
  }
  EXPECT_EQ(handler_.answers().size(), 3U);
}

TEST_F(HttpLimitsTest, AnswersFromOtherThreadsUnderLoad) {
  constexpr int kClients = 8, kRequests = 150;
  struct Waiting {
    std::string body;
    HttpReply reply;
  };
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Waiting> queue;
  bool done = false;
  handler_.on_handle = [&](HttpRequest request, HttpReply reply) {
    const std::lock_guard lock(mutex);
    queue.push_back({request.target + "|" + request.body, std::move(reply)});
    arrived.notify_one();
  };
  start();
  std::vector<std::thread> workers, clients;
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([&] {
      for (;;) {
        std::unique_lock lock(mutex);
        arrived.wait(lock, [&] { return done || !queue.empty(); });
        if (queue.empty()) return;
        Waiting one = std::move(queue.front());
        queue.pop_front();
        lock.unlock();
        one.reply.send({.content_type = "text/plain", .body = std::move(one.body)});
      }
    });
  }
  std::atomic<int> good = 0;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      RawHttp client(port());
      for (int k = 0; k < kRequests; k += 3) {
        for (int j = 0; j < 3; ++j) client.send(post(std::to_string(i * 1000 + k + j)));
        for (int j = 0; j < 3; ++j) good += client.read().body == "/p|" + std::to_string(i * 1000 + k + j) ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  arrived.notify_all();
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(good, kClients * kRequests);
  EXPECT_EQ(handler_.answers().size(), static_cast<size_t>(kClients * kRequests));
}

}  // namespace
}  // namespace neardup::server
