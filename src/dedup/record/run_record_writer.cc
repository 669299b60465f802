#include "dedup/record/run_record_writer.h"

#include <cmath>
#include <cstring>

#include "base/hash.h"
#include "base/limits.h"
#include "neardup/tools/run_record.h"

namespace neardup {
namespace {

constexpr uint64_t kNamesMemory = uint64_t{16} << 20;
constexpr size_t kIndexBytes = size_t{1} << 20;  // written at a time
constexpr double kMillion = 1e6;

template <typename T>
void add_bytes(const T& value, std::string& out) {
  static_assert(std::has_unique_object_representations_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
T take_value(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

RunRecord::SourceKind kind_of(uint32_t source, uint32_t indexes, uint32_t references) {
  if (source < indexes) return RunRecord::SourceKind::kIndex;
  return source < references ? RunRecord::SourceKind::kReference : RunRecord::SourceKind::kInput;
}

}  // namespace

RunRecordWriter::RunRecordWriter(const Place& place, const Recipe& recipe, const DocumentSource& source, uint32_t indexes,
                                 uint32_t references)
    : source_(source),
      indexes_(indexes),
      references_(references),
      file_(place.path, {.kind = std::string(record::kKind), .recipe_id = recipe.id(), .recipe = recipe.canonical_json()}),
      names_(kNamesMemory, place.temp_dir),
      ids_(place.memory_bytes / 2, place.temp_dir),
      members_(place.memory_bytes / 2, place.temp_dir) {}

// A row and its names, which append() takes apart again: where the names come to be is known only there.
void RunRecordWriter::format(const Record& record, const Verdict& verdict, std::string& out) const {
  record::Row row{};
  row.row = record.where.row;
  row.source = record.where.source;
  row.offset = record.offset.value_or(record::kNoOffset);
  row.cluster_size = static_cast<uint32_t>(verdict.cluster_size);
  row.reason = static_cast<uint8_t>(verdict.reason);
  std::string_view id;
  std::string_view keeper_id;
  if (record.has_id) {
    row.flags |= record::Row::kHasId;
    id = record.id;
  }
  if (verdict.decision == Decision::kRemove) {
    row.flags |= record::Row::kRemoved;
    row.keeper_row = verdict.keeper.row;
    row.keeper_source = verdict.keeper.source;
    row.similarity = static_cast<uint32_t>(std::lround(verdict.similarity * kMillion));
    if (verdict.keeper_has_id) {
      row.flags |= record::Row::kKeeperHasId;
      keeper_id = verdict.keeper_id;
    }
  }
  row.id_bytes = static_cast<uint32_t>(id.size());  // a record has at most 4 GiB
  row.keeper_id_bytes = static_cast<uint32_t>(keeper_id.size());
  add_bytes(row, out);
  out += id;
  out += keeper_id;
}

void RunRecordWriter::append(uint32_t, std::string_view bytes) {
  std::string rows;
  std::vector<record::IdHash> ids;
  std::vector<Member> members;
  while (!bytes.empty()) {
    auto row = take_value<record::Row>(bytes);
    const std::string_view names = bytes.substr(0, uint64_t{row.id_bytes} + row.keeper_id_bytes);
    bytes.remove_prefix(names.size());
    row.names_at = names_.size();
    names_.append(names);
    if ((row.flags & record::Row::kHasId) != 0) ids.push_back({.hash = hash64(names.substr(0, row.id_bytes)), .number = documents_});
    if ((row.flags & record::Row::kRemoved) != 0) {
      members.push_back({.keeper_row = row.keeper_row, .number = documents_, .keeper_source = row.keeper_source, .zero = 0});
    }
    add_bytes(row, rows);
    ++documents_;
  }
  file_.append(rows);
  ids_.add(ids);
  members_.add(members);
}

std::string RunRecordWriter::source_rows() {
  std::string rows;
  for (uint32_t i = 0; i < source_.source_count(); ++i) {
    const std::string_view name = source_.source_name(i);
    const std::string state = i < indexes_ ? std::string() : source_.state_of(i);
    add_bytes(record::Source{.names_at = names_.size(),
                             .name_bytes = static_cast<uint32_t>(name.size()),
                             .state_bytes = static_cast<uint32_t>(state.size()),
                             .kind = static_cast<uint32_t>(kind_of(i, indexes_, references_)),
                             .zero = 0},
              rows);
    names_.append(name);
    names_.append(state);
  }
  return rows;
}

void RunRecordWriter::finish() {
  std::string waiting;
  const auto drain = [&](size_t above) {
    if (waiting.size() <= above) return;
    file_.append(waiting);
    waiting.clear();
  };
  ids_.for_each([&](const record::IdHash& id) {
    add_bytes(id.hash, waiting);
    add_bytes(id.number, waiting);
    drain(kIndexBytes);
  });
  members_.for_each([&](const Member& member) {
    add_bytes(member.number, waiting);
    drain(kIndexBytes);
  });
  waiting += source_rows();
  for (const uint64_t count : {record::kFormat, documents_, ids_.count(), members_.count(), uint64_t{source_.source_count()}}) {
    add_bytes(count, waiting);
  }
  drain(0);
  file_.set_entries(documents_);
  file_.begin_names();
  names_.move_to(file_);
}

uint64_t RunRecordWriter::spilled_bytes() const noexcept {
  return names_.spilled_bytes() + ids_.spilled_bytes() + members_.spilled_bytes();
}

}  // namespace neardup
