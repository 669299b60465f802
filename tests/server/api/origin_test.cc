#include "server/api/origin.h"

#include <gtest/gtest.h>

namespace neardup::server {
namespace {

HttpHead head(std::string host, std::string origin = {}, std::string site = {}) {
  HttpHead out;
  out.host = std::move(host);
  out.origin = std::move(origin);
  out.fetch_site = std::move(site);
  return out;
}

TEST(Origin, LocalNamesAndAddresses) {
  for (const char* const host : {"localhost", "localhost:8080", "127.0.0.1:80", "[::1]:8080", "[::1]", "10.0.0.1"})
    EXPECT_FALSE(foreign_request(head(host), true)) << host;
  for (const char* const host : {"evil.example", "evil.example:8080", "localhost.evil.example", "", "127.0.0.1.evil.example", "[::1", "[]"})
    EXPECT_TRUE(foreign_request(head(host), true)) << host;
  EXPECT_FALSE(foreign_request(head("dedup.internal"), false));
}

TEST(Origin, ForeignPages) {
  EXPECT_FALSE(foreign_request(head("localhost:8080", "http://localhost:8080", "same-origin"), true));
  EXPECT_FALSE(foreign_request(head("dedup.internal", "https://dedup.internal", "same-origin"), false));
  EXPECT_FALSE(foreign_request(head("localhost:8080", "", "none"), true));
  EXPECT_TRUE(foreign_request(head("localhost:8080", "http://localhost:3000"), true));
  EXPECT_TRUE(foreign_request(head("localhost:8080", "null"), true));
  EXPECT_TRUE(foreign_request(head("localhost:8080", "https://evil.example"), false));
  EXPECT_TRUE(foreign_request(head("localhost:8080", "", "cross-site"), true));
  EXPECT_TRUE(foreign_request(head("localhost:8080", "", "same-site"), true));
}

}  // namespace
}  // namespace neardup::server
