#include "dedup/decisions.h"

#include <algorithm>
#include <iterator>

#include "base/byte_codec.h"
#include "base/limits.h"
#include "dedup/grouped.h"
#include "dedup/run_folder/run_part.h"
#include "dedup/witness_bytes.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kKind = "decided";

void write(const Removal& removal, ByteWriter& to) {
  to.value(removal.document);
  to.value(removal.keeper);
  to.value(removal.overlap.common);
  to.value(removal.overlap.size_a);
  to.value(removal.overlap.size_b);
  to.value(static_cast<uint8_t>(removal.connected));
  to.value(removal.witness);
}

Removal read_removal(ByteReader& from) {
  Removal removal;
  removal.document = from.value<uint32_t>();
  removal.keeper = from.value<uint32_t>();
  removal.overlap.common = from.value<uint32_t>();
  removal.overlap.size_a = from.value<uint32_t>();
  removal.overlap.size_b = from.value<uint32_t>();
  removal.connected = from.value<uint8_t>() != 0;
  removal.witness = from.value<uint32_t>();
  return removal;
}

// Every number below `documents`, so that nothing is looked up where nothing is.
void check(const Decisions& decisions, std::span<const uint32_t> copy_of, const ByteReader& reader) {
  const uint32_t documents = decisions.end_document;
  if (!decisions.last && decisions.end_batch <= decisions.first_batch) reader.fail();
  for (const uint32_t copy : copy_of) {
    if (copy >= documents) reader.fail();
  }
  for (const Removal& removal : decisions.removals) {
    if (removal.document < decisions.first_document || removal.document >= documents || removal.keeper >= documents ||
        removal.witness > decisions.witnesses.size())
      reader.fail();
  }
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
  const auto before = static_cast<uint32_t>(witnesses.size());
  for (Removal& removal : next.removals) {
    if (removal.witness != 0) removal.witness += before;
    removals.push_back(removal);
  }
  std::ranges::move(next.witnesses, std::back_inserter(witnesses));
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

void Decisions::save(const RunFolder& folder, uint64_t recipe_id, std::span<const uint32_t> copy_of) const {
  std::string bytes;
  ByteWriter to(bytes);
  to.value(first_document);
  to.value(static_cast<uint8_t>(last));
  to.array(copy_of.subspan(first_document));
  for (const uint64_t number : {end_batch, stats.verifications, stats.capped_documents, stats.just_below, candidate_documents,
                                largest_group, reference_entries, uint64_t{removals.size()}, uint64_t{witnesses.size()}}) {
    to.value(number);
  }
  SegmentWriter writer(folder.file(part_name(kKind, first_batch)),
                       {.kind = std::string(kKind), .recipe_id = recipe_id, .entries = first_batch});
  const auto drain = [&] {
    writer.append(bytes);
    bytes.clear();
  };
  for (const Removal& removal : removals) {
    write(removal, to);
    if (bytes.size() > (1u << 20)) drain();
  }
  for (const Witness& witness : witnesses) {
    write_witness(witness, to);
    if (bytes.size() > (1u << 20)) drain();
  }
  drain();
  writer.commit();
}

namespace {

// Appends to `copy_of`, if it throws nothing.
Decisions read_decisions(const RunFolder& folder, const std::string& name, uint64_t recipe_id, std::vector<uint32_t>& copy_of) {
  const auto file = open_part(folder, kKind, name, recipe_id);
  ByteReader reader(file->payload(), file->name());
  Decisions decisions;
  decisions.first_batch = file->entries();
  decisions.first_document = reader.value<uint32_t>();
  decisions.last = reader.value<uint8_t>() != 0;
  std::vector<uint32_t> copies;
  reader.array(copies);
  if (decisions.first_document != copy_of.size() || copies.size() > limits::kMaxDocuments - copy_of.size()) reader.fail();
  decisions.end_document = static_cast<uint32_t>(decisions.first_document + copies.size());
  for (uint64_t* number :
       {&decisions.end_batch, &decisions.stats.verifications, &decisions.stats.capped_documents, &decisions.stats.just_below,
        &decisions.candidate_documents, &decisions.largest_group, &decisions.reference_entries}) {
    *number = reader.value<uint64_t>();
  }
  const auto removals = reader.value<uint64_t>();
  const auto witnesses = reader.value<uint64_t>();
  if (removals > copies.size() || witnesses > copies.size()) reader.fail();
  for (uint64_t i = 0; i < removals; ++i) decisions.removals.push_back(read_removal(reader));
  for (uint64_t i = 0; i < witnesses; ++i) decisions.witnesses.push_back(read_witness(reader));
  reader.end();
  file->check();
  check(decisions, copies, reader);
  copy_of.insert(copy_of.end(), copies.begin(), copies.end());
  return decisions;
}

}  // namespace

std::vector<Decisions> Decisions::load(const RunFolder& folder, uint64_t recipe_id, std::vector<uint32_t>& copy_of) {
  std::vector<Decisions> slices;
  copy_of.clear();
  for (uint64_t first_batch = 0; slices.empty() || !slices.back().last; first_batch = slices.back().end_batch) {
    const std::string name = part_name(kKind, first_batch);
    if (!folder.has(name)) break;
    if (!read_or_discard(folder, name, [&] { slices.push_back(read_decisions(folder, name, recipe_id, copy_of)); })) break;
    Grouped::remove(folder, first_batch);  // should the program have ended between the two
  }
  return slices;
}

}  // namespace neardup
