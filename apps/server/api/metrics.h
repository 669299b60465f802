// The metrics of the service in the text format of Prometheus, version 0.0.4.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "server/api/call.h"

namespace neardup::server {

/// Counts of requests. Thread-safe.
struct HttpCounts {
  std::array<std::atomic<uint64_t>, 6> by_class{};  ///< answers by the hundreds of their status
  std::atomic<uint64_t> request_bytes = 0;          ///< of bodies, once they are decompressed
  std::atomic<uint64_t> answer_bytes = 0;
};

std::string metrics_text(const ApiContext& context, const HttpCounts& counts);

}  // namespace neardup::server
