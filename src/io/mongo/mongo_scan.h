// MongoScan: the ids of a collection in order, cut into ranges of one batch each.
//
// The ids come from one cursor over {_id: 1}. MongoDB compares only values of one kind with $gte and $lte, so a range holds ids of one
// kind: numbers, strings, ObjectIds or dates. Ids of all other types (objects, binary data, NaN, ...) are requested one by one, by $in.
// When the cursor is lost, a new one skips earlier ids and must find the last one again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/mongo/mongo_client.h"

namespace neardup {

/// The range of a batch: the documents whose ids make `hash`, in their order.
struct MongoRange {
  Bson ids;  ///< the filter on _id
  uint32_t documents = 0;
  uint64_t hash = 0;
  std::string first;  ///< id texts, for messages
  std::string last;
};

/// Hash of a sequence of ids: of their types and bytes.
class IdHash {
 public:
  /// `id` is the value of an _id.
  void add(const bson_iter_t& id);
  [[nodiscard]] uint64_t value() const noexcept { return hash_; }

 private:
  uint64_t hash_ = 0;
};

class MongoScan {
 public:
  /// `where` may be null: everything. Neither is owned. `documents`: of a range, at most.
  MongoScan(const MongoServer& server, const bson_t* where, uint32_t documents) : server_(server), where_(where), documents_(documents) {}

  /// For the ranges that follow.
  void set_documents(uint32_t documents) noexcept { documents_ = documents; }
  /// Nothing at the end. Throws Error{kInput}.
  std::optional<MongoRange> next();

 private:
  /// Sets current_ to the next id, or null, and last_ to the one before.
  void advance();
  /// True if there is one more id in cursor_. Throws TransientError when the connection is lost; then there is no cursor.
  bool step();
  /// A new cursor after the ids seen so far.
  void open();

  const MongoServer& server_;
  const bson_t* const where_;
  uint32_t documents_;
  std::unique_ptr<MongoServer::Lease> lease_;
  MongoCursor cursor_;
  Bson current_;       // {_id: ...}
  Bson last_;          // the one before; of all, at the end
  uint64_t seen_ = 0;  // ids that were current_
  bool started_ = false;
};

}  // namespace neardup
