#include <utility>

#include "io/mongo/mongo_client.h"
#include "io/mongo/mongo_insert.h"
#include "io/mongo/mongo_queue.h"
#include "io/mongo/mongo_target.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// Every line {"_id": ..., members}: sets the members of the document with this _id. Doing it again changes nothing.
class MongoUpdate final : public LineTarget {
 public:
  MongoUpdate(const std::string& target, const TargetOptions& options)
      : server_(MongoPlace::parse(target), ErrorCode::kOutput, options.stop),
        queue_([this](MongoQueue::Documents& documents) { server_.run([&](MongoServer::Lease& lease) { update(lease, documents); }); }) {}

  void append(std::string_view lines) override {
    while (!lines.empty()) {
      const size_t end = lines.find('\n');
      queue_.add(document_of_line(lines.substr(0, end), server_.place()));
      lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    }
  }
  void commit() override { queue_.finish(); }
  void withdraw() noexcept override {}

  [[nodiscard]] std::string_view key_member() const noexcept override { return "_id"; }
  [[nodiscard]] bool updates() const noexcept override { return true; }

 private:
  void update(MongoServer::Lease& lease, const MongoQueue::Documents& documents) const {
    const Bson options = bson_of(R"({"ordered":false})");
    mongoc_bulk_operation_t* const bulk = mongoc_collection_create_bulk_operation_with_opts(lease.collection(), options.get());
    bson_error_t error{};
    bool built = true;
    for (const Bson& document : documents) {
      bson_iter_t id;
      const Bson which(bson_new());
      const Bson change(bson_new());
      bson_t members;
      if (bson_iter_init_find(&id, document.get(), "_id")) bson_append_iter(which.get(), "_id", -1, &id);
      bson_append_document_begin(change.get(), "$set", -1, &members);
      bson_copy_to_excluding_noinit(document.get(), &members, "_id", nullptr);
      bson_append_document_end(change.get(), &members);
      built = built && mongoc_bulk_operation_update_one_with_opts(bulk, which.get(), change.get(), nullptr, &error);
    }
    const bool done = built && mongoc_bulk_operation_execute(bulk, nullptr, &error) != 0;
    mongoc_bulk_operation_destroy(bulk);
    if (!done) server_.fail("writing verdicts", error);
  }

  const MongoServer server_;
  MongoQueue queue_;
};

}  // namespace

std::unique_ptr<LineTarget> make_mongo_update(const std::string& target, const TargetOptions& options) {
  return std::make_unique<MongoUpdate>(target, options);
}

}  // namespace neardup
