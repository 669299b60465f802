#include "io/mongo/mongo_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_file.h"
#include "io/json/added_members.h"
#include "io/json/field_text.h"
#include "io/mongo/mongo_client.h"
#include "io/mongo/mongo_write.h"
#include "io/port/source_traits.h"
#include "neardup/error.h"
#include "neardup/tools/remove_documents.h"

namespace neardup {
namespace {

constexpr std::string_view kPartial = ".neardup-partial";
constexpr uint32_t kNamespaceNotFound = 26;
constexpr size_t kMaxIdsOfDelete = 1000;  // ids that one request deletes
constexpr size_t kPieceBytes = 1u << 20;  // of the file of ids

using Existing = TargetOptions::Existing;

// --annotate into the collection that is read. Every line {"_id": ..., members} sets the members of the document with this _id. Idempotent.
class MongoUpdate final : public LineTarget {
 public:
  MongoUpdate(const std::string& target, const TargetOptions& options)
      : server_(MongoPlace::parse(target), ErrorCode::kOutput, options.stop),
        queue_([this](MongoQueue::Documents& documents) { server_.run([&](MongoServer::Lease& lease) { update(lease, documents); }); }) {}

  void append(std::string_view lines) override { queue_.add_lines(lines, server_.place()); }
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

// Writes documents to NAME.neardup-partial, which becomes NAME at commit(); or directly to NAME with existing documents.
class MongoTarget final : public LineTarget {
 public:
  MongoTarget(const std::string& target, const TargetOptions& options)
      : existing_(options.existing),
        server_(MongoPlace::parse(target), ErrorCode::kOutput, options.stop),
        name_(server_.place().collection),
        written_(existing_ == Existing::kAppend ? name_ : name_ + std::string(kPartial)),
        inserter_(server_, written_) {
    server_.run_once([&](MongoServer::Lease& lease) {
      before_ = count(lease, name_);
      if (existing_ == Existing::kRefuse) require_empty();
      if (existing_ == Existing::kAppend) return;
      drop(lease, written_);  // left by an interrupted run
      create(lease, written_);
    });
    queue_.emplace([this](MongoQueue::Documents& documents) { inserter_.insert(documents); });
  }
  ~MongoTarget() override {
    queue_.reset();
    if (existing_ == Existing::kAppend || committed_) return;
    drop_quietly(written_);
  }
  MongoTarget(const MongoTarget&) = delete;
  MongoTarget& operator=(const MongoTarget&) = delete;

  void append(std::string_view lines) override { queue_->add_lines(lines, server_.place()); }

  void commit() override {
    queue_->finish();
    server_.run([&](MongoServer::Lease& lease) {
      if (existing_ == Existing::kAppend) {
        check_appended(count(lease, name_));
      } else {
        rename(lease);
      }
    });
    committed_ = true;
  }

  void withdraw() noexcept override {
    if (committed_ && existing_ == Existing::kRefuse) drop_quietly(name_);
  }

  [[nodiscard]] std::string_view key_member() const noexcept override { return "_id"; }

 private:
  void require_empty() const {
    if (before_ > 0) {
      server_.refuse(fmt::format("it already holds {} documents; --append adds to them, --replace replaces them", before_));
    }
  }

  uint64_t count(MongoServer::Lease& lease, const std::string& name) const {
    mongoc_collection_t* const collection = mongoc_client_get_collection(lease.client(), server_.place().database.c_str(), name.c_str());
    const Bson all(bson_new());
    bson_error_t error{};
    const int64_t documents = mongoc_collection_count_documents(collection, all.get(), nullptr, nullptr, nullptr, &error);
    mongoc_collection_destroy(collection);
    if (documents < 0) server_.fail("counting documents", error);
    return static_cast<uint64_t>(documents);
  }

  bool command(MongoServer::Lease& lease, const std::string& database, const std::string& json, bson_error_t& error) const {
    const Bson request = bson_of(json);
    return mongoc_client_command_simple(lease.client(), database.c_str(), request.get(), nullptr, nullptr, &error);
  }
  static std::string quoted(const std::string& text) {
    std::string json;
    append_json_string(text, json);
    return json;
  }

  void drop(MongoServer::Lease& lease, const std::string& name) const {
    bson_error_t error{};
    if (command(lease, server_.place().database, fmt::format(R"({{"drop":{}}})", quoted(name)), error)) return;
    if (error.code != kNamespaceNotFound && std::string_view(error.message).find("ns not found") == std::string_view::npos) {
      server_.fail("dropping '" + name + "'", error);
    }
  }
  void drop_quietly(const std::string& name) const noexcept {
    try {
      server_.run_once([&](MongoServer::Lease& lease) { drop(lease, name); });
    } catch (const std::exception&) {  // the next run drops it
    }
  }
  // So that a run without kept documents makes an empty collection.
  void create(MongoServer::Lease& lease, const std::string& name) const {
    bson_error_t error{};
    if (!command(lease, server_.place().database, fmt::format(R"({{"create":{}}})", quoted(name)), error)) {
      server_.fail("creating '" + name + "'", error);
    }
  }

  void check_appended(uint64_t after) const {
    if (after >= before_ + inserter_.inserted()) return;
    server_.refuse(
        fmt::format("{} documents were added to {} existing ones, but now it has {}: repeat the run, which recognizes stored documents",
                    inserter_.inserted(), before_, after));
  }

  void rename(MongoServer::Lease& lease) {
    const uint64_t stored = count(lease, written_);
    // A retry after a lost reply finds the rename done.
    const uint64_t expected = inserter_.inserted() + inserter_.found_again();
    if (stored == 0 && expected > 0 && renaming_ && count(lease, name_) == expected) return;
    if (stored != expected) {
      server_.refuse(fmt::format("{} documents were written, but the server has {} of them; '{}' is unchanged: repeat the run", expected,
                                 stored, name_));
    }
    if (existing_ == Existing::kRefuse && !renaming_) {
      before_ = count(lease, name_);  // another process may have filled it
      require_empty();
    }
    renaming_ = true;
    const std::string& database = server_.place().database;
    bson_error_t error{};
    if (!command(lease, "admin",
                 fmt::format(R"({{"renameCollection":{},"to":{},"dropTarget":true}})", quoted(database + "." + written_),
                             quoted(database + "." + name_)),
                 error)) {
      server_.fail("renaming '" + written_ + "'", error);
    }
  }

  const Existing existing_;
  const MongoServer server_;
  const std::string name_;
  const std::string written_;
  MongoInserter inserter_;
  std::optional<MongoQueue> queue_;
  uint64_t before_ = 0;  // documents in name_
  bool renaming_ = false;
  bool committed_ = false;
};

// How many sources of the run are the collection of `place`; references do not count.
struct SourceCount {
  uint32_t same = 0;
  uint32_t others = 0;
};
SourceCount count_sources(const MongoPlace& place, const DocumentSource* source) {
  SourceCount count;
  for (uint32_t i = 0; source != nullptr && i < source->source_count(); ++i) {
    const std::string_view name = source->source_name(i);
    const bool same = MongoPlace::takes(name) && same_collection(MongoPlace::parse(name), place);
    if (same) {
      ++count.same;
    } else if (i >= TraitsOf(*source).reference_sources()) {
      ++count.others;
    }
  }
  return count;
}

std::unique_ptr<LineTarget> open_mongo_target(const std::string& target, const TargetOptions& options) {
  const MongoPlace place = MongoPlace::parse(target);
  const SourceCount sources = count_sources(place, options.source);
  if (sources.same == 0) return std::make_unique<MongoTarget>(target, options);
  if (options.lines != TargetOptions::Lines::kAnnotated)
    throw Error(ErrorCode::kUsage, "the output '" + place.shown + "' is also an input");
  if (sources.others > 0) {
    throw Error(ErrorCode::kUsage, "verdicts are written back to '" + place.shown + "' only when it is the one input of the run");
  }
  return std::make_unique<MongoUpdate>(target, options);
}

// Deletes the removed documents. Their ids are kept in a temporary file, one {"_id": ...} per line.
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
        if (lines.size() == kMaxIdsOfDelete) removed += remove_listed(lines);
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
      if (left > 0) server_.refuse(fmt::format("{} deleted documents still exist: repeat the run", left));
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

const TargetKind& mongo_target_kind() {
  static const TargetKind kind{
      .name = "MongoDB", .takes = [](const std::string& target) { return MongoPlace::takes(target); }, .open = open_mongo_target};
  return kind;
}

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
