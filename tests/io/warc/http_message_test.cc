#include "io/warc/http_message.h"

#include <gtest/gtest.h>

#include <string>

namespace neardup {
namespace {

TEST(HttpBody, HeadAndFields) {
  const HttpHead head = read_http_head("HTTP/1.1 200 OK\r\nA: 1\r\ncontent-TYPE :  x; y\r\n\r\nbody");
  EXPECT_TRUE(head.is_http);
  EXPECT_EQ(head.status, 200u);
  EXPECT_EQ(HeaderFields(head.fields)["Content-Type"], "x; y");
  EXPECT_EQ(HeaderFields(head.fields)["Content"], "");
  EXPECT_EQ(head.bytes, std::string("HTTP/1.1 200 OK\r\nA: 1\r\ncontent-TYPE :  x; y\r\n\r\n").size());
  EXPECT_FALSE(read_http_head("HTTP/1.1 20").is_http);
  EXPECT_FALSE(read_http_head("GET / HTTP/1.1\r\n\r\n").is_http);
}

}  // namespace
}  // namespace neardup
