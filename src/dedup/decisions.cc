#include "dedup/decisions.h"

#include "base/byte_codec.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {
namespace {

constexpr std::string_view kFile = "decided";
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

void write(const Witness& witness, ByteWriter& to) {
  to.value(witness.document);
  to.value(witness.index);
  to.value(witness.entry);
  to.text(witness.name);
  to.value(static_cast<uint8_t>(witness.named));
  to.value(witness.distance);
}

Witness read_witness(ByteReader& from) {
  Witness witness;
  witness.document = from.value<uint32_t>();
  witness.index = from.value<uint32_t>();
  witness.entry = from.value<uint64_t>();
  witness.name = from.text();
  witness.named = from.value<uint8_t>() != 0;
  witness.distance = from.value<uint32_t>();
  return witness;
}

// Every number below `documents`, so that nothing is looked up where nothing is.
void check(const Decisions& decisions, const ByteReader& reader) {
  const size_t documents = decisions.copy_of.size();
  for (const uint32_t copy : decisions.copy_of) {
    if (copy >= documents) reader.fail();
  }
  for (const Removal& removal : decisions.removals) {
    if (removal.document >= documents || removal.keeper >= documents || removal.witness > decisions.witnesses.size()) reader.fail();
  }
}

}  // namespace

void Decisions::count(Summary& summary) const {
  summary.candidate_documents = candidate_documents;
  summary.largest_group = largest_group;
  summary.reference_entries = reference_entries;
  summary.verifications = stats.verifications;
  summary.capped_documents = stats.capped_documents;
}

void Decisions::save(const RunFolder& folder, uint64_t recipe_id) const {
  std::string bytes;
  ByteWriter to(bytes);
  to.array(copy_of);
  for (const uint64_t number : {batches, stats.verifications, stats.capped_documents, candidate_documents, largest_group, reference_entries,
                                uint64_t{removals.size()}, uint64_t{witnesses.size()}}) {
    to.value(number);
  }
  SegmentWriter writer(folder.file(kFile), {.kind = std::string(kKind), .recipe_id = recipe_id, .entries = copy_of.size()});
  const auto drain = [&] {
    writer.append(bytes);
    bytes.clear();
  };
  for (const Removal& removal : removals) {
    write(removal, to);
    if (bytes.size() > (1u << 20)) drain();
  }
  for (const Witness& witness : witnesses) {
    write(witness, to);
    if (bytes.size() > (1u << 20)) drain();
  }
  drain();
  writer.commit();
}

std::optional<Decisions> Decisions::load(const RunFolder& folder, uint64_t recipe_id) {
  if (!folder.has(kFile)) return std::nullopt;
  try {
    const auto file = SegmentFile::open(folder.file(kFile), kKind, 0);
    file->verify_all(1);
    if (file->recipe_id() != recipe_id) throw Error(ErrorCode::kInput, "of another recipe");
    ByteReader reader(file->payload(), file->name());
    Decisions decisions;
    reader.array(decisions.copy_of);
    for (uint64_t* number : {&decisions.batches, &decisions.stats.verifications, &decisions.stats.capped_documents,
                             &decisions.candidate_documents, &decisions.largest_group, &decisions.reference_entries}) {
      *number = reader.value<uint64_t>();
    }
    const auto removals = reader.value<uint64_t>();
    const auto witnesses = reader.value<uint64_t>();
    if (removals > decisions.copy_of.size() || witnesses > decisions.copy_of.size()) reader.fail();
    for (uint64_t i = 0; i < removals; ++i) decisions.removals.push_back(read_removal(reader));
    for (uint64_t i = 0; i < witnesses; ++i) decisions.witnesses.push_back(read_witness(reader));
    reader.end();
    check(decisions, reader);
    return decisions;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    folder.remove(kFile);  // it is decided again
    return std::nullopt;
  }
}

}  // namespace neardup
