// PartBlobs: records of one kind on their way into blobs, one at a time for each part.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "dedup/stages/blob_format.h"

namespace neardup {

/// The part of a hash: equal hashes, equal parts. Hashes are spread over all parts by their upper bits.
inline uint32_t part_of(uint64_t hash, uint32_t parts) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint32_t>((Wide{hash} * parts) >> 64);
}
/// Of a rank. Ranks are often consecutive.
uint32_t part_of_rank(int64_t rank, uint32_t parts) noexcept;

class PartBlobs {
 public:
  /// `memory`: bytes of all blobs that are not full. `settings` must outlive this object.
  PartBlobs(const StageSettings& settings, BlobKind kind, uint32_t parts, size_t rank_bytes, uint64_t memory);

  /// Room for a record, to be filled before the next call. `section`: for kKeys.
  uint8_t* add(uint32_t part, uint32_t section = 0);
  /// A full blob, if there is one.
  std::optional<Blob> take();
  /// Makes the others full. The last call but take().
  void finish();

 private:
  void seal(uint32_t part);
  [[nodiscard]] std::string body(const std::string& records) const;

  const StageSettings& settings_;
  const BlobKind kind_;
  const size_t rank_bytes_;
  const size_t record_bytes_;
  const size_t stored_bytes_;  // of a record here; of kKeys with its section before it
  const size_t full_bytes_;
  std::vector<std::string> open_;  // by part
  std::deque<Blob> full_;
};

}  // namespace neardup
