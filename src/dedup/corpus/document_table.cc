#include "dedup/corpus/document_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/limits.h"
#include "neardup/error.h"

namespace neardup {

void BatchDocuments::clear() {
  records = 0;
  rejected.clear();
  flags.clear();
  exact.clear();
  places.clear();
  id_bytes.clear();
  id_ends.clear();
  text_bytes.clear();
  value_keys.clear();
}

void BatchDocuments::add(const Record& record, uint8_t flags_of_document, const ExactHash& hash) {
  if (record.has_id) flags_of_document |= kHasId;
  if (record.repaired) flags_of_document |= kRepaired;
  if (record.bad_id) flags_of_document |= kBadId;
  if (record.malformed) flags_of_document |= kMalformed;
  if (record.is_protected) flags_of_document |= kProtected;
  ++records;
  flags.push_back(flags_of_document);
  exact.push_back(hash);
  places.push_back(record.where);
  id_bytes += record.id;
  id_ends.push_back(id_bytes.size());
  text_bytes.push_back(static_cast<uint32_t>(std::min<size_t>(record.text.size(), std::numeric_limits<uint32_t>::max())));
  value_keys.push_back(record.has_rank_value ? rank_key(record.rank_value) : kNoValue);
}

bool BatchDocuments::has_implicit_places(uint32_t source) const noexcept {
  for (size_t i = 0; i < places.size(); ++i) {
    const DocumentId expected{source, uint64_t{rejected.record_of(static_cast<uint32_t>(i))} + 1};
    if (places[i] != expected) return false;
  }
  return true;
}

void DocumentTable::append(const BatchDocuments& batch, uint32_t source, uint64_t rows) {
  const uint64_t total = uint64_t{size()} + batch.flags.size();
  if (total > limits::kMaxDocuments) {
    throw Error(ErrorCode::kResource, fmt::format("the input has more than {} documents (at least {}); split it into several runs",
                                                  limits::kMaxDocuments, total));
  }
  if (source != row_source_) {
    row_source_ = source;
    row_count_ = 0;
  }
  BatchPlace place{.first = size(),
                   .count = static_cast<uint32_t>(batch.flags.size()),
                   .source = source,
                   .first_row = row_count_,
                   .id_bytes = batch.id_bytes,
                   .id_ends = {},
                   .places = {},
                   .rejected = batch.rejected};
  row_count_ += rows;
  if (!batch.id_bytes.empty()) {
    if (batch.id_bytes.size() > std::numeric_limits<uint32_t>::max()) {
      throw Error(ErrorCode::kResource, fmt::format("the ids of one batch take {} bytes; at most {} are supported", batch.id_bytes.size(),
                                                    std::numeric_limits<uint32_t>::max()));
    }
    place.id_ends.assign(batch.id_ends.begin(), batch.id_ends.end());
  }
  if (!batch.has_implicit_places(source)) place.places = batch.places;
  for (const DocumentId& where : batch.places) {
    if (where.source < reference_sources_) reference_end_ = size() + static_cast<uint32_t>(&where - batch.places.data()) + 1;
  }
  batches_.push_back(std::move(place));
  flags_.insert(flags_.end(), batch.flags.begin(), batch.flags.end());
  exact_.insert(exact_.end(), batch.exact.begin(), batch.exact.end());
  if (!policy_.is_input_order()) {
    text_bytes_.insert(text_bytes_.end(), batch.text_bytes.begin(), batch.text_bytes.end());
    if (!policy_.field().empty()) value_keys_.insert(value_keys_.end(), batch.value_keys.begin(), batch.value_keys.end());
  }
}

void DocumentTable::finish() {
  // The reference sources come first in input order anyway.
  const bool any_protected = std::ranges::any_of(flags_, [](uint8_t flags) { return (flags & BatchDocuments::kProtected) != 0; });
  if (policy_.is_input_order() && !any_protected) return;
  std::vector<uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return policy_.before(rank_inputs(a), rank_inputs(b)); });
  rank_.resize(size());
  for (uint32_t i = 0; i < size(); ++i) rank_[order[i]] = i;
}

RankInputs DocumentTable::rank_inputs(uint32_t document) const noexcept {
  return {.reference = reference(document),
          .is_protected = is_protected(document),
          .source = place(document).source,
          .document = document,
          .text_bytes = text_bytes_.empty() ? 0 : text_bytes_[document],
          .value_key = value_keys_.empty() ? kNoValue : value_keys_[document]};
}

const DocumentTable::BatchPlace& DocumentTable::batch_of(uint32_t document) const noexcept {
  const auto after = std::upper_bound(batches_.begin(), batches_.end(), document,
                                      [](uint32_t value, const BatchPlace& batch) { return value < batch.first; });
  return *(after - 1);
}

uint32_t DocumentTable::document(size_t batch, uint32_t record) const noexcept {
  const BatchPlace& place = batches_[batch];
  if (record >= records(batch) || place.rejected.contains(record)) return kNoDocument;
  return place.first + record - place.rejected.before(record);
}

DocumentId DocumentTable::place(size_t batch, DocumentId within) const noexcept {
  if (within.source == batches_[batch].source) within.row += batches_[batch].first_row;
  return within;
}

std::string_view DocumentTable::id(uint32_t document) const noexcept {
  const BatchPlace& batch = batch_of(document);
  if (batch.id_ends.empty()) return {};
  const uint32_t i = document - batch.first;
  const uint32_t begin = i == 0 ? 0 : batch.id_ends[i - 1];
  return std::string_view(batch.id_bytes).substr(begin, batch.id_ends[i] - begin);
}

DocumentId DocumentTable::place(uint32_t document) const noexcept {
  const BatchPlace& batch = batch_of(document);
  DocumentId where{batch.source, uint64_t{batch.rejected.record_of(document - batch.first)} + 1};
  if (!batch.places.empty()) where = batch.places[document - batch.first];
  if (where.source == batch.source) where.row += batch.first_row;
  return where;
}

}  // namespace neardup
