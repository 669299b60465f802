#include "server/http/head_checks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/http/head_scanner.h"

namespace neardup::server {
namespace {

TEST(HeadChecks, WeighsGzip) {
  const auto accepts = [](std::string_view value) {
    HttpHead head;
    BodyHead body;
    const std::vector<HeaderField> fields = {{"Host", "x"}, {"ACCEPT-encoding", value}};
    EXPECT_FALSE(check_head(HttpMethod::kGet, "/", true, fields, head, body));
    return head.accepts_gzip;
  };
  for (const char* yes :
       {"gzip", "GZIP", "x-gzip", "deflate, gzip;q=1.0, *;q=0.5", "gzip;q=0.001", "*", "br;q=0,*", "gzip ; q=0.5", "*;q=0, gzip"}) {
    EXPECT_TRUE(accepts(yes)) << yes;
  }
  for (const char* no : {"", "identity", "br", "gzip;q=0", "gzip;q=0.000", "gzip; Q=0.0", "*;q=0", "*, gzip;q=0", "gzipped", ",,"})
    EXPECT_FALSE(accepts(no)) << no;
}

TEST(HeadChecks, KeepsThePeer) {
  HttpHead head;
  head.peer = "127.0.0.1:1";
  head.authorization = "of the request before";
  BodyHead body;
  const std::vector<HeaderField> fields = {{"Host", "x"}};
  EXPECT_FALSE(check_head(HttpMethod::kGet, "/", true, fields, head, body));
  EXPECT_EQ(head.peer, "127.0.0.1:1");
  EXPECT_EQ(head.authorization, "");
}

// What it finds does not depend on how the bytes arrive.
TEST(HeadScanner, FindsTheSameInPieces) {
  using State = HeadScanner::State;
  struct Case {
    std::string bytes;
    State state;
    size_t size;
  };
  for (const Case& one : {Case{"GET / HTTP/1.1\r\nA: b\r\n\r\nbody", State::kWhole, 24}, Case{"\r\nG\r\n\r\n", State::kWhole, 7},
                          Case{"\r\n\r\n", State::kWhole, 4}, Case{"G\r\n\r", State::kMore, 4}, Case{"\r\n", State::kMore, 2},
                          Case{"G\nA", State::kBareLineEnd, 1}, Case{"\n", State::kBareLineEnd, 0}, Case{"G\r\r\n", State::kBareLineEnd, 2},
                          Case{"G\r\n a", State::kFolded, 3}, Case{"G\r\n\ta", State::kFolded, 3}, Case{"G\x7f", State::kControl, 1}}) {
    for (size_t piece = 1; piece <= one.bytes.size(); ++piece) {
      HeadScanner scanner;
      State state = State::kMore;
      for (size_t end = piece; state == State::kMore && end < one.bytes.size() + piece; end += piece) {
        state = scanner.scan(std::string_view(one.bytes).substr(0, end));
      }
      EXPECT_EQ(state, one.state) << one.bytes << piece;
      EXPECT_EQ(scanner.size(), one.size) << one.bytes << piece;
    }
  }
}

}  // namespace
}  // namespace neardup::server
