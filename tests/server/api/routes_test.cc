#include "server/api/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "server/api/openapi.h"

namespace neardup::server {
namespace {

std::vector<std::string> parameters_of(HttpMethod method, std::string_view target) {
  const FoundRoute found = find_route(method, target);
  return found.route == nullptr ? std::vector<std::string>{"nothing"} : found.parameters;
}

TEST(Routes, FindTheirParameters) {
  using testing::ElementsAre;
  EXPECT_THAT(parameters_of(HttpMethod::kGet, "/v1/stores/news/documents/a%2Fb%20c?x=1"), ElementsAre("news", "a/b c"));
  EXPECT_THAT(parameters_of(HttpMethod::kHead, "/v1/stores/news"), ElementsAre("news"));
  EXPECT_THAT(parameters_of(HttpMethod::kGet, "/v1/stores/a%00b"), ElementsAre(std::string("a\0b", 3)));
  for (const char* const wrong : {"/v1/stores/", "/v1/stores//stats", "/v1/stores/a%2", "/v1/stores/a%zz", "/v1/stores/a/documents/",
                                  "/v1/stores/a/documents/b/c", "/v1//stores", "//v1/stores", "/v1/stores/a/stats/", "/V1/stores"}) {
    EXPECT_THAT(parameters_of(HttpMethod::kGet, wrong), ElementsAre("nothing")) << wrong;
    EXPECT_EQ(find_route(HttpMethod::kGet, wrong).allowed, "") << wrong;
  }
}

TEST(Routes, NameTheMethodsOfAPath) {
  EXPECT_EQ(find_route(HttpMethod::kPost, "/v1/stores/a").allowed, "GET, HEAD, PUT");
  EXPECT_EQ(find_route(HttpMethod::kOther, "/v1/stores/a/check").allowed, "POST");
  EXPECT_EQ(find_route(HttpMethod::kOther, "/v1/stores/a/check").route, nullptr);
}

// Every call is described, with the role that it needs, and everything that is described exists.
TEST(Routes, AreThoseOfTheDescription) {
  const boost::json::value description = boost::json::parse(openapi_json());
  std::set<std::string> described;
  for (const auto& path : description.at("paths").as_object()) {
    for (const auto& operation : path.value().as_object()) {
      const std::string tag(operation.value().at("tags").at(0).as_string());
      if (path.key() != "/metrics") described.insert(std::string(operation.key()) + " " + std::string(path.key()) + " " + tag);
    }
  }
  std::set<std::string> known;
  for (const Route& route : routes()) {
    const std::string method = route.method == HttpMethod::kGet    ? "get"
                               : route.method == HttpMethod::kPost ? "post"
                               : route.method == HttpMethod::kPut  ? "put"
                                                                   : "delete";
    known.insert(method + " " + std::string(route.path) + " " + (route.role == Role::kNone ? "open" : std::string(to_string(route.role))));
  }
  EXPECT_EQ(known, described);
}

}  // namespace
}  // namespace neardup::server
