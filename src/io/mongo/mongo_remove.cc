#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/temp_file.h"
#include "io/json/line_key.h"
#include "io/mongo/mongo_client.h"
#include "neardup/error.h"
#include "neardup/tools/remove_documents.h"

namespace neardup {
namespace {

constexpr size_t kMostListed = 1000;      // ids in one request
constexpr size_t kPieceBytes = 1u << 20;  // of the file of ids

// The ids wait in a temporary file, one {"_id": ...} a line.
class MongoRemovedDocuments final : public RemovedDocuments {
 public:
  MongoRemovedDocuments(const std::string& collection, const TargetOptions& options)
      : server_(MongoPlace::parse(collection), ErrorCode::kOutput, options.stop), ids_(options.temp_dir) {}

  void format(const Record& record, const Verdict& verdict, std::string& out) const override {
    if (verdict.decision != Decision::kRemove) return;
    out += "{\"_id\":";
    out += member_of(record.raw, "_id");
    out += "}\n";
  }
  void append(uint32_t, std::string_view bytes) override { ids_.append(bytes.data(), bytes.size()); }
  void commit() override { committed_ = true; }
  void withdraw() noexcept override { committed_ = false; }

  uint64_t remove() override {
    if (!committed_) return 0;
    uint64_t removed = 0;
    std::vector<std::string> lines;
    std::string rest;
    for (uint64_t at = 0; at < ids_.size();) {
      const size_t bytes = static_cast<size_t>(std::min<uint64_t>(kPieceBytes, ids_.size() - at));
      const size_t filled = rest.size();
      rest.resize(filled + bytes);
      ids_.read(at, rest.data() + filled, bytes);
      at += bytes;
      size_t begin = 0;
      for (size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', begin)) {
        lines.push_back(rest.substr(begin, end - begin));
        begin = end + 1;
        if (lines.size() == kMostListed) removed += remove_listed(lines);
      }
      rest.erase(0, begin);
    }
    return removed + remove_listed(lines);
  }

 private:
  uint64_t remove_listed(std::vector<std::string>& lines) const {
    if (lines.empty()) return 0;
    const Bson filter(bson_new());
    bson_t in;
    bson_t list;
    bson_append_document_begin(filter.get(), "_id", -1, &in);
    bson_append_array_begin(&in, "$in", -1, &list);
    for (size_t i = 0; i < lines.size(); ++i) {
      const Bson document = bson_of(lines[i]);
      const std::string index = std::to_string(i);
      bson_iter_t id;
      if (bson_iter_init_find(&id, document.get(), "_id")) bson_append_iter(&list, index.data(), static_cast<int>(index.size()), &id);
    }
    bson_append_array_end(&in, &list);
    bson_append_document_end(filter.get(), &in);
    server_.run([&](MongoServer::Lease& lease) {
      bson_error_t error{};
      if (!mongoc_collection_delete_many(lease.collection(), filter.get(), nullptr, nullptr, &error)) {
        server_.fail("deleting documents", error);
      }
      const int64_t left = mongoc_collection_count_documents(lease.collection(), filter.get(), nullptr, nullptr, nullptr, &error);
      if (left < 0) server_.fail("counting documents", error);
      if (left > 0) server_.refuse(fmt::format("{} documents that were deleted are still there: repeat the run", left));
    });
    const uint64_t count = lines.size();
    lines.clear();
    return count;
  }

  const MongoServer server_;
  TempFile ids_;
  bool committed_ = false;
};

}  // namespace

std::unique_ptr<RemovedDocuments> make_removed_documents(const std::string& collection, const DocumentSource& source,
                                                         const TargetOptions& options) {
  const auto refuse = [&] {
    throw Error(ErrorCode::kUsage, "documents can be deleted only from a MongoDB collection that is the one input of the run");
  };
  if (!MongoPlace::takes(collection)) refuse();
  auto removed = std::make_unique<MongoRemovedDocuments>(collection, options);
  const MongoPlace place = MongoPlace::parse(collection);
  if (source.source_count() == 0 || source.source_name(source.source_count() - 1) != place.shown) refuse();
  return removed;
}

}  // namespace neardup
