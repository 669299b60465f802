// MongoDB in a build without its connector (NEARDUP_MONGO): rejects its URIs with the reason.
#include "io/mongo/mongo_source.h"
#include "io/mongo/mongo_target.h"
#include "io/mongo/mongo_uri.h"
#include "neardup/error.h"
#include "neardup/tools/remove_documents.h"

namespace neardup {
namespace {

[[noreturn]] void refuse(const std::string& uri) {
  throw Error(ErrorCode::kUsage, "'" + MongoPlace::parse(uri).shown + "': this neardup was built without MongoDB (NEARDUP_MONGO=ON)");
}

}  // namespace

const SourceKind& mongo_source_kind() {
  static const SourceKind kind{
      .name = "MongoDB",
      .takes = [](const std::string& input, InputFormat) { return MongoPlace::takes(input); },
      .open = [](const std::string& input, const SourceOptions&) -> std::unique_ptr<DocumentSource> { refuse(input); }};
  return kind;
}

const TargetKind& mongo_target_kind() {
  static const TargetKind kind{
      .name = "MongoDB",
      .takes = [](const std::string& target) { return MongoPlace::takes(target); },
      .open = [](const std::string& target, const TargetOptions&) -> std::unique_ptr<LineTarget> { refuse(target); }};
  return kind;
}

std::unique_ptr<RemovedDocuments> make_removed_documents(const std::string& collection, const DocumentSource&, const TargetOptions&) {
  if (!MongoPlace::takes(collection)) {
    throw Error(ErrorCode::kUsage, "documents can be deleted only from a MongoDB collection that is the one input of the run");
  }
  refuse(collection);
}

}  // namespace neardup
