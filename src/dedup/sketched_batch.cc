#include "dedup/sketched_batch.h"

#include <algorithm>

#include "base/byte_codec.h"

namespace neardup {
namespace {

// Most batches stand at the rows 1, 2, 3... of one source, and have no values to rank by: then nothing is written of them.
bool is_plain(const std::vector<DocumentId>& places, uint32_t source) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != DocumentId{source, i + 1}) return false;
  }
  return true;
}

void save_documents(const BatchDocuments& documents, uint32_t source, ByteWriter& to) {
  to.array(documents.flags);
  to.array(documents.exact);
  const bool plain = is_plain(documents.places, source);
  to.value(static_cast<uint8_t>(plain));
  if (!plain) {
    for (const DocumentId& place : documents.places) {
      to.value(place.source);
      to.value(place.row);
    }
  }
  to.text(documents.id_bytes);
  const bool ids = !documents.id_bytes.empty();
  if (ids) to.array(documents.id_ends);
  to.array(documents.text_bytes);
  const bool values = std::ranges::any_of(documents.value_keys, [](uint64_t key) { return key != kNoValue; });
  to.value(static_cast<uint8_t>(values));
  if (values) to.array(documents.value_keys);
}

void load_documents(ByteReader& from, uint32_t source, BatchDocuments& documents) {
  from.array(documents.flags);
  const size_t count = documents.flags.size();
  from.array(documents.exact);
  if (from.value<uint8_t>() != 0) {
    for (size_t i = 0; i < count; ++i) documents.places.push_back({source, i + 1});
  } else {
    for (size_t i = 0; i < count; ++i) {
      const auto of = from.value<uint32_t>();
      documents.places.push_back({of, from.value<uint64_t>()});
    }
  }
  documents.id_bytes = from.text();
  if (documents.id_bytes.empty()) {
    documents.id_ends.assign(count, 0);
  } else {
    from.array(documents.id_ends);
  }
  from.array(documents.text_bytes);
  if (from.value<uint8_t>() != 0) {
    from.array(documents.value_keys);
  } else {
    documents.value_keys.assign(count, kNoValue);
  }
  const bool fits = documents.exact.size() == count && documents.id_ends.size() == count && documents.text_bytes.size() == count &&
                    documents.value_keys.size() == count && std::ranges::is_sorted(documents.id_ends) &&
                    (count == 0 ? documents.id_bytes.empty() : documents.id_ends.back() == documents.id_bytes.size());
  if (!fits) from.fail();
}

}  // namespace

void SketchedBatch::clear() {
  source = 0;
  rows = 0;
  documents.clear();
  block.clear();
  filter_rows.clear();
  codes.clear();
  lacks.clear();
  rejected = 0;
  text_bytes = 0;
}

void SketchedBatch::save(std::string& out) const {
  ByteWriter to(out);
  to.value(source);
  to.value(rows);
  to.value(rejected);
  to.value(text_bytes);
  save_documents(documents, source, to);
  to.array(block);
  to.array(filter_rows);
  to.array(codes);
  to.array(lacks);
}

void SketchedBatch::load(std::string_view bytes, const std::string& name) {
  clear();
  ByteReader from(bytes, name);
  source = from.value<uint32_t>();
  rows = from.value<uint64_t>();
  rejected = from.value<uint32_t>();
  text_bytes = from.value<uint64_t>();
  load_documents(from, source, documents);
  from.array(block);
  from.array(filter_rows);
  from.array(codes);
  from.array(lacks);
  from.end();
}

}  // namespace neardup
