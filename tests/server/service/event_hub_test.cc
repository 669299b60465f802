#include "server/service/event_hub.h"

#include <gtest/gtest.h>

namespace neardup::server {
namespace {

class FakeStream final : public HttpStream {
 public:
  bool write(std::string piece) override {
    if (gone) return false;
    received += piece;
    return true;
  }
  std::string received;
  bool gone = false;
};

TEST(EventHub, SendsDecisionsAndStatistics) {
  EventHub hub;
  auto stream = std::make_shared<FakeStream>();
  hub.add(stream);
  hub.decision([] { return std::string("{\"id\":\"a\"}"); });
  hub.tick([] { return std::string("{\"kept\":1}"); });
  EXPECT_EQ(stream->received, "event: decision\ndata: {\"id\":\"a\"}\n\nevent: stats\ndata: {\"kept\":1}\n\n");
  stream->received.clear();
  hub.tick([] { return std::string("{}"); });
  EXPECT_EQ(stream->received, "event: stats\ndata: {}\n\n");
}

TEST(EventHub, MakesNothingForNobody) {
  EventHub hub;
  const auto fail = [] {
    ADD_FAILURE() << "nobody watches";
    return std::string();
  };
  hub.decision(fail);
  hub.tick(fail);
  auto stream = std::make_shared<FakeStream>();
  hub.add(stream);
  stream->gone = true;
  hub.tick([] { return std::string("{}"); });
  hub.tick(fail);
}

TEST(EventHub, BoundsDecisionsAndWatchers) {
  EventHub hub;
  auto stream = std::make_shared<FakeStream>();
  hub.add(stream);
  for (int i = 0; i < 1000; ++i) hub.decision([] { return std::string("{}"); });
  hub.tick([] { return std::string("{}"); });
  size_t events = 0;
  for (size_t at = 0; (at = stream->received.find("event: decision", at)) != std::string::npos; ++at) ++events;
  EXPECT_EQ(events, EventHub::kMostDecisions);
  for (size_t i = 1; i < EventHub::kMostWatchers; ++i) {
    EXPECT_TRUE(hub.has_room());
    hub.add(stream);
  }
  EXPECT_FALSE(hub.has_room());
}

}  // namespace
}  // namespace neardup::server
