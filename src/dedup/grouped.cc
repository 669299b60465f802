#include "dedup/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "base/byte_codec.h"
#include "dedup/witness_bytes.h"
#include "neardup/error.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kKind = "grouped";

std::string file_of(uint64_t first_batch) {
  return fmt::format("grouped-{:010}.part", first_batch);
}

// Ordinals of `documents` in groups of two and more, each in one group.
bool holds_together(const CandidateGroups& groups, uint32_t end_document) {
  const auto& [documents, begin, members] = groups;
  if (!std::ranges::is_sorted(documents, std::ranges::less_equal{}) && documents.size() > 1) return false;
  if (!documents.empty() && documents.back() >= end_document) return false;
  if (members.size() != documents.size() || begin.empty() != members.empty()) return false;
  if (!begin.empty() && (begin.front() != 0 || begin.back() != members.size() || !std::ranges::is_sorted(begin))) return false;
  std::vector<bool> seen(members.size(), false);
  for (const uint32_t member : members) {
    if (member >= seen.size() || seen[member]) return false;
    seen[member] = true;
  }
  return true;
}

Grouped read_grouped(const std::string& path, const GroupedSlice& slice) {
  const auto file = SegmentFile::open(path, kKind, 0);
  file->verify_all(1);
  ByteReader reader(file->payload(), file->name());
  if (file->recipe_id() != slice.recipe_id || file->entries() != slice.first_batch) reader.fail();
  Grouped grouped;
  reader.array(grouped.copy_of);
  reader.array(grouped.groups.documents);
  reader.array(grouped.groups.group_begin);
  reader.array(grouped.groups.members);
  const auto witnesses = reader.value<uint64_t>();
  if (witnesses > grouped.copy_of.size()) reader.fail();
  for (uint64_t i = 0; i < witnesses; ++i) grouped.witnesses.push_back(read_witness(reader));
  reader.end();
  const bool fits = grouped.copy_of.size() == slice.end_document - slice.first_document &&
                    std::ranges::all_of(grouped.copy_of, [&](uint32_t document) { return document < slice.end_document; }) &&
                    std::ranges::all_of(grouped.witnesses, [&](const Witness& each) { return each.document < slice.end_document; }) &&
                    holds_together(grouped.groups, slice.end_document);
  if (!fits) reader.fail();
  return grouped;
}

}  // namespace

void Grouped::save(const RunFolder& folder, const GroupedSlice& slice, std::span<const uint32_t> copy_of,
                   std::span<const Witness> witnesses, const CandidateGroups& groups) {
  SegmentWriter writer(folder.file(file_of(slice.first_batch)),
                       {.kind = std::string(kKind), .recipe_id = slice.recipe_id, .entries = slice.first_batch});
  std::string bytes;
  ByteWriter to(bytes);
  const std::span<const uint32_t> parts[] = {copy_of.subspan(slice.first_document), groups.documents, groups.group_begin, groups.members};
  for (const auto& part : parts) {
    to.array(part);
    writer.append(bytes);
    bytes.clear();
  }
  to.value(uint64_t{witnesses.size()});
  for (const Witness& witness : witnesses) write_witness(witness, to);
  writer.append(bytes);
  writer.commit();
}

std::optional<Grouped> Grouped::load(const RunFolder& folder, const GroupedSlice& slice) {
  const std::string name = file_of(slice.first_batch);
  if (!folder.has(name)) return std::nullopt;
  try {
    return read_grouped(folder.file(name), slice);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    folder.discard(name);  // it is found again
    return std::nullopt;
  }
}

void Grouped::remove(const RunFolder& folder, uint64_t first_batch) {
  folder.remove(file_of(first_batch));
}

}  // namespace neardup
