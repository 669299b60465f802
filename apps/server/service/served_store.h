// ServedStore: an online store, and what the service keeps next to it: the queue of its changes, counts, times, the documents that were
// removed last, and those who watch.
//
// Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/compare.h"
#include "neardup/online_store.h"
#include "neardup/sketcher.h"
#include "server/service/check_queue.h"
#include "server/service/event_hub.h"
#include "server/service/latency.h"
#include "server/service/recent_removals.h"

namespace neardup::server {

/// How stores are served.
struct StoreService {
  uint32_t threads = 0;  ///< of a store; 0: all cores
  uint64_t sync_interval_ms = 0;
  uint64_t remembered = 10'000;  ///< removed documents
};

/// What was answered to checks since the store was opened.
enum class CheckCount : uint8_t { kKept, kExactCopy, kNearDuplicate, kRepeated, kConflict, kRefused };
inline constexpr size_t kCheckCounts = 6;
std::string_view to_string(CheckCount count) noexcept;

class ServedStore {
 public:
  /// Opens the store for writing. Throws Error.
  ServedStore(std::string name, const std::string& folder, const StoreService& service);
  /// A new one. Throws Error.
  ServedStore(std::string name, const std::string& folder, const OnlineStoreSpec& spec, const StoreService& service);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] OnlineStore& store() noexcept { return *store_; }
  [[nodiscard]] CheckQueue& queue() noexcept { return queue_; }
  [[nodiscard]] EventHub& events() noexcept { return events_; }
  [[nodiscard]] const RecentRemovals& removals() const noexcept { return removals_; }
  [[nodiscard]] const Latency& check_times() const noexcept { return check_times_; }
  [[nodiscard]] const Latency& query_times() const noexcept { return query_times_; }
  [[nodiscard]] const Latency& sync_times() const noexcept { return *sync_times_; }
  [[nodiscard]] uint64_t count(CheckCount which) const noexcept { return counts_[static_cast<size_t>(which)]; }

  /// Notes the answers of one call, for counts, clusters and watchers. `micros`: since the call came. Before the answers are moved from.
  void note(std::span<const OnlineRequest> requests, std::span<const OnlineAnswer> answers, uint64_t micros);
  /// Requests that never reached the store, such as lines that are not JSON.
  void note_refused(uint64_t count) noexcept { counts_[static_cast<size_t>(CheckCount::kRefused)] += count; }

  void note_queries(uint64_t count, uint64_t micros) { query_times_.record(micros, count); }
  /// Compares two texts, of at most kMostCompared bytes together, by the recipe of the store.
  static constexpr size_t kMostCompared = size_t{1} << 20;  ///< bytes of both texts: passages take longer than in proportion to them
  [[nodiscard]] Comparison compare(std::string_view a, std::string_view b) const;
  /// By the rule of the store.
  [[nodiscard]] bool matches(const Comparison& comparison) const;
  [[nodiscard]] double similarity(const Comparison& comparison) const;
  /// The text of a document; nothing if there is no document with this id, an empty optional inside if the store keeps no texts.
  [[nodiscard]] std::optional<std::optional<std::string>> text_of(std::string_view id) const;

 private:
  ServedStore(std::string name, const std::string& folder, const OnlineStoreSpec* spec, const StoreService& service);
  void note_one(const OnlineRequest& request, const OnlineAnswer& answer, uint64_t now_ms);

  const std::string name_;
  const std::unique_ptr<Latency> sync_times_;  // the store calls it
  const std::unique_ptr<OnlineStore> store_;
  const std::unique_ptr<const Sketcher> sketcher_;
  RecentRemovals removals_;
  Latency check_times_;
  Latency query_times_;
  EventHub events_;
  std::array<std::atomic<uint64_t>, kCheckCounts> counts_{};
  CheckQueue queue_;  // the last: its threads use the others
};

/// Milliseconds since 1970.
uint64_t clock_ms();

}  // namespace neardup::server
