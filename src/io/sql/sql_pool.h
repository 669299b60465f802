// SqlPool: the connections of a source. Those of a server that can do it read one state of the database.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes/retry.h"
#include "io/sql/sql_connection.h"

namespace neardup {

/// Thread-safe.
class SqlPool {
 public:
  SqlPool(SqlAddress address, SqlAccess access) : address_(std::move(address)), access_(access) {}

  /// Calls use(SqlConnection&) with a connection of its own, again with a new one while the connection gets lost.
  template <typename Use>
  void with(const Use& use, const Patience& patience = {}) {
    retried(patience, [&] {
      auto connection = take();
      try {
        use(*connection);
      } catch (const TransientError&) {
        forget_idle();  // a server that is gone took all of them along
        throw;
      }
      give(std::move(connection));  // not reached by what threw: such a connection is done for
    });
  }
  /// Lets go of the connections, and with them of the state that they see.
  void release() {
    const std::lock_guard lock(mutex_);
    idle_.clear();
    leader_.reset();
    snapshot_.clear();
    has_leader_ = false;
  }

 private:
  void forget_idle() {
    const std::lock_guard lock(mutex_);
    idle_.clear();
  }
  std::unique_ptr<SqlConnection> take() {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
    if (!has_leader_) {
      leader_ = connect_sql(address_, access_);
      snapshot_ = leader_->share_snapshot();
      has_leader_ = true;
      if (snapshot_.empty()) return std::move(leader_);
    }
    auto connection = connect_sql(address_, access_);
    if (snapshot_.empty()) return connection;
    try {
      connection->join_snapshot(snapshot_);
    } catch (const Error& error) {  // its owner is gone: the next attempt begins a new one
      leader_.reset();
      has_leader_ = false;
      throw TransientError(access_.code, error.what());
    }
    return connection;
  }
  void give(std::unique_ptr<SqlConnection> connection) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(connection));
  }

  const SqlAddress address_;
  const SqlAccess access_;
  std::mutex mutex_;
  std::unique_ptr<SqlConnection> leader_;  // holds the snapshot that the others join
  std::string snapshot_;
  bool has_leader_ = false;
  std::vector<std::unique_ptr<SqlConnection>> idle_;
};

}  // namespace neardup
