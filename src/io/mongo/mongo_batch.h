// MongoBatch: the documents of one range of ids, fetched when they are read.
#pragma once

#include <memory>

#include "io/bytes/buffer.h"
#include "io/mongo/bson_record.h"
#include "io/mongo/mongo_client.h"
#include "io/mongo/mongo_scan.h"
#include "neardup/source.h"

namespace neardup {

/// What the batches of a source share.
struct MongoContext {
  MongoServer server;
  RecordFields fields;
  Bson where;  ///< or null
  uint64_t max_text_bytes;
  bool exact_types;
  uint64_t document_bytes = 0;  ///< of an average one; 0: unknown
  Pool<BsonRecord> readers;
};

class MongoBatch final : public Batch {
 public:
  /// Neither is owned.
  MongoBatch(MongoContext& context, const MongoRange& range);
  ~MongoBatch() override;

  /// Nothing is asked of the server when no record is wanted. Throws Error{kInput} when the range is not what it was.
  void fetch(Need need) override;
  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override;
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return range_.documents; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return context_.document_bytes * range_.documents; }

 private:
  struct Fetched;
  void load(MongoServer::Lease& lease, Need need, Fetched& fetched) const;

  MongoContext& context_;
  const MongoRange& range_;
  std::unique_ptr<Fetched> ahead_;  // what fetch() got, until it is read
};

}  // namespace neardup
