#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "support/compressed.h"
#include "support/raw_http.h"
#include "support/scripted_http.h"

namespace neardup::server {
namespace {

class HttpRefusals : public HttpServerTest {};

using neardup::testing::gzip_member;
using neardup::testing::zstd_frame;

TEST_F(HttpRefusals, RefusesWhatMayBeReadDifferently) {
  start();
  struct Case {
    int status;
    std::string bytes;
  };
  const std::string host = "Host: x\r\n";
  const std::string chunk = "\r\n5\r\nhello\r\n0\r\n\r\n";
  const auto head = [&](const std::string& fields) { return "POST / HTTP/1.1\r\n" + host + fields; };
  const std::vector<Case> cases = {
      {400, head("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + chunk},
      {400, head("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + chunk},
      {400, head("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n") + chunk},
      {400, head("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n") + chunk},
      {501, head("Transfer-Encoding: gzip, chunked\r\n") + chunk},
      {501, head("Transfer-Encoding: identity\r\n") + "\r\n"},
      {501, head("Transfer-Encoding: chunked, identity\r\n") + chunk},
      {501, head("Transfer-Encoding: xchunked\r\n") + chunk},
      {501, head("Transfer-Encoding: \r\n") + "\r\n"},
      {400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n" + chunk},
      {400, head("Transfer-Encoding : chunked\r\n") + chunk},
      {400, head("Content-Length : 5\r\n\r\nhello")},
      {400, head(" Content-Length: 5\r\n\r\nhello")},
      {400, head("Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello")},
      {400, head("Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello")},
      {400, head("Content-Length: 5, 5\r\n\r\nhello")},
      {400, head("Content-Length: +5\r\n\r\nhello")},
      {400, head("Content-Length: -5\r\n\r\nhello")},
      {400, head("Content-Length: 0x5\r\n\r\nhello")},
      {400, head("Content-Length: 5 5\r\n\r\nhello")},
      {400, head("Content-Length: \r\n\r\n")},
      {400, head("Content-Length: 18446744073709551616\r\n\r\n")},
      {400, head("Content-Length: 99999999999999999999999999\r\n\r\n")},
      {413, head("Content-Length: 18446744073709551615\r\n\r\n")},
      {413, head("Content-Length: 1001\r\n\r\n")},
      {413, head("Content-Length: 66537\r\nContent-Encoding: gzip\r\n\r\n")},
      {415, head("Content-Length: 5\r\nContent-Encoding: br\r\n\r\nhello")},
      {415, head("Content-Length: 5\r\nContent-Encoding: gzip, gzip\r\n\r\nhello")},
      {400, head("Content-Length: 5\r\nContent-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\nhello")},
      {417, head("Content-Length: 5\r\nExpect: everything\r\n\r\nhello")},
      {400, head("Authorization: a\r\nAuthorization: b\r\n\r\n")},
      {400, "GET / HTTP/1.1\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
      {400, "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"},
      {400, "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "GET /\xc3\xa4 HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "GET / a HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "GET /\r\n\r\n"},
      {400, "G@T / HTTP/1.1\r\nHost: x\r\n\r\n"},
      {505, "GET / HTTP/2.0\r\nHost: x\r\n\r\n"},
      {505, "GET / HTTP/0.9\r\n\r\n"},
      {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
      {400, "GET / HTTP/1.1\nHost: x\n\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\r\n\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\n Host: x\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\r\n: c\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: x\r\nA: b\x01\r\n\r\n"},
      {400, std::string("GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", 36)},
      {400, "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"},
      {400, "\x16\x03\x01\x02"},  // TLS
  };
  for (const Case& one : cases) {
    RawHttp client(port());
    client.send(one.bytes + kGet);
    const RawResponse response = client.read();
    EXPECT_EQ(response.status, one.status) << one.bytes << response.body;
    EXPECT_EQ(response.header("connection"), "close") << one.bytes;
    EXPECT_TRUE(client.ended()) << one.bytes;
  }
  EXPECT_EQ(handler_.handled, 0);
  EXPECT_EQ(handler_.answers().size(), cases.size());
}

TEST_F(HttpRefusals, TakesUnusualRequests) {
  start();
  for (const std::string& bytes :
       {std::string("PATCH / HTTP/1.1\r\nHost: x\r\n\r\n"), std::string("X-Y / HTTP/1.1\r\nHOST: [::1]:8080\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost:\t a.b:80 \t\r\nEmpty:\r\nBytes: \xff\xfe\r\n\r\n"), std::string("GET / HTTP/1.0\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Encoding: br\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n")}) {
    EXPECT_EQ(ask(bytes).status, 200) << bytes;
  }
  EXPECT_EQ(handler_.answers()[0].head.method, HttpMethod::kOther);
  EXPECT_EQ(handler_.answers()[1].head.method, HttpMethod::kOther);
}

TEST_F(HttpRefusals, BoundsHeads) {
  start();
  const std::string begin = "GET / HTTP/1.1\r\nHost: x\r\nA: ";
  EXPECT_EQ(ask(begin + std::string(8192 - begin.size() - 4, 'a') + "\r\n\r\n").status, 200);
  EXPECT_EQ(ask(begin + std::string(8192 - begin.size() - 3, 'a') + "\r\n\r\n").status, 431);
  EXPECT_EQ(ask(begin + std::string(100'000, 'a')).status, 431);
  EXPECT_EQ(ask("GET /" + std::string(20'000, 'a')).status, 431);
  std::string fields = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 99; ++i) fields += "A: b\r\n";
  EXPECT_EQ(ask(fields + "\r\n").status, 200);
  EXPECT_EQ(ask(fields + "A: b\r\n\r\n").status, 431);
}

TEST_F(HttpRefusals, BoundsChunks) {
  start();
  EXPECT_EQ(ask(kChunkedHead + "3e8\r\n" + std::string(1000, 'a') + "\r\n0\r\n\r\n").status, 200);
  EXPECT_EQ(ask(kChunkedHead + "3e9\r\n").status, 413);
  EXPECT_EQ(ask(kChunkedHead + "3e8\r\n" + std::string(1000, 'a') + "\r\n1\r\nb\r\n0\r\n\r\n").status, 413);
  EXPECT_EQ(ask(kChunkedHead + "ffffffffffffffff\r\n").status, 413);
  for (const std::string bad :
       {"fffffffffffffffff\r\n", "10000000000000000\r\n", "-1\r\n", "0x1\r\na\r\n", "+1\r\na\r\n", " 1\r\na\r\n", "\r\n", "g\r\n",
        "1\r\nab\r\n", "1\na\r\n0\r\n\r\n", "1\r\na\n0\r\n\r\n", "1;a=\"b\r\nc\"\r\n", "1 x\r\na\r\n0\r\n\r\n", "0\r\nTrailer : x\r\n\r\n",
        "0\r\nContent-Length: 5\r\n\r\n", "0\r\nbad\r\n\r\n"}) {
    EXPECT_EQ(ask(kChunkedHead + bad + "0\r\n\r\n").status, 400) << bad;
  }
  EXPECT_EQ(ask(kChunkedHead + "1;" + std::string(40'000, 'x')).status, 400);
  EXPECT_EQ(ask(kChunkedHead + "0\r\nT: " + std::string(40'000, 'x')).status, 400);
  // Chunks of one byte are fine, but not when their extensions are much larger.
  std::string small, padded;
  for (int i = 0; i < 900; ++i) {
    small += "1\r\nx\r\n";
    padded += "1;" + std::string(200, 'y') + "\r\nx\r\n";
  }
  EXPECT_EQ(ask(kChunkedHead + small + "0\r\n\r\n").status, 200);
  EXPECT_EQ(ask(kChunkedHead + padded + "0\r\n\r\n").status, 400);
}

TEST_F(HttpRefusals, DecodesBodies) {
  start();
  const std::string text(900, 't');
  EXPECT_EQ(ask(post(gzip_member(text), "Content-Encoding: gzip\r\n")).body, "/p|" + text);
  EXPECT_EQ(ask(post(gzip_member("a") + gzip_member("b"), "Content-Encoding: x-gzip\r\n")).body, "/p|ab");
  EXPECT_EQ(ask(post(zstd_frame(text), "Content-Encoding: zstd\r\n")).body, "/p|" + text);
  EXPECT_EQ(ask(post(zstd_frame("a") + zstd_frame("b"), "Content-Encoding: ZSTD\r\n")).body, "/p|ab");
  EXPECT_EQ(ask(post(text, "Content-Encoding: identity\r\n")).body, "/p|" + text);
  const std::string sent = gzip_member(text);
  const std::string chunked = "POST /c HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(ask(chunked + "5\r\n" + sent.substr(0, 5) + "\r\n" +
                [&] {
                  char size[32];
                  std::snprintf(size, sizeof size, "%zx\r\n", sent.size() - 5);
                  return std::string(size);
                }() +
                sent.substr(5) + "\r\n0\r\n\r\n")
                .body,
            "/c|" + text);
  for (const bool gzip : {true, false}) {
    const std::string encoding = gzip ? "Content-Encoding: gzip\r\n" : "Content-Encoding: zstd\r\n";
    const std::string good = gzip ? gzip_member("text") : zstd_frame("text");
    const std::string bomb = gzip ? gzip_member(std::string(1 << 20, 'b')) : zstd_frame(std::string(1 << 20, 'b'));
    EXPECT_EQ(ask(post(good.substr(0, good.size() - 1), encoding)).status, 400);
    EXPECT_EQ(ask(post(good + "garbage", encoding)).status, 400);
    EXPECT_EQ(ask(post("plain", encoding)).status, 400);
    EXPECT_EQ(ask(post(bomb, encoding)).status, 413);
  }
  EXPECT_EQ(ask(chunked + "0\r\n\r\n").status, 400);
  const RawResponse unknown = ask(post("x", "Content-Encoding: br\r\n"));
  EXPECT_EQ(unknown.header("accept-encoding"), "gzip, zstd");
}

TEST_F(HttpRefusals, TakesBodiesLargerThanItsBuffer) {
  handler_.on_admit = [](const HttpHead&) { return HttpAdmission{{}, 8 << 20, 1}; };
  handler_.on_handle = [](HttpRequest request, HttpReply reply) {
    reply.send({.content_type = "text/plain", .body = std::move(request.body)});
  };
  start();
  std::string body(5 << 20, '\0');
  for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>('a' + i * i % 26);
  RawHttp client(port());
  std::thread sender([&] { client.send(post(body)); });
  EXPECT_EQ(client.read().body, body);
  sender.join();
}

TEST_F(HttpRefusals, AdmissionRefusesBeforeTheBody) {
  handler_.on_admit = [](const HttpHead& head) {
    HttpAdmission admission = {{}, kMaxBody, 5};
    if (head.target != "/ok")
      admission.refusal =
          HttpResponse{.status = 401, .content_type = "text/plain", .body = "no", .headers = {{"WWW-Authenticate", "Bearer"}}};
    return admission;
  };
  start();
  RawHttp client(port());
  // Without a body the connection goes on.
  client.send(
      "GET /no HTTP/1.1\r\nHost: x\r\n\r\nGET /ok HTTP/1.1\r\nHost: x\r\n\r\nPOST /no HTTP/1.1\r\nHost: x\r\nExpect: "
      "100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(client.read().status, 401);
  EXPECT_EQ(client.read().status, 200);
  const RawResponse refused = client.read();
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.header("www-authenticate"), "Bearer");
  EXPECT_EQ(refused.header("connection"), "close");
  EXPECT_TRUE(client.ended());
  EXPECT_EQ(handler_.handled, 1);
}

// A client that sends all of its body before it reads: it must get the answer, not a reset.
TEST_F(HttpRefusals, RefusalReachesAClientThatStillSends) {
  handler_.on_admit = [](const HttpHead&) {
    return HttpAdmission{HttpResponse{.status = 429, .content_type = "text/plain", .body = "later"}, 0, 0};
  };
  start();
  for (int round = 0; round < 5; ++round) {
    RawHttp client(port());
    EXPECT_TRUE(client.send(post(std::string(8 << 20, 'x'))));
    const RawResponse response = client.read();
    EXPECT_EQ(response.status, 429);
    EXPECT_EQ(response.body, "later");
    EXPECT_TRUE(client.ended());
  }
}

}  // namespace
}  // namespace neardup::server
