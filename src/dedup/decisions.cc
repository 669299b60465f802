#include "dedup/decisions.h"

#include <algorithm>
#include <iterator>

#include "base/byte_codec.h"
#include "base/limits.h"
#include "dedup/slice_candidates.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kDecidedKind = "decided";
constexpr size_t kWriteBytes = size_t{1} << 20;

void write(const Removal& removal, ByteWriter& to) {
  to.value(removal.document);
  to.value(removal.keeper);
  to.value(removal.overlap.common);
  to.value(removal.overlap.size_a);
  to.value(removal.overlap.size_b);
  to.value(static_cast<uint8_t>(removal.connected));
  to.value(removal.index_match);
}

Removal read_removal(ByteReader& from) {
  Removal removal;
  removal.document = from.value<uint32_t>();
  removal.keeper = from.value<uint32_t>();
  removal.overlap.common = from.value<uint32_t>();
  removal.overlap.size_a = from.value<uint32_t>();
  removal.overlap.size_b = from.value<uint32_t>();
  removal.connected = from.value<uint8_t>() != 0;
  removal.index_match = from.value<uint32_t>();
  return removal;
}

// Checksums show that a file is unchanged, not that its writer kept these rules: every number must be below `documents`, so that no lookup
// is out of range. An empty slice that is not the last would be read forever.
void check(const Decisions& decisions, std::span<const uint32_t> copy_of, const ByteReader& reader) {
  const uint32_t documents = decisions.end_document;
  if (!decisions.last && decisions.end_batch <= decisions.first_batch) reader.fail();
  for (const uint32_t copy : copy_of) {
    if (copy >= documents) reader.fail();
  }
  for (const Removal& removal : decisions.removals) {
    if (removal.document < decisions.first_document || removal.document >= documents || removal.keeper >= documents ||
        removal.index_match > decisions.index_matches.size())
      reader.fail();
  }
}

// Appends to `copy_of` unless it throws.
Decisions read_decisions(const CheckpointDirectory& directory, const std::string& name, uint64_t recipe_id,
                         std::vector<uint32_t>& copy_of) {
  const auto file = open_part(directory, kDecidedKind, name, recipe_id);
  ByteReader reader(file->payload(), file->name());
  Decisions decisions;
  decisions.first_batch = file->entries();
  decisions.first_document = reader.value<uint32_t>();
  decisions.last = reader.value<uint8_t>() != 0;
  std::vector<uint32_t> copies;
  reader.array(copies);
  // A slice continues where the one before it ended.
  if (decisions.first_document != copy_of.size() || copies.size() > limits::kMaxDocuments - copy_of.size()) reader.fail();
  decisions.end_document = static_cast<uint32_t>(decisions.first_document + copies.size());
  for (uint64_t* number :
       {&decisions.end_batch, &decisions.stats.verifications, &decisions.stats.capped_documents, &decisions.stats.just_below,
        &decisions.candidate_documents, &decisions.largest_group, &decisions.reference_entries}) {
    *number = reader.value<uint64_t>();
  }
  const auto removals = reader.value<uint64_t>();
  const auto index_matches = reader.value<uint64_t>();
  if (removals > copies.size() || index_matches > copies.size()) reader.fail();  // before memory is reserved
  for (uint64_t i = 0; i < removals; ++i) decisions.removals.push_back(read_removal(reader));
  for (uint64_t i = 0; i < index_matches; ++i) decisions.index_matches.push_back(read_index_match(reader));
  reader.end();
  file->check();  // of the mapped bytes, after all were read
  check(decisions, copies, reader);
  copy_of.insert(copy_of.end(), copies.begin(), copies.end());
  return decisions;
}

}  // namespace

void Decisions::count(Summary& summary) const {
  summary.slices = slices;
  summary.candidate_documents = candidate_documents;
  summary.largest_group = largest_group;
  summary.reference_entries = reference_entries;
  summary.verifications = stats.verifications;
  summary.capped_documents = stats.capped_documents;
}

void Decisions::append(Decisions next) {
  const auto before = static_cast<uint32_t>(index_matches.size());  // matches are numbered through all slices
  for (Removal& removal : next.removals) {
    if (removal.index_match != 0) removal.index_match += before;
    removals.push_back(removal);
  }
  std::ranges::move(next.index_matches, std::back_inserter(index_matches));
  stats.verifications += next.stats.verifications;
  stats.capped_documents += next.stats.capped_documents;
  stats.just_below += next.stats.just_below;
  candidate_documents += next.candidate_documents;
  largest_group = std::max(largest_group, next.largest_group);
  reference_entries = std::max(reference_entries, next.reference_entries);
  end_document = next.end_document;
  end_batch = next.end_batch;
  last = next.last;
  slices += next.slices;
}

void Decisions::save(const CheckpointDirectory& directory, uint64_t recipe_id, std::span<const uint32_t> copy_of) const {
  std::string bytes;
  ByteWriter to(bytes);
  to.value(first_document);
  to.value(static_cast<uint8_t>(last));
  to.array(copy_of.subspan(first_document));  // earlier ones are in the files of earlier slices
  for (const uint64_t number : {end_batch, stats.verifications, stats.capped_documents, stats.just_below, candidate_documents,
                                largest_group, reference_entries, uint64_t{removals.size()}, uint64_t{index_matches.size()}}) {
    to.value(number);
  }
  SegmentWriter writer(directory.file(part_name(kDecidedKind, first_batch)),
                       {.kind = std::string(kDecidedKind), .recipe_id = recipe_id, .entries = first_batch});
  // In pieces: a slice may have hundreds of millions of removals.
  const auto drain = [&] {
    writer.append(bytes);
    bytes.clear();
  };
  for (const Removal& removal : removals) {
    write(removal, to);
    if (bytes.size() > kWriteBytes) drain();
  }
  for (const IndexMatch& match : index_matches) {
    write_index_match(match, to);
    if (bytes.size() > kWriteBytes) drain();
  }
  drain();
  writer.commit();
}

std::vector<Decisions> Decisions::load(const CheckpointDirectory& directory, uint64_t recipe_id, std::vector<uint32_t>& copy_of) {
  std::vector<Decisions> slices;
  copy_of.clear();
  for (uint64_t first_batch = 0; slices.empty() || !slices.back().last; first_batch = slices.back().end_batch) {
    const std::string name = part_name(kDecidedKind, first_batch);
    if (!directory.has(name)) break;
    if (!read_or_discard(directory, name, [&] { slices.push_back(read_decisions(directory, name, recipe_id, copy_of)); })) break;
    SliceCandidates::remove(directory, first_batch);  // in case the program ended between saving one and removing the other
  }
  return slices;
}

}  // namespace neardup
