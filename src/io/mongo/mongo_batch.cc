#include "io/mongo/mongo_batch.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "neardup/error.h"

namespace neardup {

// The wanted documents of a range, one after the other: nobody sees one before all are there, because a lost connection begins anew.
struct MongoBatch::Fetched {
  Need need = Need::kParsed;
  std::vector<bool> wanted;  // empty: all
  std::vector<uint8_t> bytes;
  std::vector<size_t> ends;  // of every document in `bytes`; one that is not wanted has none
};

MongoBatch::MongoBatch(MongoContext& context, const MongoRange& range) : context_(context), range_(range) {}

MongoBatch::~MongoBatch() = default;

void MongoBatch::fetch(Need need) {
  if (need == Need::kPlace) return;
  auto all = std::make_unique<Fetched>();
  all->need = need;
  context_.server.run([&](MongoServer::Lease& lease) { load(lease, need, *all); });
  ahead_ = std::move(all);
}

uint32_t MongoBatch::read(Need need, const Filter& wanted, const Visitor& visit) {
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

void MongoBatch::load(MongoServer::Lease& lease, Need need, Fetched& fetched) const {
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
  // One more than there should be, so that a document that has come since is seen.
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
  context_.server.refuse(fmt::format(
      "the collection changed while it was read: between the ids '{}' and '{}' there were {} documents, and now {}", range_.first,
      range_.last, range_.documents, fetched.ends.size() > range_.documents ? "more" : fmt::format("{}, or others", fetched.ends.size())));
}

}  // namespace neardup
