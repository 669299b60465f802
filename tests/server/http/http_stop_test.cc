#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/raw_http.h"
#include "support/scripted_http.h"

namespace neardup::server {
namespace {

class HttpStop : public HttpServerTest {};

TEST_F(HttpStop, StopLetsReadRequestsBeAnswered) {
  keep_replies();
  start();
  RawHttp awaiting(port()), idle(port()), partial(port()), streaming(port());
  idle.send(kGet);
  desk_.next().send({.content_type = "text/plain", .body = "x"});
  EXPECT_EQ(idle.read().status, 200);
  streaming.send(kGet);
  const std::shared_ptr<HttpStream> stream = desk_.next().stream({.content_type = "text/event-stream", .body = "s"});
  EXPECT_FALSE(streaming.read_head().empty());
  EXPECT_EQ(streaming.read_chunk().second, "s");
  partial.send(post("abc").substr(0, 50));
  awaiting.send(kGet + kGet);
  HttpReply reply = desk_.next();
  EXPECT_TRUE(soon([&] { return server_->connections() == 4; }));
  const uint16_t old_port = port();
  std::thread stopper([&] { server_->stop(milliseconds(8000)); });
  EXPECT_TRUE(idle.ended());
  EXPECT_TRUE(partial.ended());
  EXPECT_EQ(streaming.read_chunk(), std::make_pair(true, std::string()));
  EXPECT_TRUE(streaming.ended());
  EXPECT_FALSE(stream->write("more"));
  EXPECT_TRUE(soon([&] { return !RawHttp(old_port).connected(); }));
  std::this_thread::sleep_for(milliseconds(50));
  reply.send({.content_type = "text/plain", .body = "answered"});
  const RawResponse response = awaiting.read();
  EXPECT_EQ(response.body, "answered");
  EXPECT_EQ(response.header("connection"), "close");
  EXPECT_TRUE(awaiting.ended());
  awaiting.close();
  streaming.close();
  stopper.join();
  EXPECT_EQ(handler_.handled, 3);  // not the second one of the pipeline
  EXPECT_EQ(server_->connections(), 0U);
}

TEST_F(HttpStop, StopDoesNotWaitForEver) {
  keep_replies();
  start();
  RawHttp client(port());
  client.send(post("abc"));
  std::optional<HttpReply> reply = desk_.next();
  const auto begin = steady_clock::now();
  server_->stop(milliseconds(100));
  EXPECT_GE(steady_clock::now() - begin, milliseconds(100));
  EXPECT_LT(steady_clock::now() - begin, milliseconds(5000));
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(handler_.released, 1);
  server_->stop(milliseconds(100));
  server_.reset();
  reply->send({.content_type = "text/plain", .body = "nobody"});
  reply.reset();
}

TEST_F(HttpStop, RepliesAndStreamsOutliveTheServer) {
  keep_replies();
  start();
  RawHttp one(port()), two(port()), three(port());
  for (RawHttp* client : {&one, &two, &three}) client->send(kGet);
  HttpReply reply = desk_.next();
  std::optional<HttpReply> unused = desk_.next();
  const std::shared_ptr<HttpStream> stream = desk_.next().stream({.content_type = "text/event-stream"});
  server_.reset();
  EXPECT_FALSE(stream->write("x"));
  EXPECT_FALSE(reply.stream({.content_type = "text/event-stream"})->write("x"));
  unused.reset();
}

// Replies come from other threads while the server ends.
TEST_F(HttpStop, StopsUnderLoad) {
  for (int round = 0; round < 10; ++round) {
    keep_replies();
    start();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([port = port()] {
        RawHttp client(port);
        while (client.connected() && client.send(post("abc")) && client.read().status == 200) {
        }
      });
    }
    std::atomic<bool> done = false;
    std::thread answerer([&] {
      while (!done) {
        if (std::optional<HttpReply> reply = desk_.try_next()) reply->send({.content_type = "text/plain", .body = "x"});
      }
    });
    std::this_thread::sleep_for(milliseconds(5 + round));
    server_->stop(milliseconds(round % 2 == 0 ? 0 : 1000));
    server_.reset();
    done = true;
    for (std::thread& thread : threads) thread.join();
    answerer.join();
  }
}

}  // namespace
}  // namespace neardup::server
