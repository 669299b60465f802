#include "io/mongo/mongo_scan.h"

#include <xxhash.h>

#include <cmath>
#include <utility>

#include "io/mongo/bson_value.h"

namespace neardup {
namespace {

enum class IdKind { kNumber, kString, kObjectId, kDate, kOther };

constexpr uint32_t kMaxIdsOfFilter = 1000;  // ids in one filter

IdKind kind_of(const bson_iter_t& id) {
  switch (bson_iter_type(&id)) {
    case BSON_TYPE_DOUBLE:
      return std::isnan(bson_iter_double(&id)) ? IdKind::kOther : IdKind::kNumber;  // a range does not find NaN
    case BSON_TYPE_DECIMAL128: {
      std::string text;
      append_id_text(id, text);
      return text == "NaN" ? IdKind::kOther : IdKind::kNumber;
    }
    case BSON_TYPE_INT32:
    case BSON_TYPE_INT64:
      return IdKind::kNumber;
    case BSON_TYPE_UTF8:
      return IdKind::kString;
    case BSON_TYPE_OID:
      return IdKind::kObjectId;
    case BSON_TYPE_DATE_TIME:
      return IdKind::kDate;
    default:
      return IdKind::kOther;
  }
}

bson_iter_t id_of(const bson_t& document) {
  bson_iter_t id{};
  bson_iter_init_find(&id, &document, "_id");
  return id;
}

std::string text_of(const bson_t& document) {
  std::string text;
  append_id_text(id_of(document), text);
  return text;
}

Bson between(const bson_t& first, const bson_t& last) {
  Bson filter(bson_new());
  bson_t bounds;
  const bson_iter_t low = id_of(first);
  const bson_iter_t high = id_of(last);
  bson_append_document_begin(filter.get(), "_id", -1, &bounds);
  bson_append_iter(&bounds, "$gte", -1, &low);
  bson_append_iter(&bounds, "$lte", -1, &high);
  bson_append_document_end(filter.get(), &bounds);
  return filter;
}

// {_id: {$in: [...]}}, filled one by one.
class IdList {
 public:
  IdList() : filter_(bson_new()) {
    bson_append_document_begin(filter_.get(), "_id", -1, &in_);
    bson_append_array_begin(&in_, "$in", -1, &list_);
  }
  void add(const bson_iter_t& id) {
    const std::string index = std::to_string(count_++);
    bson_append_iter(&list_, index.data(), static_cast<int>(index.size()), &id);
  }
  Bson finish() {
    bson_append_array_end(&in_, &list_);
    bson_append_document_end(filter_.get(), &in_);
    return std::move(filter_);
  }

 private:
  Bson filter_;
  bson_t in_{};
  bson_t list_{};
  uint32_t count_ = 0;
};

}  // namespace

void IdHash::add(const bson_iter_t& id) {
  // Type, name and value are contiguous in the iterated document.
  hash_ = XXH3_64bits_withSeed(id.raw + id.off, id.next_off - id.off, hash_);
}

bool MongoScan::step() {
  const bson_t* document = nullptr;
  if (mongoc_cursor_next(cursor_.get(), &document)) {
    last_ = std::exchange(current_, Bson(bson_copy(document)));
    return true;
  }
  bson_error_t error{};
  if (!mongoc_cursor_error(cursor_.get(), &error)) return false;
  cursor_.reset();
  lease_.reset();
  server_.fail("reading the ids", error);
}

void MongoScan::open() {
  lease_ = server_.lease();
  Bson filter(where_ != nullptr ? bson_copy(where_) : bson_new());
  Bson options = bson_of(R"({"sort":{"_id":1},"projection":{"_id":1}})");
  if (seen_ > 1) BSON_APPEND_INT64(options.get(), "skip", static_cast<int64_t>(seen_ - 1));
  cursor_.reset(mongoc_collection_find_with_opts(lease_->collection(), filter.get(), options.get(), nullptr));
  if (seen_ == 0) return;
  const Bson known(bson_copy(current_.get()));
  if (!step() || !bson_equal(known.get(), current_.get())) {
    server_.refuse("the collection changed while it was read: the id '" + text_of(*known) + "' is not where it was");
  }
}

void MongoScan::advance() {
  const auto take = [&] {
    if (step()) {
      ++seen_;
    } else {
      last_ = std::move(current_);
      cursor_.reset();
      lease_.reset();
    }
  };
  if (cursor_) {
    try {
      return take();
    } catch (const TransientError&) {  // retried below
    }
  }
  server_.run([&](MongoServer::Lease&) {
    open();
    take();
  });
}

std::optional<MongoRange> MongoScan::next() {
  if (!std::exchange(started_, true)) advance();
  if (!current_) return std::nullopt;
  const IdKind kind = kind_of(id_of(*current_));
  MongoRange range;
  range.first = text_of(*current_);
  IdHash hash;
  IdList list;
  const Bson first(bson_copy(current_.get()));
  while (current_ && kind_of(id_of(*current_)) == kind && range.documents < documents_ &&
         (kind != IdKind::kOther || range.documents < kMaxIdsOfFilter)) {
    const bson_iter_t id = id_of(*current_);
    hash.add(id);
    if (kind == IdKind::kOther) list.add(id);
    ++range.documents;
    advance();
  }
  range.hash = hash.value();
  Bson listed = list.finish();
  range.last = text_of(*last_);
  range.ids = kind == IdKind::kOther ? std::move(listed) : between(*first, *last_);
  return range;
}

}  // namespace neardup
