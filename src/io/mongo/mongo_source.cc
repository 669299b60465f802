#include "io/mongo/mongo_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "io/bytes/buffer.h"
#include "io/json/json_path.h"
#include "io/mongo/bson_record.h"
#include "io/mongo/bson_value.h"
#include "io/mongo/mongo_client.h"
#include "io/mongo/mongo_scan.h"
#include "io/port/field_check.h"
#include "neardup/error.h"
#include "neardup/source.h"

namespace neardup {
namespace {

constexpr uint32_t kUnknownSizeDocuments = 1000;  // per batch, if the server does not report sizes (views)
constexpr uint64_t kMaxDocuments = 100'000;       // a batch

// Shared by the batches of a source.
struct MongoContext {
  MongoServer server;
  RecordFields fields;
  Bson where;  // or null
  uint64_t max_text_bytes;
  bool exact_types;
  uint64_t document_bytes = 0;  // of an average one; 0: unknown
  Pool<BsonRecord> readers;
};

// The documents of one range of ids, fetched when they are read.
class MongoBatch final : public Batch {
 public:
  // Neither is owned.
  MongoBatch(MongoContext& context, const MongoRange& range) : context_(context), range_(range) {}

  // Does not query the server when no record is wanted. Throws Error{kInput} when the range changed.
  void fetch(Need need) override {
    if (need == Need::kPlace) return;
    auto all = std::make_unique<Fetched>();
    all->need = need;
    context_.server.run([&](MongoServer::Lease& lease) { load(lease, need, *all); });
    ahead_ = std::move(all);
  }
  uint32_t read(Need need, const Filter& wanted, const Visitor& visit) override {
    const bool is_there = ahead_ && ahead_->need == need;
    Fetched fetched = is_there ? std::move(*ahead_) : Fetched();
    ahead_.reset();
    if (need == Need::kPlace) {  // the scan of the ids knows all of it
      for (uint32_t i = 0; i < range_.documents; ++i) {
        if (wanted && !wanted(i)) continue;
        Record record;
        record.where = {.source = 0, .row = i + uint64_t{1}};
        visit(i, record);
      }
      return range_.documents;
    }
    if (wanted) {
      bool any = false;
      for (uint32_t i = 0; i < range_.documents; ++i) {
        fetched.wanted.push_back(wanted(i));
        any = any || fetched.wanted.back();
      }
      if (!any) return range_.documents;
    }
    if (!is_there) context_.server.run([&](MongoServer::Lease& lease) { load(lease, need, fetched); });

    auto reader = context_.readers.take();
    if (!reader) reader = std::make_unique<BsonRecord>(context_.fields, context_.max_text_bytes, context_.exact_types);
    size_t begin = 0;
    for (uint32_t i = 0; i < range_.documents; ++i) {
      const size_t end = fetched.ends[i];
      if (!fetched.wanted.empty() && !fetched.wanted[i]) begin = end;
      bson_t document;
      if (end == begin || !bson_init_static(&document, fetched.bytes.data() + begin, end - begin)) continue;
      begin = end;
      Record record;
      record.where = {.source = 0, .row = i + uint64_t{1}};
      reader->read(document, need, record);
      visit(i, record);
    }
    context_.readers.give(std::move(reader));
    return range_.documents;
  }
  [[nodiscard]] uint32_t source() const noexcept override { return 0; }
  [[nodiscard]] uint64_t rows() const noexcept override { return range_.documents; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return context_.document_bytes * range_.documents; }

 private:
  // The wanted documents of a range, visited only when all were received, because a lost connection starts again.
  struct Fetched {
    Need need = Need::kParsed;
    std::vector<bool> wanted;  // empty: all
    std::vector<uint8_t> bytes;
    std::vector<size_t> ends;  // of every document in `bytes`; an unwanted one is empty
  };

  void load(MongoServer::Lease& lease, Need need, Fetched& fetched) const {
    fetched.bytes.clear();
    fetched.ends.clear();
    bson_t filter = BSON_INITIALIZER;
    if (context_.where) {
      bson_t both;
      bson_append_array_begin(&filter, "$and", -1, &both);
      bson_append_document(&both, "0", -1, range_.ids.get());
      bson_append_document(&both, "1", -1, context_.where.get());
      bson_append_array_end(&filter, &both);
    } else {
      bson_concat(&filter, range_.ids.get());
    }
    // One more than expected, to detect a new document.
    const auto limit = static_cast<int64_t>(range_.documents) + 1;
    bson_t options = BSON_INITIALIZER;
    bson_t sort;
    bson_append_document_begin(&options, "sort", -1, &sort);
    BSON_APPEND_INT32(&sort, "_id", 1);
    bson_append_document_end(&options, &sort);
    BSON_APPEND_INT64(&options, "limit", limit);
    BSON_APPEND_INT64(&options, "batchSize", limit);
    if (need == Need::kText) {
      const Bson projection(new_projection(context_.fields));
      BSON_APPEND_DOCUMENT(&options, "projection", projection.get());
    }
    const MongoCursor cursor(mongoc_collection_find_with_opts(lease.collection(), &filter, &options, nullptr));
    bson_destroy(&filter);
    bson_destroy(&options);

    IdHash hash;
    const bson_t* document = nullptr;
    while (mongoc_cursor_next(cursor.get(), &document)) {
      bson_iter_t id;
      if (bson_iter_init_find(&id, document, "_id")) hash.add(id);
      const size_t index = fetched.ends.size();
      if (index < range_.documents && (fetched.wanted.empty() || fetched.wanted[index])) {
        fetched.bytes.insert(fetched.bytes.end(), bson_get_data(document), bson_get_data(document) + document->len);
      }
      fetched.ends.push_back(fetched.bytes.size());
    }
    bson_error_t error{};
    if (mongoc_cursor_error(cursor.get(), &error)) context_.server.fail("reading documents", error);
    if (fetched.ends.size() == range_.documents && hash.value() == range_.hash) return;
    context_.server.refuse(
        fmt::format("the collection changed while it was read: between the ids '{}' and '{}' there were {} documents, and now {}",
                    range_.first, range_.last, range_.documents,
                    fetched.ends.size() > range_.documents ? "more" : fmt::format("{}, or others", fetched.ends.size())));
  }

  MongoContext& context_;
  const MongoRange& range_;
  std::unique_ptr<Fetched> ahead_;  // the result of fetch(), until it is read
};

Bson parse_where(const std::string& where) {
  if (where.empty()) return nullptr;
  const size_t first = where.find_first_not_of(" \t\r\n");
  try {
    if (first == std::string::npos || where[first] != '{') throw Error(ErrorCode::kUsage, "not an object");
    return bson_of(where);
  } catch (const Error& error) {
    throw Error(ErrorCode::kUsage,
                "where: '" + where + "' is not a filter of MongoDB, a JSON object like {\"year\": {\"$gte\": 2020}}: " + error.what());
  }
}

class MongoSource final : public DocumentSource, public FieldsUnknown {
 public:
  MongoSource(const std::string& input, const SourceOptions& options)
      : context_{.server = MongoServer(MongoPlace::parse(input), ErrorCode::kInput),
                 .fields = {.text = options.text_field,
                            .id = options.id_field == kAutoIdField ? "_id" : options.id_field,
                            .rank = options.rank_field,
                            .block = options.block_field,
                            .protect = options.protect},
                 .where = parse_where(options.where),
                 .max_text_bytes = options.max_record_bytes,
                 .exact_types = options.exact_types,
                 .readers = {}},
        scan_(context_.server, context_.where.get(), kUnknownSizeDocuments) {
    if (!options.key.empty() && options.key != "_id") {
      throw Error(ErrorCode::kUsage, "key: a MongoDB collection is read by _id, not by '" + options.key + "'");
    }
    for (const std::string& field : options.text_field) {
      if (field.find(kEachElement) == std::string::npos) continue;
      throw Error(ErrorCode::kUsage,
                  "text_field: '" + field + "': " + std::string(kEachElement) + " is for files and SQL, not for MongoDB");
    }
    context_.server.run_once([&](MongoServer::Lease& lease) {
      require_collection(lease);
      ask_sizes(lease);
    });
    // A power of two, so that a resumed run finds the same batches when the server reports slightly different sizes.
    if (context_.document_bytes > 0) {
      batch_documents_ =
          static_cast<uint32_t>(std::bit_floor(std::clamp<uint64_t>(options.batch_bytes / context_.document_bytes, 1, kMaxDocuments)));
    }
    scan_.set_documents(batch_documents_);
  }

  // All later readings use the ranges of the first: new documents between two ranges are not part of the run, and changes inside a range
  // are detected when it is read.
  std::unique_ptr<Batch> next() override {
    if (next_ == ranges_.size()) {
      auto range = all_known_ ? std::nullopt : scan_.next();
      all_known_ = !range;
      if (all_known_) return nullptr;
      ranges_.push_back(std::move(*range));
    }
    return std::make_unique<MongoBatch>(context_, ranges_[next_++]);
  }
  void rewind() override { next_ = 0; }

  [[nodiscard]] uint32_t source_count() const noexcept override { return 1; }
  [[nodiscard]] std::string_view source_name(uint32_t) const override { return context_.server.place().shown; }
  [[nodiscard]] bool waits() const noexcept override { return true; }
  [[nodiscard]] uint64_t input_bytes() const noexcept override { return context_.where ? 0 : total_bytes_; }

  [[nodiscard]] std::string state_of(uint32_t) const override {
    return context_.server.run([&](MongoServer::Lease& lease) {
      bson_error_t error{};
      const int64_t count = mongoc_collection_estimated_document_count(lease.collection(), nullptr, nullptr, nullptr, &error);
      if (count < 0) context_.server.fail("counting documents", error);
      return fmt::format("{} documents, _id {} to {}, {} to a batch", count, end_of(lease, 1), end_of(lease, -1), batch_documents_);
    });
  }

  // Keeps the range of the first batch, which all readings use.
  void look_for_fields(const std::shared_ptr<FieldCheck>& check) override {
    check->look(context_.server.place().shown, [this] { return next(); });
    rewind();
  }

 private:
  // A collection that does not exist reads as an empty one: a wrong name would go unnoticed.
  void require_collection(MongoServer::Lease& lease) const {
    const MongoPlace& place = context_.server.place();
    mongoc_database_t* const database = mongoc_client_get_database(lease.client(), place.database.c_str());
    bson_error_t error{};
    char** const names = mongoc_database_get_collection_names_with_opts(database, nullptr, &error);
    mongoc_database_destroy(database);
    if (names == nullptr) {
      constexpr uint32_t kUnauthorized = 13;  // permission to read a collection does not include listing them
      if (error.domain == MONGOC_ERROR_SERVER && error.code == kUnauthorized) return;
      context_.server.fail("looking for the collection", error);
    }
    std::vector<std::string> found;
    for (char** name = names; *name != nullptr; ++name) found.emplace_back(*name);
    bson_strfreev(names);
    if (std::ranges::find(found, place.collection) != found.end()) return;
    std::ranges::sort(found);
    constexpr size_t kMaxNames = 10;
    const std::string more = found.size() > kMaxNames ? fmt::format(" and {} more", found.size() - kMaxNames) : "";
    found.resize(std::min(found.size(), kMaxNames));
    context_.server.refuse(found.empty() ? fmt::format("there is no database '{}', or nothing in it", place.database)
                                         : fmt::format("there is no collection '{}'; the database '{}' has: {}{}", place.collection,
                                                       place.database, fmt::join(found, ", "), more));
  }

  void ask_sizes(MongoServer::Lease& lease) {
    bson_t command = BSON_INITIALIZER;
    bson_t reply;
    BSON_APPEND_UTF8(&command, "collStats", context_.server.place().collection.c_str());
    bson_error_t error{};
    const bool answered =
        mongoc_client_command_simple(lease.client(), context_.server.place().database.c_str(), &command, nullptr, &reply, &error);
    bson_iter_t value;
    const auto number = [&](const char* name) -> uint64_t {
      return bson_iter_init_find(&value, &reply, name) ? static_cast<uint64_t>(std::max<int64_t>(bson_iter_as_int64(&value), 0)) : 0;
    };
    if (answered) {
      total_bytes_ = number("size");
      context_.document_bytes = number("avgObjSize");
      if (const uint64_t count = number("count"); context_.document_bytes == 0 && count > 0) context_.document_bytes = total_bytes_ / count;
    }
    bson_destroy(&reply);
    bson_destroy(&command);
  }

  std::string end_of(MongoServer::Lease& lease, int direction) const {
    const Bson none(bson_new());
    const Bson options = bson_of(fmt::format(R"({{"sort":{{"_id":{}}},"projection":{{"_id":1}},"limit":1}})", direction));
    const MongoCursor cursor(mongoc_collection_find_with_opts(lease.collection(), none.get(), options.get(), nullptr));
    const bson_t* document = nullptr;
    bson_iter_t id;
    if (mongoc_cursor_next(cursor.get(), &document) && bson_iter_init_find(&id, document, "_id")) return canonical_json(id);
    bson_error_t error{};
    if (mongoc_cursor_error(cursor.get(), &error)) context_.server.fail("reading the ids", error);
    return "none";
  }

  MongoContext context_;
  uint64_t total_bytes_ = 0;
  uint32_t batch_documents_ = kUnknownSizeDocuments;
  MongoScan scan_;
  std::deque<MongoRange> ranges_;  // batches refer to them
  bool all_known_ = false;
  size_t next_ = 0;
};

}  // namespace

const SourceKind& mongo_source_kind() {
  static const SourceKind kind{.name = "MongoDB",
                               .takes = [](const std::string& input, InputFormat) { return MongoPlace::takes(input); },
                               .open = [](const std::string& input, const SourceOptions& options) -> std::unique_ptr<DocumentSource> {
                                 return std::make_unique<MongoSource>(input, options);
                               }};
  return kind;
}

}  // namespace neardup
