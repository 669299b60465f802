#include "dedup/stages/stage_counts.h"

#include <algorithm>
#include <utility>

#include "base/byte_codec.h"
#include "dedup/stages/blob_format.h"

namespace neardup {
namespace {

void list_reject(StageReject reject, std::vector<StageReject>& rejects) {
  rejects.insert(std::ranges::upper_bound(rejects, reject), std::move(reject));
  if (rejects.size() > StageCounts::kListed) rejects.pop_back();
}

}  // namespace

void add_reject(StageReject reject, StageCounts& counts) {
  counts.rejected.add(reject.kind);
  list_reject(std::move(reject), counts.rejects);
}

void add_counts(const StageCounts& more, StageCounts& counts) {
  counts.documents += more.documents;
  counts.short_texts += more.short_texts;
  counts.repaired += more.repaired;
  counts.text_bytes += more.text_bytes;
  counts.rejected += more.rejected;
  for (const StageReject& reject : more.rejects) list_reject(reject, counts.rejects);
}

std::string save_counts(const StageCounts& counts) {
  std::string bytes;
  ByteWriter to(bytes);
  to.value(counts.documents);
  to.value(counts.short_texts);
  to.value(counts.repaired);
  to.value(counts.text_bytes);
  for (size_t kind = 0; kind < kRejectKinds; ++kind) to.value(counts.rejected[static_cast<RejectKind>(kind)]);
  to.value(static_cast<uint64_t>(counts.rejects.size()));
  for (const StageReject& reject : counts.rejects) {
    to.value(reject.rank);
    to.value(static_cast<uint8_t>(reject.kind));
    to.text(reject.problem);
  }
  return bytes;
}

StageCounts load_counts(std::string_view bytes) {
  ByteReader from(bytes, "a blob of counts");
  StageCounts counts;
  counts.documents = from.value<uint64_t>();
  counts.short_texts = from.value<uint64_t>();
  counts.repaired = from.value<uint64_t>();
  counts.text_bytes = from.value<uint64_t>();
  for (size_t kind = 0; kind < kRejectKinds; ++kind) counts.rejected.add(static_cast<RejectKind>(kind), from.value<uint64_t>());
  const auto listed = from.value<uint64_t>();
  if (listed > StageCounts::kListed) from.fail();
  for (uint64_t i = 0; i < listed; ++i) {
    StageReject reject;
    reject.rank = from.value<int64_t>();
    const auto kind = from.value<uint8_t>();
    if (kind >= kRejectKinds) from.fail();
    reject.kind = static_cast<RejectKind>(kind);
    reject.problem = from.text();
    counts.rejects.push_back(std::move(reject));
  }
  from.end();
  return counts;
}

StageCounts sum_counts(const StageSettings& settings, std::span<const std::string_view> blobs) {
  StageCounts sum;
  for (const std::string_view bytes : blobs) add_counts(load_counts(open_blob(settings, bytes, BlobKind::kCounts).body), sum);
  return sum;
}

}  // namespace neardup
