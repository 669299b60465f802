#include "server/service/event_hub.h"

#include <utility>

namespace neardup::server {

bool EventHub::has_room() const {
  const std::lock_guard lock(mutex_);
  return streams_.size() < kMostWatchers;
}

void EventHub::add(std::shared_ptr<HttpStream> stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(std::move(stream));
}

void EventHub::decision(const std::function<std::string()>& make) {
  const std::lock_guard lock(mutex_);
  if (!streams_.empty() && decisions_.size() < kMostDecisions) decisions_.push_back(make());
}

void EventHub::tick(const std::function<std::string()>& stats) {
  std::vector<std::shared_ptr<HttpStream>> streams;
  std::vector<std::string> decisions;
  {
    const std::lock_guard lock(mutex_);
    if (streams_.empty()) return;
    streams = streams_;
    decisions.swap(decisions_);
  }
  std::string piece;
  for (const std::string& decision : decisions) piece += "event: decision\ndata: " + decision + "\n\n";
  piece += "event: stats\ndata: " + stats() + "\n\n";
  for (const auto& stream : streams) {
    if (stream->write(piece)) continue;
    const std::lock_guard lock(mutex_);
    std::erase(streams_, stream);
    if (streams_.empty()) decisions_.clear();  // the next one does not want old ones
  }
}

}  // namespace neardup::server
