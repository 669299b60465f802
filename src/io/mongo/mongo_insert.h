// MongoInserter: documents into a collection, each exactly once, however often the connection is lost.
//
// A batch that is sent again meets what it stored before as duplicate keys (11000). The stored document is read then: the same bytes are a
// document that was written already; others are an error that names the _id. Counts of replies are not used: servers get them wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/mongo/bson_handle.h"
#include "io/mongo/mongo_client.h"

namespace neardup {

inline constexpr uint32_t kMostDocumentBytes = 16u << 20;  ///< MongoDB stores no larger document

/// The document that a line of JSON describes (canonical or relaxed Extended JSON), with _id in front. Throws Error{kOutput} that names
/// `place` and the document when there is none or it is above kMostDocumentBytes.
Bson document_of_line(std::string_view line, const MongoPlace& place);

class MongoInserter {
 public:
  /// Neither is owned. `collection`: of the database of the server's place.
  MongoInserter(const MongoServer& server, std::string collection) : server_(server), collection_(std::move(collection)) {}

  /// Throws Error{kOutput}.
  void insert(const std::vector<Bson>& documents);
  /// Documents that the server did not have before, as far as it is known for certain.
  [[nodiscard]] uint64_t inserted() const noexcept { return inserted_; }
  /// Those that were found stored when a batch was sent again: into a new collection, by this run.
  [[nodiscard]] uint64_t found_again() const noexcept { return found_again_; }

 private:
  using Documents = std::vector<const Bson*>;
  struct Task {
    Documents pending;
    bool ordered = true;    // until something went wrong; then all duplicates are found at once
    uint32_t attempts = 0;  // more than one: the connection was lost
  };
  void insert_once(MongoServer::Lease& lease, Task& task);
  void compare_stored(mongoc_collection_t* collection, const Documents& duplicates) const;

  const MongoServer& server_;
  const std::string collection_;
  uint64_t inserted_ = 0;
  uint64_t found_again_ = 0;
};

}  // namespace neardup
