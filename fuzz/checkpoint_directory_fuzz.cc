// Any bytes as the files of a checkpoint directory: decisions, groups, sketches, identity. The first byte chooses the file; the rest is its
// content, after a good header and with sums that fit, so that the checks after those of the sums are reached. What is damaged is discarded
// or refused by an Error; what is taken names only documents, batches and index_matches that exist.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "dedup/checkpoint/pass_journal.h"
#include "dedup/checkpoint/sketched_batch.h"
#include "dedup/decisions.h"
#include "dedup/slice_candidates.h"
#include "fuzz_support.h"
#include "store/segment_writer.h"

namespace {

using namespace neardup;
using fuzz::require;

constexpr uint64_t kRecipe = 7;
constexpr uint32_t kDocuments = 6;  // of the slice that groups are read for

// `names` is the second section.
void write_part(const CheckpointDirectory& directory, std::string_view pass, std::string_view payload, std::string_view names = {}) {
  SegmentWriter writer(directory.file(part_name(pass, 0)), {.kind = std::string(pass), .recipe_id = kRecipe});
  writer.append(payload);
  if (!names.empty()) {
    writer.begin_names();
    writer.append(names);
  }
  writer.commit();
}

void read_identity(std::string_view bytes) {
  try {
    const RunIdentity identity = RunIdentity::parse(bytes, "RUN");
    const RunIdentity again = RunIdentity::parse(identity.to_json(), "RUN");
    require(again.settings == identity.settings && again.sources == identity.sources);
  } catch (const Error& error) {
    fuzz::require_one_line(error);
    require(error.code() == ErrorCode::kInput);
  }
}

void read_decisions(const CheckpointDirectory& directory, std::string_view bytes) {
  write_part(directory, "decided", bytes);
  std::vector<uint32_t> copy_of;
  for (const Decisions& slice : Decisions::load(directory, kRecipe, copy_of)) {
    require(slice.first_document <= slice.end_document && slice.end_document <= copy_of.size());
    for (const Removal& removal : slice.removals) {
      require(removal.document < slice.end_document && removal.keeper < slice.end_document);
      require(removal.index_match <= slice.index_matches.size());
    }
  }
}

void read_groups(const CheckpointDirectory& directory, std::string_view bytes) {
  write_part(directory, "grouped", bytes);
  const auto grouped = SliceCandidates::load(directory, {.recipe_id = kRecipe, .end_document = kDocuments});
  if (!grouped) return;
  require(grouped->copy_of.size() == kDocuments);
  for (size_t g = 0; g < grouped->groups.group_count(); ++g) {
    for (const uint32_t member : grouped->groups.group(g)) require(grouped->groups.documents[member] < kDocuments);
  }
}

void read_sketches(const CheckpointDirectory& directory, std::string_view bytes) {
  fuzz::Fields fields(bytes);
  const size_t names = std::min<size_t>(fields.byte(), fields.rest().size());
  write_part(directory, "sketch", fields.rest().substr(names), fields.rest().substr(0, names));
  const PassJournal journal(directory, "sketch", kRecipe);
  for (uint64_t batch = 0; batch < journal.end(); ++batch) {
    if (!journal.has(batch)) continue;
    SketchedBatch sketched;
    try {
      sketched.load(journal.get(batch), journal.name_of(batch));
    } catch (const Error& error) {
      require(error.code() == ErrorCode::kInput);
      continue;
    }
    std::string saved;
    sketched.save(saved);
    SketchedBatch again;
    again.load(saved, "again");
    std::string twice;
    again.save(twice);
    require(saved == twice);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::Folder place;
  static const CheckpointDirectory directory(place.path(), RunIdentity(), {});
  fuzz::Fields fields({reinterpret_cast<const char*>(data), size});
  switch (fields.byte() % 4) {
    case 0:
      read_identity(fields.rest());
      break;
    case 1:
      read_decisions(directory, fields.rest());
      break;
    case 2:
      read_groups(directory, fields.rest());
      break;
    default:
      read_sketches(directory, fields.rest());
      break;
  }
  for (const std::string& part : directory.files("", kPartSuffix)) directory.remove(part);
  return 0;
}
