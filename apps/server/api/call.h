// Call: one request on its way through the API, and what all calls share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/api/api_error.h"
#include "server/http/http.h"
#include "server/keys/keys.h"
#include "server/service/served_folders.h"
#include "server/service/work_pool.h"

namespace neardup::server {

/// How the API is served.
struct ApiOptions {
  std::string version = {};    ///< of the program
  bool only_local = false;     ///< listens on a loopback address, and asks for no keys
  bool open_metrics = false;   ///< /metrics needs no key
  std::string snapshots = {};  ///< the folder of snapshots; empty: none are made
  uint64_t max_body_bytes = uint64_t{32} << 20;
  uint64_t max_line_bytes = uint64_t{8} << 20;    ///< of a body of lines
  uint64_t max_queue_bytes = uint64_t{64} << 20;  ///< bodies of requests that wait, or are being answered
  uint32_t threads = 2;                           ///< that answer questions
};

/// What all calls share. Thread-safe.
struct ApiContext {
  ApiContext(ServedFolders& served, ApiOptions how)
      : folders(served),
        options(std::move(how)),
        questions(options.threads, kMostWaiting),
        changes(2, kMostWaiting),
        upkeep(1, kMostUpkeep) {}

  static constexpr size_t kMostWaiting = 4096;
  static constexpr size_t kMostUpkeep = 16;

  ServedFolders& folders;
  const ApiOptions options;
  std::atomic<uint64_t> queued_bytes = 0;  ///< of bodies, see ApiOptions::max_queue_bytes
  std::atomic<uint64_t> queued_requests = 0;
  std::atomic<bool> stopping = false;
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  WorkPool questions;  ///< what takes milliseconds
  WorkPool changes;    ///< what waits for the disk: if that hangs, questions go on
  WorkPool upkeep;     ///< what takes minutes: compactions and snapshots
};

struct Call {
  HttpRequest request;
  HttpReply reply;
  std::vector<std::string> parameters;  ///< of the path, decoded, in its order
  Role role = Role::kNone;              ///< that its key has; kAdmin if the server asks for no keys
  bool keys = false;                    ///< the server asks for keys
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  [[nodiscard]] uint64_t micros() const {
    const auto took = std::chrono::steady_clock::now() - start;
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  }
  /// A number of the query string. Throws ApiError{400} if it is out of bounds, or given twice.
  [[nodiscard]] std::optional<uint64_t> query_number(std::string_view name, uint64_t least, uint64_t most) const;
  /// Throws ApiError{400} for parameters of the query string with other names.
  void check_query(std::initializer_list<std::string_view> names) const;
};

/// The store, or clue index, that the first parameter names. Throws ApiError{404}.
ServedStore& store_of(const ApiContext& context, const Call& call);
const ClueIndex& clue_index_of(const ApiContext& context, const Call& call);

HttpResponse json_response(std::string body, uint16_t status = 200);

/// Calls work(), and answers by a problem what it throws, if it has not answered.
void answer_guarded(Call& call, const std::function<void()>& work) noexcept;

/// The bytes that a percent-encoded part of a path or query stands for; nothing if it is not well formed.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace neardup::server
