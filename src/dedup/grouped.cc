#include "dedup/grouped.h"

#include <algorithm>
#include <functional>
#include <string>

#include "base/byte_codec.h"
#include "dedup/run_folder/run_part.h"
#include "dedup/witness_bytes.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kKind = "grouped";

// Ordinals of `documents` in groups of two and more, each in one group.
bool holds_together(const CandidateGroups& groups, uint32_t end_document) {
  const auto& [documents, begin, members] = groups;
  if (std::ranges::adjacent_find(documents, std::ranges::greater_equal{}) != documents.end()) return false;
  if (!documents.empty() && documents.back() >= end_document) return false;
  if (members.size() != documents.size() || (begin.empty() && !members.empty())) return false;
  if (!begin.empty() && (begin.front() != 0 || begin.back() != members.size() || !std::ranges::is_sorted(begin))) return false;
  std::vector<bool> seen(members.size(), false);
  for (const uint32_t member : members) {
    if (member >= seen.size() || seen[member]) return false;
    seen[member] = true;
  }
  return true;
}

Grouped read_grouped(const RunFolder& folder, const std::string& name, const GroupedSlice& slice) {
  const auto file = open_part(folder, kKind, name, slice.recipe_id);
  ByteReader reader(file->payload(), file->name());
  Grouped grouped;
  reader.array(grouped.copy_of);
  reader.array(grouped.groups.documents);
  reader.array(grouped.groups.group_begin);
  reader.array(grouped.groups.members);
  const auto witnesses = reader.value<uint64_t>();
  if (witnesses > grouped.copy_of.size()) reader.fail();
  for (uint64_t i = 0; i < witnesses; ++i) grouped.witnesses.push_back(read_witness(reader));
  reader.end();
  file->check();
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
  SegmentWriter writer(folder.file(part_name(kKind, slice.first_batch)),
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
  const std::string name = part_name(kKind, slice.first_batch);
  std::optional<Grouped> grouped;
  if (folder.has(name)) read_or_discard(folder, name, [&] { grouped = read_grouped(folder, name, slice); });
  return grouped;
}

void Grouped::remove(const RunFolder& folder, uint64_t first_batch) {
  folder.remove(part_name(kKind, first_batch));
}

}  // namespace neardup
