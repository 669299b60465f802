#include "dedup/stages/blob_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint8_t kBlobVersion = 1;
constexpr size_t kChecksumAt = 24;

[[noreturn]] void fail_blob(const std::string& why) {
  throw Error(ErrorCode::kInput, "a blob " + why);
}

template <typename T>
T load_at(std::string_view bytes, size_t at) noexcept {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

uint64_t checksum(std::string_view blob) noexcept {
  return mix64(hash64(blob.substr(0, kChecksumAt)) ^ mix64(hash64(blob.substr(kBlobHeader))));
}

bool is_kind(uint8_t kind) noexcept {
  return kind >= static_cast<uint8_t>(BlobKind::kDocuments) && kind <= static_cast<uint8_t>(BlobKind::kFrequencies);
}

void check_stamp(const StageStamp& wanted, const StageStamp& found, BlobKind kind) {
  if (found.recipe != wanted.recipe) {
    fail_blob(fmt::format("of {} was made by recipe {:016x}, and this run has recipe {:016x}", name_of(kind), found.recipe, wanted.recipe));
  }
  if (found.settings != wanted.settings) {
    fail_blob(
        fmt::format("of {} was made with other options than those of this run (recipe {:016x} in both)", name_of(kind), wanted.recipe));
  }
}

// The sizes of sections are checked before anything reads by them.
void check_sections(const BlobView& view, uint32_t sections) {
  uint64_t total = 0;
  for (uint32_t section = 0; section < sections; ++section) total += view.section_records(section);
  if (total != view.records) {
    fail_blob(fmt::format("of {} is damaged: {} records in its sections, {} in its header", name_of(view.kind), total, view.records));
  }
}

}  // namespace

std::string_view name_of(BlobKind kind) noexcept {
  constexpr std::array<std::string_view, 12> kNames{"documents", "short documents", "ids",    "copies", "shorts", "keys",
                                                    "edges",     "codes",           "counts", "halves", "tally",  "frequencies"};
  return kNames[static_cast<size_t>(kind) - 1];
}

BlobView open_blob(const StageSettings& settings, std::string_view blob) {
  if (blob.size() < kBlobHeader) fail_blob(fmt::format("is truncated: {} bytes, and its header has {}", blob.size(), kBlobHeader));
  const auto version = load_at<uint8_t>(blob, 0);
  if (version != kBlobVersion) {
    fail_blob(fmt::format("has format {}, and this version of neardup reads format {}: all machines need the same version", version,
                          kBlobVersion));
  }
  const auto kind = load_at<uint8_t>(blob, 1);
  if (!is_kind(kind)) fail_blob(fmt::format("is damaged: there is no kind {}", kind));
  if (load_at<uint64_t>(blob, kChecksumAt) != checksum(blob))
    fail_blob(fmt::format("of {} with {} bytes is damaged: its checksum is wrong", name_of(static_cast<BlobKind>(kind)), blob.size()));

  BlobView view;
  view.kind = static_cast<BlobKind>(kind);
  view.rank_bytes = load_at<uint8_t>(blob, 2);
  view.records = load_at<uint32_t>(blob, 4);
  check_stamp(settings.stamp(), {load_at<uint64_t>(blob, 8), load_at<uint64_t>(blob, 16)}, view.kind);
  if (view.rank_bytes != kNarrowRank && view.rank_bytes != kWideRank)
    fail_blob(fmt::format("of {} is damaged: ranks of {} bytes", name_of(view.kind), view.rank_bytes));
  view.body = blob.substr(kBlobHeader);
  view.data = reinterpret_cast<const uint8_t*>(view.body.data());
  if (view.kind == BlobKind::kCounts) return view;
  view.record_bytes = settings.record_bytes(view.kind, view.rank_bytes);
  const size_t before = view.kind == BlobKind::kKeys ? settings.sections() * sizeof(uint32_t) : 0;
  if (view.body.size() != before + uint64_t{view.records} * view.record_bytes) {
    fail_blob(fmt::format("of {} is damaged: {} records of {} bytes do not have {}", name_of(view.kind), view.records, view.record_bytes,
                          view.body.size()));
  }
  if (before == 0) return view;
  view.sections = view.data;
  view.data += before;
  check_sections(view, settings.sections());
  return view;
}

BlobView open_blob(const StageSettings& settings, std::string_view blob, std::span<const BlobKind> kinds) {
  const BlobView view = open_blob(settings, blob);
  if (std::ranges::find(kinds, view.kind) == kinds.end()) fail_blob(fmt::format("of {} does not belong to this stage", name_of(view.kind)));
  return view;
}

BlobView open_blob(const StageSettings& settings, std::string_view blob, BlobKind kind) {
  return open_blob(settings, blob, std::span(&kind, 1));
}

void RankWidth::note(const BlobView& blob) {
  if (bytes_ == 0) bytes_ = blob.rank_bytes;
  if (bytes_ != blob.rank_bytes)
    fail_blob(fmt::format("of {} has ranks of {} bytes, and others have {}", name_of(blob.kind), blob.rank_bytes, bytes_));
}

std::string make_blob(const StageStamp& stamp, BlobKind kind, size_t rank_bytes, uint32_t records, std::string_view body) {
  std::string blob(kBlobHeader, '\0');
  blob.reserve(kBlobHeader + body.size());
  blob += body;
  const std::array<uint8_t, 4> first{kBlobVersion, static_cast<uint8_t>(kind), static_cast<uint8_t>(rank_bytes), 0};
  std::memcpy(blob.data(), first.data(), first.size());
  std::memcpy(blob.data() + 4, &records, sizeof records);
  std::memcpy(blob.data() + 8, &stamp.recipe, sizeof stamp.recipe);
  std::memcpy(blob.data() + 16, &stamp.settings, sizeof stamp.settings);
  const uint64_t sum = checksum(blob);
  std::memcpy(blob.data() + kChecksumAt, &sum, sizeof sum);
  return blob;
}

}  // namespace neardup
