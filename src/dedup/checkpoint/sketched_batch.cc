#include "dedup/checkpoint/sketched_batch.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/byte_codec.h"
#include "base/limits.h"

namespace neardup {
namespace {

// Most batches have the rows 1, 2, 3... of one source, and no values to rank by: then these are not written.
void save_documents(const BatchDocuments& documents, uint32_t source, ByteWriter& to) {
  to.array(documents.rejected.bits());
  to.array(documents.flags);
  to.array(documents.exact);
  const bool plain = documents.has_implicit_places(source);
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
  std::vector<uint64_t> rejected;
  from.array(rejected);
  documents.rejected.assign(std::move(rejected));
  from.array(documents.flags);
  const size_t count = documents.flags.size();
  documents.records = static_cast<uint32_t>(count) + documents.rejected.count();
  from.array(documents.exact);
  if (from.value<uint8_t>() != 0) {
    for (uint32_t i = 0; i < count; ++i) documents.places.push_back({source, uint64_t{documents.rejected.record_of(i)} + 1});
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

// Appends to `out` the rows of `width` values, one per document, of the documents with a 1 in `sketched`.
template <typename T>
void squeeze(std::span<const T> rows, size_t width, std::span<const uint8_t> sketched, std::vector<T>& out) {
  for (size_t i = 0; i < sketched.size(); ++i) {
    if (sketched[i] == 0) continue;
    const auto row = rows.subspan(i * width, width);
    out.insert(out.end(), row.begin(), row.end());
  }
}

// The inverse: rows of zeros for the other documents.
template <typename T>
void spread(std::span<const T> rows, size_t width, std::span<const uint8_t> sketched, std::vector<T>& out) {
  size_t next = 0;
  for (const uint8_t has : sketched) {
    const size_t end = out.size() + width;
    if (has != 0) {
      const auto row = rows.subspan(next, width);
      out.insert(out.end(), row.begin(), row.end());
      next += width;
    }
    out.resize(end);
  }
}

// The number of values of each kind per document of a batch.
struct Widths {
  uint32_t bands = 0;
  uint32_t filter_bytes = 0;
  uint32_t codes = 0;
  uint32_t missing_sketches = 0;
};

Widths widths_of(const SketchedBatch& batch) {
  const size_t documents = std::max<size_t>(batch.documents.flags.size(), 1);
  return {static_cast<uint32_t>(batch.block.size() / BandKeys::kKeyBytes / documents),
          static_cast<uint32_t>(batch.filter_rows.size() / documents), static_cast<uint32_t>(batch.codes.size() / documents),
          static_cast<uint32_t>(batch.missing_sketches.size() / documents)};
}

void save_rows(const SketchedBatch& batch, ByteWriter& to) {
  to.array(batch.block);
  to.array(batch.filter_rows);
  to.array(batch.codes);
  to.array(batch.missing_sketches);
}

void load_rows(ByteReader& from, SketchedBatch& batch) {
  from.array(batch.block);
  from.array(batch.filter_rows);
  from.array(batch.codes);
  from.array(batch.missing_sketches);
}

void save_thin(const SketchedBatch& batch, ByteWriter& to) {
  const Widths widths = widths_of(batch);
  to.value(widths);
  const std::span<const uint8_t> sketched = batch.sketched;
  SketchedBatch kept;
  const size_t band_bytes = sketched.size() * BandKeys::kKeyBytes;
  for (uint32_t band = 0; band < widths.bands; ++band) {
    squeeze(std::span(batch.block).subspan(band * band_bytes, band_bytes), BandKeys::kKeyBytes, sketched, kept.block);
  }
  squeeze(std::span(batch.filter_rows), widths.filter_bytes, sketched, kept.filter_rows);
  squeeze(std::span(batch.codes), widths.codes, sketched, kept.codes);
  squeeze(std::span(batch.missing_sketches), widths.missing_sketches, sketched, kept.missing_sketches);
  save_rows(kept, to);
}

void load_thin(ByteReader& from, SketchedBatch& batch) {
  const auto widths = from.value<Widths>();
  const std::span<const uint8_t> sketched = batch.sketched;
  SketchedBatch kept;
  load_rows(from, kept);
  const auto count = static_cast<size_t>(std::ranges::count_if(sketched, [](uint8_t has) { return has != 0; }));
  const size_t band_bytes = count * BandKeys::kKeyBytes;
  const bool fits = sketched.size() == batch.documents.flags.size() && kept.block.size() == widths.bands * band_bytes &&
                    kept.filter_rows.size() == widths.filter_bytes * count && kept.codes.size() == widths.codes * count &&
                    kept.missing_sketches.size() == widths.missing_sketches * count && widths.bands <= limits::kMaxLanes &&
                    widths.filter_bytes <= limits::kMaxLanes && widths.codes <= 1 && widths.missing_sketches <= 1;
  if (!fits) from.fail();
  for (uint32_t band = 0; band < widths.bands; ++band) {
    spread(std::span<const uint8_t>(kept.block).subspan(band * band_bytes, band_bytes), BandKeys::kKeyBytes, sketched, batch.block);
  }
  spread(std::span<const uint8_t>(kept.filter_rows), widths.filter_bytes, sketched, batch.filter_rows);
  spread(std::span<const Fingerprint128>(kept.codes), widths.codes, sketched, batch.codes);
  spread(std::span<const uint8_t>(kept.missing_sketches), widths.missing_sketches, sketched, batch.missing_sketches);
}

}  // namespace

void SketchedBatch::clear() {
  source = 0;
  rows = 0;
  documents.clear();
  block.clear();
  filter_rows.clear();
  codes.clear();
  missing_sketches.clear();
  sketched.clear();
  text_bytes = 0;
}

void SketchedBatch::thin(const std::function<bool(uint32_t i)>& is_kept) {
  sketched.resize(documents.flags.size());
  for (uint32_t i = 0; i < sketched.size(); ++i) sketched[i] = static_cast<uint8_t>(is_kept(i));
}

void SketchedBatch::save(std::string& out) const {
  ByteWriter to(out);
  to.value(source);
  to.value(rows);
  to.value(text_bytes);
  save_documents(documents, source, to);
  to.array(sketched);
  sketched.empty() ? save_rows(*this, to) : save_thin(*this, to);
}

void SketchedBatch::load(std::string_view bytes, const std::string& name) {
  clear();
  ByteReader from(bytes, name);
  source = from.value<uint32_t>();
  rows = from.value<uint64_t>();
  text_bytes = from.value<uint64_t>();
  load_documents(from, source, documents);
  from.array(sketched);
  sketched.empty() ? load_rows(from, *this) : load_thin(from, *this);
  from.end();
}

}  // namespace neardup
