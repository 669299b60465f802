#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/raw_http.h"
#include "support/scripted_http.h"

namespace neardup::server {
namespace {

class HttpStreams : public HttpServerTest {};

TEST_F(HttpStreams, StreamsUntilTheHandlerEnds) {
  keep_replies();
  start();
  for (const bool http_1_1 : {true, false}) {
    RawHttp client(port());
    client.send(http_1_1 ? kGet : "GET /g HTTP/1.0\r\n\r\n");
    std::shared_ptr<HttpStream> stream = desk_.next().stream({.content_type = "text/event-stream", .body = "first"});
    const std::string head = client.read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n"));
    EXPECT_EQ(head.find("Transfer-Encoding: chunked\r\n") != std::string::npos, http_1_1);
    EXPECT_EQ(head.find("Content-Length"), std::string::npos);
    if (http_1_1) {
      EXPECT_EQ(client.read_chunk().second, "first");
      EXPECT_TRUE(stream->write("second"));
      EXPECT_EQ(client.read_chunk().second, "second");
      EXPECT_TRUE(stream->write(""));
      EXPECT_TRUE(stream->write("third"));
      EXPECT_EQ(client.read_chunk().second, "third");
      stream.reset();
      EXPECT_EQ(client.read_chunk(), std::make_pair(true, std::string()));
      EXPECT_TRUE(client.ended());
    } else {
      EXPECT_TRUE(stream->write("second"));
      stream.reset();
      EXPECT_EQ(client.read_rest(), "firstsecond");
    }
  }
  RawHttp client(port());
  client.send("HEAD /g HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::shared_ptr<HttpStream> none = desk_.next().stream({.content_type = "text/event-stream", .body = "first"});
  EXPECT_EQ(client.read(true).header("content-type"), "text/event-stream");
  EXPECT_FALSE(none->write("more"));
  EXPECT_EQ(handler_.answers().size(), 3U);
}

TEST_F(HttpStreams, StreamsNoticeThatTheClientIsGone) {
  keep_replies();
  start({.progress_time = milliseconds(100)});
  for (const bool reset : {false, true}) {
    RawHttp client(port());
    client.send(kGet);
    const std::shared_ptr<HttpStream> stream = desk_.next().stream({.content_type = "text/event-stream"});
    EXPECT_FALSE(client.read_head().empty());
    std::this_thread::sleep_for(milliseconds(200));  // it does not end for want of something to send
    EXPECT_TRUE(stream->write("a"));
    reset ? client.reset() : client.close();
    EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
    EXPECT_FALSE(stream->write("b"));
  }
}

TEST_F(HttpStreams, StreamsEndForClientsThatReadTooSlowly) {
  keep_replies();
  start();
  RawHttp client(port(), 4096);
  client.send(kGet);
  const std::shared_ptr<HttpStream> stream = desk_.next().stream({.content_type = "text/event-stream"});
  EXPECT_FALSE(client.read_head().empty());
  size_t written = 0;
  while (written < (size_t{64} << 20) && stream->write(std::string(10'000, 'x'))) written += 10'000;
  EXPECT_GE(written, (size_t{1} << 20) - 20'000);
  EXPECT_LT(written, size_t{16} << 20);
  EXPECT_FALSE(stream->write("more"));
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
  // One that stops reading with less waiting.
  server_.reset();
  start({.progress_time = milliseconds(100)});
  RawHttp stalled(port(), 4096);
  stalled.send(kGet);
  const std::shared_ptr<HttpStream> other = desk_.next().stream({.content_type = "text/event-stream"});
  EXPECT_TRUE(soon([&] {
    other->write(std::string(100'000, 'x'));
    return server_->connections() == 0;
  }));
}

TEST_F(HttpStreams, StreamsManyPiecesFromManyThreads) {
  keep_replies();
  start();
  RawHttp client(port());
  client.send(kGet);
  std::shared_ptr<HttpStream> stream = desk_.next().stream({.content_type = "text/event-stream"});
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int k = 0; k < 500; ++k) EXPECT_TRUE(stream->write("0123456789"));
    });
  }
  EXPECT_FALSE(client.read_head().empty());
  size_t pieces = 0;
  for (; pieces < 2000; ++pieces) ASSERT_EQ(client.read_chunk().second, "0123456789");
  for (std::thread& writer : writers) writer.join();
}

}  // namespace
}  // namespace neardup::server
