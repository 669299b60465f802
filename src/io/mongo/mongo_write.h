// Writing documents to a collection. MongoQueue: batches of a size that the server accepts, written in order by a separate thread
// (WriteBehind). MongoInserter: stores each document exactly once, however often the connection is lost.
//
// A batch that is sent again finds its stored documents as duplicate keys (11000). Then the stored document is read: equal bytes mean that
// it was already written; others are an error that names the _id. Counts in replies are not used: servers get them wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/mongo/mongo_client.h"
#include "io/mongo/mongo_library.h"
#include "io/port/write_behind.h"

namespace neardup {

/// The document that a line of JSON describes (canonical or relaxed Extended JSON), with _id first. Throws Error{kOutput} that names
/// `place` and the document when it is invalid or too large for MongoDB.
Bson document_of_line(std::string_view line, const MongoPlace& place);

class MongoInserter {
 public:
  /// Neither is owned. `collection`: of the database of the server's place.
  MongoInserter(const MongoServer& server, std::string collection) : server_(server), collection_(std::move(collection)) {}

  /// Throws Error{kOutput}.
  void insert(const std::vector<Bson>& documents);
  /// Documents that the server certainly did not have before.
  [[nodiscard]] uint64_t inserted() const noexcept { return inserted_; }
  /// Documents found stored when a batch was sent again: into a new collection, by this run.
  [[nodiscard]] uint64_t found_again() const noexcept { return found_again_; }

 private:
  using Documents = std::vector<const Bson*>;
  struct Task {
    Documents pending;
    bool ordered = true;    // until an error; then all duplicates are found at once
    uint32_t attempts = 0;  // more than one: the connection was lost
  };
  void insert_once(MongoServer::Lease& lease, Task& task);
  void compare_stored(mongoc_collection_t* collection, const Documents& duplicates) const;

  const MongoServer& server_;
  const std::string collection_;
  uint64_t inserted_ = 0;
  uint64_t found_again_ = 0;
};

class MongoQueue {
 public:
  static constexpr size_t kMaxDocuments = 1000;   // of a batch
  static constexpr size_t kMaxBytes = 16u << 20;  // of a batch, unless one document is larger; a message of MongoDB has at most 48 MB
  static constexpr size_t kMaxWaiting = 3;        // batches

  using Documents = std::vector<Bson>;
  /// The thread calls `write`; add() and finish() rethrow its exception.
  explicit MongoQueue(std::function<void(Documents&)> write);

  void add(Bson document);
  /// A document of each line, by document_of_line().
  void add_lines(std::string_view lines, const MongoPlace& place);
  /// Returns when everything is written.
  void finish();

 private:
  void hand_over();

  Documents batch_;
  size_t batch_bytes_ = 0;
  WriteBehind<Documents> writer_;
};

}  // namespace neardup
