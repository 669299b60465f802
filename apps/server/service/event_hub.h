// EventHub: the clients that watch a store by server-sent events.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/http/http.h"

namespace neardup::server {

class EventHub {
 public:
  static constexpr size_t kMostWatchers = 64;
  static constexpr size_t kMostDecisions = 50;  ///< between two ticks

  /// False if too many watch already.
  [[nodiscard]] bool has_room() const;
  void add(std::shared_ptr<HttpStream> stream);
  /// A decision, as the data of an event: one line. `make` is called only if someone watches and not too many came.
  void decision(const std::function<std::string()>& make);
  /// Sends the decisions since the last call, and what `stats` returns; it is called only if someone watches.
  void tick(const std::function<std::string()>& stats);

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<HttpStream>> streams_;
  std::vector<std::string> decisions_;
};

}  // namespace neardup::server
