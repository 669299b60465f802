#include "dedup/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"
#include "neardup/io.h"

namespace neardup::python {
namespace {

constexpr uint64_t kBatchBytes = 1u << 20;
constexpr uint64_t kBatchRows = 1u << 14;

std::shared_ptr<const Column> find(const std::vector<Rows::NamedColumn>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &Rows::NamedColumn::first);
  return found == columns.end() ? nullptr : found->second;
}

void reject(RejectKind kind, std::string problem, Rows::Scratch& scratch, Record& record) {
  const DocumentId where = record.where;
  record = {};
  record.where = where;
  scratch.problem = std::move(problem);
  record.problem = scratch.problem;
  record.reject_kind = kind;
}

}  // namespace

std::vector<std::string> Fields::required() const {
  std::vector<std::string> names = text;
  if (id != kAutoIdField) names.push_back(id);
  for (const std::string& name : {rank, block}) names.push_back(name);
  for (const FieldValue& rule : protect) names.push_back(rule.field);
  // Options that are not given name no field, and several may name the same one.
  for (size_t i = text.size(); i < names.size();) {
    const auto end = names.begin() + static_cast<ptrdiff_t>(i);
    if (names[i].empty() || std::find(names.begin(), end, names[i]) != end) {
      names.erase(end);
    } else {
      ++i;
    }
  }
  return names;
}

std::vector<std::string> Fields::wanted() const {
  std::vector<std::string> names = required();
  if (id == kAutoIdField && std::ranges::find(names, "id") == names.end()) names.emplace_back("id");
  return names;
}

Rows::Rows(const Fields& fields, const std::vector<NamedColumn>& columns) : max_text_bytes_(fields.max_text_bytes) {
  for (const std::string& name : fields.text) texts_.emplace_back(name, find(columns, name));
  size_ = texts_.front().second->size();
  for (const auto& [name, column] : columns) {
    if (column->size() == size_) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("the column '{}' has {} rows, and '{}' has {}", name, column->size(), texts_.front().first, size_));
  }
  if (!fields.id.empty()) id_ = find(columns, fields.id == kAutoIdField ? "id" : fields.id);
  if (!fields.rank.empty()) rank_ = find(columns, fields.rank);
  if (!fields.block.empty()) block_ = find(columns, fields.block);
  for (const FieldValue& rule : fields.protect) protect_.push_back({find(columns, rule.field), rule.value});
  cut();
}

void Rows::cut() {
  Scratch scratch;
  Part part;
  for (uint64_t row = 0; row < size_; ++row) {
    part.bytes += text_bytes(row, scratch);
    part.end = row + 1;
    if (part.bytes < kBatchBytes && part.end - part.first < kBatchRows && part.end < size_) continue;
    parts_.push_back(part);
    part = {.first = part.end};
  }
}

uint64_t Rows::text_bytes(uint64_t row, Scratch& scratch) const {
  uint64_t bytes = 0;
  for (const auto& [name, column] : texts_) bytes += column->cell(row, scratch.piece).text.size();
  return bytes;
}

void Rows::fill(uint64_t row, Batch::Need need, Scratch& scratch, Record& record) const {
  if (need == Batch::Need::kPlace) return;
  if (id_) {
    const Cell cell = id_->cell(row, scratch.id);
    record.has_id = cell.kind == Cell::Kind::kString || cell.kind == Cell::Kind::kNumber;
    record.bad_id = !record.has_id && cell.kind != Cell::Kind::kNull;
    if (record.has_id) record.id = cell.text;
  }
  if (block_) {
    const Cell cell = block_->cell(row, scratch.block);
    if (cell.kind == Cell::Kind::kString || cell.kind == Cell::Kind::kNumber) record.block = cell.text;
  }
  for (const Rule& rule : protect_) {
    const Cell cell = rule.column->cell(row, scratch.protection);
    const bool has_value = cell.kind != Cell::Kind::kNull && cell.kind != Cell::Kind::kOther;
    record.is_protected = record.is_protected || (has_value && cell.text == rule.value);
  }
  fill_text(row, scratch, record);
  if (!rank_ || !record.problem.empty()) return;
  record.has_rank_value = number_of(rank_->cell(row, scratch.piece), record.rank_value);
  if (!record.has_rank_value) record.rank_value = 0;
}

void Rows::fill_text(uint64_t row, Scratch& scratch, Record& record) const {
  if (texts_.size() > 1) {
    join_texts(row, scratch, record);
  } else {
    const auto& [name, column] = texts_.front();
    const Cell cell = column->cell(row, scratch.text);
    if (cell.kind != Cell::Kind::kString) {
      const RejectKind kind = cell.kind == Cell::Kind::kNull ? RejectKind::kMissingField : RejectKind::kFieldType;
      return reject(kind, fmt::format("field '{}' is {}, not a string", name, name_of(cell.kind)), scratch, record);
    }
    record.raw = record.text = cell.text;
    record.repaired = cell.repaired;
  }
  if (record.text.size() <= max_text_bytes_) return;
  reject(RejectKind::kTooLong, fmt::format("the text has {} bytes, max_record_bytes is {}", record.text.size(), max_text_bytes_), scratch,
         record);
}

// Joined by newlines; nulls are left out.
void Rows::join_texts(uint64_t row, Scratch& scratch, Record& record) const {
  bool any = false;
  scratch.text.clear();
  for (const auto& [name, column] : texts_) {
    const Cell cell = column->cell(row, scratch.piece);
    if (cell.kind == Cell::Kind::kNull) continue;
    if (cell.kind != Cell::Kind::kString)
      return reject(RejectKind::kFieldType, fmt::format("field '{}' is {}, not a string", name, name_of(cell.kind)), scratch, record);
    if (any) scratch.text.push_back('\n');
    any = true;
    scratch.text.append(cell.text);
    record.repaired = record.repaired || cell.repaired;
  }
  if (!any) return reject(RejectKind::kMissingField, "all text fields are null", scratch, record);
  record.raw = record.text = scratch.text;
}

uint32_t RowBatch::read(Need need, const Filter& wanted, const Visitor& visit) {
  Rows::Scratch scratch;
  const auto count = static_cast<uint32_t>(rows());
  for (uint32_t i = 0; i < count; ++i) {
    if (wanted && !wanted(i)) continue;
    Record record;
    record.where = {.source = 0, .row = uint64_t{i} + 1};
    rows_->fill(part_.first + i, need, scratch, record);
    visit(i, record);
  }
  return count;
}

}  // namespace neardup::python
