// Decider: decides groups of requests one after the other, and writes what they change as one batch of records.
//
// Most of the work is done before, by any thread: prepare_requests() makes the sketches, and looks for matches among everything that was
// decided by then. Only what was decided since is looked at again when it is the turn of the group.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/online_store.h"
#include "online/log/record_log.h"
#include "online/store_parts.h"
#include "online/wal_sync.h"
#include "online/work_context.h"

namespace neardup {

/// A request, and what is known of it.
struct PreparedRequest {
  const OnlineRequest* request = nullptr;
  Prepared text;
  std::string problem;        ///< not empty: invalid
  uint64_t looked_up_to = 0;  ///< `match` is the first among the sequences below it
  std::optional<Match> match;
  uint64_t generation = 0;  ///< in which it was found
  std::string keeper_id;    ///< of the match
};

class Decider {
 public:
  Decider(const OnlineSettings& settings, RecordLog& log, StoreParts& parts, WalSync& sync)
      : settings_(settings), log_(log), parts_(parts), sync_(sync), next_(parts.end()), clock_(parts.logged_time()) {}

  /// In any thread. `end`: only documents below it are seen.
  void prepare_requests(std::span<const OnlineRequest> requests, uint64_t now, uint64_t end, WorkContext& context,
                        std::vector<PreparedRequest>& out) const;
  /// What was found, without a change.
  static OnlineAnswer answer_of(const PreparedRequest& request);

  /// Decides the group at now(). Returns the end of the sequences that must be on the disk before the answers may be given. Throws
  /// Error{kOutput}; then the store takes no more changes; and Error{kInput} for a damaged file: then nothing was decided. Any number of
  /// threads; one group at a time.
  uint64_t decide(std::span<PreparedRequest> group, WorkContext& context, std::span<OnlineAnswer> answers);
  uint64_t remove(std::span<const std::string_view> ids, uint64_t now, WorkContext& context, std::vector<bool>& deleted);

  /// The document with this id, if it is in the store at this time, with its expiry as it is now. `changes`: Visible::changes.
  std::optional<RowHead> find_id(std::string_view id, uint64_t now, WorkContext& context, const Liveness* changes = nullptr) const;
  /// The time of the store: the latest that a change was asked for.
  [[nodiscard]] uint64_t now() const;
  /// Sets it to `now` if that is later, and returns it.
  uint64_t advance(uint64_t now);

  /// Calls work() while nothing is decided.
  void pause(const std::function<void()>& work);

 private:
  struct Group;
  std::optional<Match> find(const Visible& visible, const Prepared& text, WorkContext& context) const;
  static void prefetch(const Visible& visible, const PreparedRequest& request, const WorkContext& context);
  void decide_one(PreparedRequest& request, WorkContext& context, Group& group, OnlineAnswer& answer);
  bool decide_known(PreparedRequest& request, WorkContext& context, Group& group, OnlineAnswer& answer);
  static bool is_current(const Visible& visible, PreparedRequest& request);
  void look_again(PreparedRequest& request, WorkContext& context, Group& group) const;
  void keep(PreparedRequest& request, Group& group, OnlineAnswer& answer);
  void touch(const PreparedRequest& request, Group& group);
  void erase(uint64_t sequence, Group& group);
  uint64_t decide_all(Group& group, const std::function<void()>& decide);
  void write(Group& group);
  [[nodiscard]] uint64_t expiry_of(const OnlineRequest& request, uint64_t now) const noexcept;
  void read_keeper(PreparedRequest& request, WorkContext& context) const;

  const OnlineSettings& settings_;
  RecordLog& log_;
  StoreParts& parts_;
  WalSync& sync_;

  mutable std::mutex deciding_;
  uint64_t next_;   // the next sequence
  uint64_t clock_;  // guarded by deciding_, as next_ is
};

}  // namespace neardup
