#include "dedup/slice_candidates.h"

#include <algorithm>
#include <string>

#include "base/byte_codec.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kGroupedKind = "grouped";

// Checks the rules of find_sketch_candidates(): documents ascend, members are ordinals of documents, and each is in one group. Solving the
// groups uses these numbers as indexes.
bool is_consistent(const CandidateGroups& groups, uint32_t end_document) {
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

SliceCandidates read_grouped(const CheckpointDirectory& directory, const std::string& name, const SliceBounds& slice) {
  const auto file = open_part(directory, kGroupedKind, name, slice.recipe_id);
  ByteReader reader(file->payload(), file->name());
  SliceCandidates grouped;
  reader.array(grouped.copy_of);
  reader.array(grouped.groups.documents);
  reader.array(grouped.groups.group_begin);
  reader.array(grouped.groups.members);
  const auto index_matches = reader.value<uint64_t>();
  if (index_matches > grouped.copy_of.size()) reader.fail();
  for (uint64_t i = 0; i < index_matches; ++i) grouped.index_matches.push_back(read_index_match(reader));
  reader.end();
  file->check();
  const bool fits =
      grouped.copy_of.size() == slice.end_document - slice.first_document &&
      std::ranges::all_of(grouped.copy_of, [&](uint32_t document) { return document < slice.end_document; }) &&
      std::ranges::all_of(grouped.index_matches, [&](const IndexMatch& each) { return each.document < slice.end_document; }) &&
      is_consistent(grouped.groups, slice.end_document);
  if (!fits) reader.fail();
  return grouped;
}

}  // namespace

void SliceCandidates::save(const CheckpointDirectory& directory, const SliceBounds& slice, std::span<const uint32_t> copy_of,
                           std::span<const IndexMatch> index_matches, const CandidateGroups& groups) {
  SegmentWriter writer(directory.file(part_name(kGroupedKind, slice.first_batch)),
                       {.kind = std::string(kGroupedKind), .recipe_id = slice.recipe_id, .entries = slice.first_batch});
  std::string bytes;
  ByteWriter to(bytes);
  const std::span<const uint32_t> parts[] = {copy_of.subspan(slice.first_document), groups.documents, groups.group_begin, groups.members};
  for (const auto& part : parts) {
    to.array(part);
    writer.append(bytes);
    bytes.clear();
  }
  to.value(uint64_t{index_matches.size()});
  for (const IndexMatch& match : index_matches) write_index_match(match, to);
  writer.append(bytes);
  writer.commit();
}

std::optional<SliceCandidates> SliceCandidates::load(const CheckpointDirectory& directory, const SliceBounds& slice) {
  const std::string name = part_name(kGroupedKind, slice.first_batch);
  std::optional<SliceCandidates> grouped;
  if (directory.has(name)) read_or_discard(directory, name, [&] { grouped = read_grouped(directory, name, slice); });
  return grouped;
}

void SliceCandidates::remove(const CheckpointDirectory& directory, uint64_t first_batch) {
  directory.remove(part_name(kGroupedKind, first_batch));
}

}  // namespace neardup
