// RemovedDocuments: deletes what a run removed from the MongoDB collection that it read. A sink of that run, and then an act of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "neardup/io.h"

namespace neardup {

class RemovedDocuments : public Sink {
 public:
  /// The documents that the run removed, by their _id, in batches. To be called once, after the run is committed; until then nothing is
  /// deleted. Returns how many were asked for. Throws Error{kOutput}; repeating the run deletes the rest.
  virtual uint64_t remove() = 0;
};

/// `collection`: mongodb://..., which must be the only source of the run that is not a reference. Throws Error{kUsage}, Error{kOutput}.
std::unique_ptr<RemovedDocuments> make_removed_documents(const std::string& collection, const DocumentSource& source,
                                                         const TargetOptions& options = {});

}  // namespace neardup
