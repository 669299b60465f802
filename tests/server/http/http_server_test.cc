#include "server/http/http_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "neardup/error.h"
#include "support/raw_http.h"
#include "support/scripted_http.h"

namespace neardup::server {
namespace {

TEST_F(HttpServerTest, AnswersWithTheHeadersOfEveryAnswer) {
  start();
  RawHttp client(port());
  client.send(
      "POST /v1/a%2Fb?c=d HTTP/1.1\r\nHost: example.org:80\r\nOrigin: http://o\r\nSec-Fetch-Site: same-origin\r\nAuthorization: Bearer "
      "k\r\n"
      "Content-Type: application/json\r\nIf-None-Match: \"e\"\r\nAccept-Encoding: br, gzip;q=0.5\r\nContent-Length: 4\r\n\r\nbody");
  const RawResponse response = client.read();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "/v1/a%2Fb?c=d|body");
  EXPECT_EQ(response.header("server"), "neardup");
  EXPECT_EQ(response.header("x-content-type-options"), "nosniff");
  EXPECT_EQ(response.header("content-type"), "text/plain");
  EXPECT_EQ(response.header("connection"), "");
  std::tm date = {};
  ASSERT_NE(::strptime(response.header("date").c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date), nullptr);
  EXPECT_LE(std::abs(std::difftime(::timegm(&date), std::time(nullptr))), 5);
  const auto answers = handler_.answers();
  ASSERT_EQ(answers.size(), 1U);
  const HttpHead& head = answers[0].head;
  EXPECT_EQ(head.method, HttpMethod::kPost);
  EXPECT_EQ(head.target, "/v1/a%2Fb?c=d");
  EXPECT_EQ(head.peer, "127.0.0.1:" + std::to_string(client.port()));
  EXPECT_EQ(head.host, "example.org:80");
  EXPECT_EQ(head.origin, "http://o");
  EXPECT_EQ(head.fetch_site, "same-origin");
  EXPECT_EQ(head.authorization, "Bearer k");
  EXPECT_EQ(head.content_type, "application/json");
  EXPECT_EQ(head.if_none_match, "\"e\"");
  EXPECT_TRUE(head.accepts_gzip);
  EXPECT_TRUE(head.has_body);
  EXPECT_EQ(head.content_length, 4U);
  EXPECT_EQ(answers[0].status, 200);
  EXPECT_EQ(answers[0].body_bytes, 4U);
  EXPECT_EQ(answers[0].answer_bytes, response.body.size());
}

TEST_F(HttpServerTest, NoBodyAndFixedBodyAndHeaders) {
  static constexpr std::string_view kFixed = "fixed";
  handler_.on_handle = [](const HttpRequest& request, HttpReply reply) {
    if (request.target == "/204") return reply.send({.status = 204});
    if (request.target == "/empty") return reply.send({.status = 202});
    if (request.target == "/304") return reply.send({.status = 304, .content_type = "text/plain", .body = "not sent"});
    reply.send({.content_type = "text/plain", .fixed_body = kFixed, .headers = {{"X-A", "a\r\nX-B: b"}}});
  };
  start();
  RawHttp client(port());
  client.send("GET /204 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_head().find("Content-Length"), std::string::npos);
  client.send("GET /304 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read().status, 304);
  client.send("GET /empty HTTP/1.1\r\nHost: x\r\n\r\n");
  const RawResponse empty = client.read();
  EXPECT_EQ(empty.status, 202);
  EXPECT_EQ(empty.header("content-length"), "0");
  client.send(kGet);
  const RawResponse fixed = client.read();
  EXPECT_EQ(fixed.body, "fixed");
  EXPECT_EQ(fixed.header("x-a"), "a  X-B: b");
  EXPECT_EQ(fixed.header("x-b"), "");
}

TEST_F(HttpServerTest, HeadIsGetWithoutBody) {
  start();
  RawHttp client(port());
  client.send("HEAD /h HTTP/1.1\r\nHost: x\r\n\r\n" + kGet);
  const RawResponse head = client.read(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "3");
  EXPECT_EQ(client.read().body, "/g|");
  EXPECT_EQ(handler_.answers()[0].answer_bytes, 0U);
}

TEST_F(HttpServerTest, KeepsConnectionsAsTheVersionSays) {
  start();
  struct Case {
    std::string head;
    bool keeps;
  };
  for (const Case& one :
       {Case{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", true}, Case{"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false},
        Case{"GET / HTTP/1.1\r\nHost: x\r\nConnection: a, Close\r\n\r\n", false}, Case{"GET / HTTP/1.0\r\n\r\n", false},
        Case{"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true}}) {
    RawHttp client(port());
    client.send(one.head);
    const RawResponse response = client.read();
    EXPECT_EQ(response.status, 200) << one.head;
    if (one.keeps) {
      EXPECT_EQ(response.header("connection"), one.head.find("HTTP/1.0") == std::string::npos ? "" : "keep-alive");
      client.send(kGet);
      EXPECT_EQ(client.read().status, 200) << one.head;
    } else {
      EXPECT_EQ(response.header("connection"), "close");
      EXPECT_TRUE(client.ended()) << one.head;
    }
  }
  EXPECT_TRUE(soon([&] { return server_->connections() == 0; }));
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  start();
  RawHttp client(port());
  std::string all = "\r\n";
  for (int i = 0; i < 500; ++i) {
    all += "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
  }
  client.send(all);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(client.read().body, "/" + std::to_string(i) + "|abc");
}

TEST_F(HttpServerTest, ReadsTheNextRequestOnlyAfterTheAnswer) {
  keep_replies();
  start();
  RawHttp client(port());
  client.send(kGet + kGet);
  HttpReply first = desk_.next();
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(handler_.handled, 1);
  first.send({.content_type = "text/plain", .body = "first"});
  EXPECT_EQ(client.read().body, "first");
  desk_.next().send({.content_type = "text/plain", .body = "second"});
  EXPECT_EQ(client.read().body, "second");
}

TEST_F(HttpServerTest, TakesRequestsByteByByte) {
  start();
  RawHttp client(port());
  for (const char c : post("xyz") + kChunkedHead + "2;a=\"b\"\r\nab\r\n1\r\nc\r\n0\r\nTrailer: t\r\n\r\n") client.send({&c, 1});
  EXPECT_EQ(client.read().body, "/p|xyz");
  EXPECT_EQ(client.read().body, "/c|abc");
}

TEST_F(HttpServerTest, ContinuesAfterAdmission) {
  start();
  RawHttp client(port());
  client.send("POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.read_head(), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_EQ(client.read().body, "/e|abc");
  // A client that does not wait, and one that has nothing to send.
  client.send("POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_EQ(client.read().body, "/e|abc");
  client.send("GET /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read().body, "/e|");
}

TEST_F(HttpServerTest, AnswersAfterTheClientEndedItsSide) {
  keep_replies();
  start();
  RawHttp client(port());
  client.send(post("abc"));
  client.end_sending();
  HttpReply reply = desk_.next();
  std::this_thread::sleep_for(milliseconds(20));
  reply.send({.content_type = "text/plain", .body = "late"});
  EXPECT_EQ(client.read().body, "late");
  EXPECT_TRUE(client.ended());
}

TEST(HttpServer, NamesWhatItCannotListenOn) {
  ScriptedHandler handler;
  const auto code_of = [&](const HttpAddress& address) {
    try {
      const HttpServer server(address, {}, 1, handler);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(address.host), std::string::npos) << error.what();
      return std::optional(error.code());
    }
    return std::optional<ErrorCode>();
  };
  EXPECT_EQ(code_of({"localhost", 0}), ErrorCode::kUsage);
  EXPECT_EQ(code_of({"", 0}), ErrorCode::kUsage);
  EXPECT_EQ(code_of({"192.0.2.1", 0}), ErrorCode::kOutput);
  const HttpServer taken({"127.0.0.1", 0}, {}, 1, handler);
  EXPECT_NE(taken.address().port, 0);
  EXPECT_EQ(code_of({"127.0.0.1", taken.address().port}), ErrorCode::kOutput);
}

}  // namespace
}  // namespace neardup::server
