#include "dedup/stages/part_blobs.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace neardup {
namespace {

// Rows of this size cost the least in shuffles; with very many parts blobs get smaller, so that all of them fit into the memory.
constexpr uint64_t kBlobBytes = 128 << 10;
constexpr uint64_t kLeastBlobBytes = 2 << 10;

}  // namespace

uint32_t part_of_rank(int64_t rank, uint32_t parts) noexcept {
  return part_of(splitmix64(0, static_cast<uint64_t>(rank)), parts);
}

PartBlobs::PartBlobs(const StageSettings& settings, BlobKind kind, uint32_t parts, size_t rank_bytes, uint64_t memory)
    : settings_(settings),
      kind_(kind),
      rank_bytes_(rank_bytes),
      record_bytes_(settings.record_bytes(kind, rank_bytes)),
      stored_bytes_(record_bytes_ + (kind == BlobKind::kKeys ? sizeof(uint16_t) : 0)),
      full_bytes_(std::clamp(memory / parts, kLeastBlobBytes, kBlobBytes)),
      open_(parts) {}

uint8_t* PartBlobs::add(uint32_t part, uint32_t section) {
  if (open_[part].size() + stored_bytes_ > full_bytes_) seal(part);
  std::string& open = open_[part];
  const size_t at = open.size();
  open.resize(at + stored_bytes_);
  auto* const record = reinterpret_cast<uint8_t*>(open.data() + at);
  if (kind_ != BlobKind::kKeys) return record;
  const auto number = static_cast<uint16_t>(section);
  std::memcpy(record, &number, sizeof number);
  return record + sizeof number;
}

std::optional<Blob> PartBlobs::take() {
  if (full_.empty()) return std::nullopt;
  Blob blob = std::move(full_.front());
  full_.pop_front();
  return blob;
}

void PartBlobs::finish() {
  for (uint32_t part = 0; part < open_.size(); ++part) seal(part);
}

void PartBlobs::seal(uint32_t part) {
  std::string& open = open_[part];
  if (open.empty()) return;
  const auto records = static_cast<uint32_t>(open.size() / stored_bytes_);
  full_.push_back({part, kind_, make_blob(settings_.stamp(), kind_, rank_bytes_, records, kind_ == BlobKind::kKeys ? body(open) : open)});
  open.clear();
}

// A counting sort by section.
std::string PartBlobs::body(const std::string& records) const {
  const auto section_at = [&](size_t at) {
    uint16_t section = 0;
    std::memcpy(&section, records.data() + at, sizeof section);
    return section;
  };
  const uint32_t sections = settings_.sections();
  std::vector<uint32_t> counts(sections);
  for (size_t at = 0; at < records.size(); at += stored_bytes_) ++counts[section_at(at)];
  const size_t before = sections * sizeof(uint32_t);
  std::vector<size_t> place(sections, before);
  for (uint32_t section = 1; section < sections; ++section) place[section] = place[section - 1] + counts[section - 1] * record_bytes_;

  std::string sorted(before + records.size() / stored_bytes_ * record_bytes_, '\0');
  std::memcpy(sorted.data(), counts.data(), before);
  for (size_t at = 0; at < records.size(); at += stored_bytes_) {
    size_t& to = place[section_at(at)];
    std::memcpy(sorted.data() + to, records.data() + at + sizeof(uint16_t), record_bytes_);
    to += record_bytes_;
  }
  return sorted;
}

}  // namespace neardup
