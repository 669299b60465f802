// MongoServer: the connections of one source or target, its error messages, and its retries.
//
// Thread-safe: every call of run() takes its own client from a pool. No sessions, transactions or change streams are used.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/mongo/mongo_library.h"
#include "io/mongo/mongo_uri.h"
#include "io/port/retry.h"

namespace neardup {

struct CursorFree {
  void operator()(mongoc_cursor_t* cursor) const noexcept { mongoc_cursor_destroy(cursor); }
};
using MongoCursor = std::unique_ptr<mongoc_cursor_t, CursorFree>;

class MongoServer {
 public:
  /// One client of the pool, and the collection of the place through it.
  class Lease {
   public:
    /// Throws TransientError when the URI sets waitQueueTimeoutMS and it has passed.
    Lease(mongoc_client_pool_t* pool, const MongoPlace& place, ErrorCode code);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    [[nodiscard]] mongoc_client_t* client() const noexcept { return client_; }
    [[nodiscard]] mongoc_collection_t* collection() const noexcept { return collection_; }

   private:
    mongoc_client_pool_t* const pool_;
    mongoc_client_t* const client_;
    mongoc_collection_t* const collection_;
  };

  /// Does not connect yet. `code` is that of all errors. `stop` is asked before each attempt. Throws Error{kUsage} for options that the
  /// driver does not know.
  MongoServer(MongoPlace place, ErrorCode code, std::function<bool()> stop = {});
  ~MongoServer();
  MongoServer(const MongoServer&) = delete;
  MongoServer& operator=(const MongoServer&) = delete;

  [[nodiscard]] const MongoPlace& place() const noexcept { return place_; }
  [[nodiscard]] std::unique_ptr<Lease> lease() const { return std::make_unique<Lease>(pool_, place_, code_); }

  /// Calls attempt(Lease&) until it does not throw TransientError; gives up with an Error that says that the run can be repeated.
  template <typename Attempt>
  auto run(const Attempt& attempt) const {
    try {
      return retried(Patience{}, [&] {
        check_stop();
        const auto lent = lease();
        return attempt(*lent);
      });
    } catch (const TransientError& error) {
      give_up(error);
    }
  }
  /// The same, once: for the first contact, where waiting does not help.
  template <typename Attempt>
  auto run_once(const Attempt& attempt) const {
    const auto lent = lease();
    return attempt(*lent);
  }

  /// Throws the driver's error: TransientError if a later attempt may succeed.
  [[noreturn]] void fail(std::string_view doing, const bson_error_t& error) const;
  /// Throws an error about this collection.
  [[noreturn]] void refuse(const std::string& what) const;
  void check_stop() const;

 private:
  [[noreturn]] void give_up(const TransientError& error) const;

  const MongoPlace place_;
  const ErrorCode code_;
  const std::function<bool()> stop_;
  mongoc_client_pool_t* pool_ = nullptr;
};

/// True if the connection or the server is temporarily unavailable.
bool is_transient(const bson_error_t& error) noexcept;

/// A document from JSON of our own.
Bson bson_of(const std::string& json);

}  // namespace neardup
