// RemovedDocuments: deletes the removed documents of a run from the MongoDB collection that it read. It is a sink of the run; deletion is a
// separate step afterwards.
//
// Implemented in src/io/mongo/mongo_target.cc; in builds without MongoDB in src/io/mongo/mongo_absent.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "neardup/io.h"

namespace neardup {

class RemovedDocuments : public Sink {
 public:
  /// Deletes the removed documents by their _id, in batches. Call it once, after the run is committed; until then nothing is deleted.
  /// Returns the number of requested deletions. Throws Error{kOutput}; repeating the run deletes the rest.
  virtual uint64_t remove() = 0;
};

/// `collection`: mongodb://..., which must be the only source of the run that is not a reference. Throws Error{kUsage}, Error{kOutput}.
std::unique_ptr<RemovedDocuments> make_removed_documents(const std::string& collection, const DocumentSource& source,
                                                         const TargetOptions& options = {});

}  // namespace neardup
