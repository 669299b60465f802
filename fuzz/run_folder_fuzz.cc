// Any bytes as the files of a run folder. The first byte chooses the file; the rest is its content, after a good header and with sums that
// fit, so that the checks after those of the sums are reached. What is damaged is discarded or refused by an Error; what is taken names
// only documents, batches and index_matches that exist.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/decisions.h"
#include "dedup/run_folder/pass_journal.h"
#include "dedup/run_folder/run_folder.h"
#include "dedup/run_folder/sketched_batch.h"
#include "dedup/slice_candidates.h"
#include "fuzz_support.h"
#include "store/segment_writer.h"

namespace {

using namespace neardup;
using fuzz::require;

constexpr uint64_t kRecipe = 7;
constexpr uint32_t kDocuments = 6;  // of the slice that groups are read for

// `names` is the second section.
void write_part(const RunFolder& folder, std::string_view pass, std::string_view payload, std::string_view names = {}) {
  SegmentWriter writer(folder.file(part_name(pass, 0)), {.kind = std::string(pass), .recipe_id = kRecipe});
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

void read_decisions(const RunFolder& folder, std::string_view bytes) {
  write_part(folder, "decided", bytes);
  std::vector<uint32_t> copy_of;
  for (const Decisions& slice : Decisions::load(folder, kRecipe, copy_of)) {
    require(slice.first_document <= slice.end_document && slice.end_document <= copy_of.size());
    for (const Removal& removal : slice.removals) {
      require(removal.document < slice.end_document && removal.keeper < slice.end_document);
      require(removal.index_match <= slice.index_matches.size());
    }
  }
}

void read_groups(const RunFolder& folder, std::string_view bytes) {
  write_part(folder, "grouped", bytes);
  const auto grouped = SliceCandidates::load(folder, {.recipe_id = kRecipe, .end_document = kDocuments});
  if (!grouped) return;
  require(grouped->copy_of.size() == kDocuments);
  for (size_t g = 0; g < grouped->groups.group_count(); ++g) {
    for (const uint32_t member : grouped->groups.group(g)) require(grouped->groups.documents[member] < kDocuments);
  }
}

void read_sketches(const RunFolder& folder, std::string_view bytes) {
  fuzz::Fields fields(bytes);
  const size_t names = std::min<size_t>(fields.byte(), fields.rest().size());
  write_part(folder, "sketch", fields.rest().substr(names), fields.rest().substr(0, names));
  const PassJournal journal(folder, "sketch", kRecipe);
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
  static const RunFolder folder(place.path(), RunIdentity(), {});
  fuzz::Fields fields({reinterpret_cast<const char*>(data), size});
  switch (fields.byte() % 4) {
    case 0:
      read_identity(fields.rest());
      break;
    case 1:
      read_decisions(folder, fields.rest());
      break;
    case 2:
      read_groups(folder, fields.rest());
      break;
    default:
      read_sketches(folder, fields.rest());
      break;
  }
  for (const std::string& part : folder.files("", kPartSuffix)) folder.remove(part);
  return 0;
}
