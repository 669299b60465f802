#include "io/mongo/mongo_write.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "io/mongo/bson_value.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint32_t kDuplicateKey = 11000;
constexpr uint32_t kMaxDocumentBytes = 16u << 20;  // MongoDB stores no larger document

struct CollectionFree {
  void operator()(mongoc_collection_t* collection) const noexcept { mongoc_collection_destroy(collection); }
};

// The reply of a command, freed in any case.
struct Reply {
  bson_t document = BSON_INITIALIZER;
  Reply() = default;
  ~Reply() { bson_destroy(&document); }
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;
};

std::string id_text(const bson_t& document) {
  std::string text;
  bson_iter_t id;
  if (bson_iter_init_find(&id, &document, "_id")) append_id_text(id, text);
  return text;
}

// Type and bytes of the _id, which identify stored documents.
std::string id_bytes(const bson_t& document) {
  bson_iter_t id;
  if (!bson_iter_init_find(&id, &document, "_id")) return {};
  return {reinterpret_cast<const char*>(id.raw + id.off), id.next_off - id.off};
}

// Servers store _id first.
Bson with_id_first(Bson document) {
  bson_iter_t iter;
  if (!bson_iter_init(&iter, document.get()) || !bson_iter_next(&iter) || std::strcmp(bson_iter_key(&iter), "_id") == 0) return document;
  bson_iter_t id;
  if (!bson_iter_init_find(&id, document.get(), "_id")) return document;
  Bson ordered(bson_sized_new(document->len));
  bson_append_iter(ordered.get(), "_id", -1, &id);
  bson_copy_to_excluding_noinit(document.get(), ordered.get(), "_id", nullptr);
  return ordered;
}

struct WriteError {
  size_t index = 0;
  uint32_t code = 0;
  std::string message;
};

std::vector<WriteError> write_errors(const bson_t& reply) {
  std::vector<WriteError> errors;
  bson_iter_t list;
  bson_iter_t element;
  if (!bson_iter_init_find(&list, &reply, "writeErrors") || !bson_iter_recurse(&list, &element)) return errors;
  while (bson_iter_next(&element)) {
    bson_iter_t member;
    if (!bson_iter_recurse(&element, &member)) continue;
    WriteError error;
    while (bson_iter_next(&member)) {
      const std::string_view name = bson_iter_key(&member);
      if (name == "index") error.index = static_cast<size_t>(bson_iter_as_int64(&member));
      if (name == "code") error.code = static_cast<uint32_t>(bson_iter_as_int64(&member));
      if (name == "errmsg" && BSON_ITER_HOLDS_UTF8(&member)) error.message = bson_iter_utf8(&member, nullptr);
    }
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace

Bson document_of_line(std::string_view line, const MongoPlace& place) {
  constexpr size_t kShown = 80;
  bson_error_t error{};
  const auto parse = [&](std::string_view json) {
    return Bson(bson_new_from_json(reinterpret_cast<const uint8_t*>(json.data()), static_cast<ssize_t>(json.size()), &error));
  };
  Bson document = parse(line);
  if (!document) document = parse(repair_json_for_bson(line));
  if (!document) {
    throw Error(ErrorCode::kOutput,
                fmt::format("'{}': a document cannot be stored: {}; it begins {}", place.shown, error.message, line.substr(0, kShown)));
  }
  if (document->len > kMaxDocumentBytes) {
    throw Error(ErrorCode::kOutput, fmt::format("'{}': the document with the _id '{}' has {} bytes; MongoDB stores at most {} (16 MB)",
                                                place.shown, id_text(*document), document->len, kMaxDocumentBytes));
  }
  return with_id_first(std::move(document));
}

void MongoInserter::insert(const std::vector<Bson>& documents) {
  Task task;
  for (const Bson& document : documents) task.pending.push_back(&document);
  server_.run([&](MongoServer::Lease& lease) {
    ++task.attempts;
    while (!task.pending.empty()) insert_once(lease, task);
  });
}

void MongoInserter::insert_once(MongoServer::Lease& lease, Task& task) {
  Documents& pending = task.pending;
  const std::unique_ptr<mongoc_collection_t, CollectionFree> collection(
      mongoc_client_get_collection(lease.client(), server_.place().database.c_str(), collection_.c_str()));
  const bool in_order = std::exchange(task.ordered, false);
  const Bson options = bson_of(in_order ? R"({"ordered":true})" : R"({"ordered":false})");
  const Bson unchecked = bson_of(R"({"validate":false})");  // the server reports invalid documents
  mongoc_bulk_operation_t* const bulk = mongoc_collection_create_bulk_operation_with_opts(collection.get(), options.get());
  Reply reply;
  bson_error_t error{};
  bool built = true;
  for (const Bson* document : pending) {
    built = built && mongoc_bulk_operation_insert_with_opts(bulk, document->get(), unchecked.get(), &error);
  }
  const bool done = built && [&] {
    bson_destroy(&reply.document);
    return mongoc_bulk_operation_execute(bulk, &reply.document, &error) != 0;
  }();
  mongoc_bulk_operation_destroy(bulk);
  if (done) {
    inserted_ += pending.size();
    pending.clear();
    return;
  }
  const std::vector<WriteError> errors = write_errors(reply.document);
  if (errors.empty()) server_.fail("writing documents", error);
  Documents duplicates;
  for (const WriteError& failed : errors) {
    if (failed.index >= pending.size()) server_.fail("writing documents", error);
    if (failed.code != kDuplicateKey) {
      server_.refuse(fmt::format("the document with the _id '{}' was rejected: {}", id_text(**pending[failed.index]), failed.message));
    }
    duplicates.push_back(pending[failed.index]);
  }
  compare_stored(collection.get(), duplicates);
  const size_t finished = in_order ? errors.front().index + 1 : pending.size();
  inserted_ += finished - duplicates.size();
  if (task.attempts > 1) found_again_ += duplicates.size();
  pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(finished));
}

void MongoInserter::compare_stored(mongoc_collection_t* collection, const Documents& duplicates) const {
  std::map<std::string, const Bson*> expected;
  bson_t filter = BSON_INITIALIZER;
  bson_t in;
  bson_t list;
  bson_append_document_begin(&filter, "_id", -1, &in);
  bson_append_array_begin(&in, "$in", -1, &list);
  for (const Bson* document : duplicates) {
    const auto [at, is_new] = expected.try_emplace(id_bytes(**document), document);
    if (!is_new && !bson_equal(at->second->get(), document->get())) {
      server_.refuse(
          fmt::format("two different documents have the _id '{}'; --id-field names the field that becomes the _id of those "
                      "without one",
                      id_text(**document)));
    }
    bson_iter_t id;
    if (!is_new || !bson_iter_init_find(&id, document->get(), "_id")) continue;
    const std::string index = std::to_string(expected.size() - 1);
    bson_append_iter(&list, index.data(), static_cast<int>(index.size()), &id);
  }
  bson_append_array_end(&in, &list);
  bson_append_document_end(&filter, &in);
  const MongoCursor cursor(mongoc_collection_find_with_opts(collection, &filter, nullptr, nullptr));
  bson_destroy(&filter);
  const bson_t* stored = nullptr;
  while (mongoc_cursor_next(cursor.get(), &stored)) {
    const auto found = expected.find(id_bytes(*stored));
    if (found == expected.end()) continue;
    const Bson in_order = with_id_first(Bson(bson_copy(stored)));
    if (bson_equal(in_order.get(), found->second->get())) expected.erase(found);
  }
  bson_error_t error{};
  if (mongoc_cursor_error(cursor.get(), &error)) server_.fail("reading what is stored", error);
  if (expected.empty()) return;
  server_.refuse(fmt::format("it already has another document with the _id '{}', or one with the same value in a unique index",
                             id_text(**expected.begin()->second)));
}

MongoQueue::MongoQueue(std::function<void(Documents&)> write) : writer_(kMaxWaiting, std::move(write)) {}

void MongoQueue::add(Bson document) {
  if (!batch_.empty() && batch_bytes_ + document->len > kMaxBytes) hand_over();
  batch_bytes_ += document->len;
  batch_.push_back(std::move(document));
  if (batch_.size() == kMaxDocuments) hand_over();
}

void MongoQueue::add_lines(std::string_view lines, const MongoPlace& place) {
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    add(document_of_line(lines.substr(0, end), place));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
}

void MongoQueue::hand_over() {
  writer_.put(std::exchange(batch_, {}));
  batch_bytes_ = 0;
}

void MongoQueue::finish() {
  if (!batch_.empty()) hand_over();
  writer_.finish();
}

}  // namespace neardup
