// The bytes of a blob: a header of 32 bytes, then the records.
//
//   0  version of the format      8  id of the recipe
//   1  kind                      16  id of the settings
//   2  bytes of a rank: 5, 8     24  XXH3-64 of all other bytes
//   3  0
//   4  number of records (u32)
//
// Little-endian. Records have one size, which follows from kind, rank and settings. Those of kKeys are ordered by section (band or block),
// and the number of each section's records (u32) stands before them all: so a record needs no number of its section.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "dedup/stages/stage_settings.h"

namespace neardup {

inline constexpr size_t kBlobHeader = 32;
inline constexpr size_t kNarrowRank = 5;
inline constexpr size_t kWideRank = 8;
inline constexpr int64_t kMaxNarrowRank = (int64_t{1} << 40) - 1;

inline void store_rank(int64_t rank, size_t rank_bytes, uint8_t* out) noexcept {
  rank_bytes == kNarrowRank ? std::memcpy(out, &rank, kNarrowRank) : std::memcpy(out, &rank, kWideRank);
}
inline int64_t load_rank(const uint8_t* bytes, size_t rank_bytes) noexcept {
  int64_t rank = 0;
  rank_bytes == kNarrowRank ? std::memcpy(&rank, bytes, kNarrowRank) : std::memcpy(&rank, bytes, kWideRank);
  return rank;
}

/// Fingerprints, of 8 or 16 bytes.
inline void store_code(const Fingerprint128& code, size_t code_bytes, uint8_t* out) noexcept {
  std::memcpy(out, &code.low, sizeof code.low);
  if (code_bytes > sizeof code.low) std::memcpy(out + sizeof code.low, &code.high, sizeof code.high);
}
inline Fingerprint128 load_code(const uint8_t* bytes, size_t code_bytes) noexcept {
  Fingerprint128 code;
  std::memcpy(&code.low, bytes, sizeof code.low);
  if (code_bytes > sizeof code.low) std::memcpy(&code.high, bytes + sizeof code.low, sizeof code.high);
  return code;
}

/// "documents", "keys", ...: for messages.
std::string_view name_of(BlobKind kind) noexcept;

/// A blob whose header, size and checksum are right.
struct BlobView {
  BlobKind kind = BlobKind::kDocuments;
  size_t rank_bytes = kWideRank;
  size_t record_bytes = 0;  ///< 0 for kCounts
  uint32_t records = 0;
  const uint8_t* data = nullptr;      ///< the first record
  const uint8_t* sections = nullptr;  ///< of kKeys: their numbers of records
  std::string_view body;

  [[nodiscard]] const uint8_t* record(size_t number) const noexcept { return data + number * record_bytes; }
  [[nodiscard]] int64_t rank_at(const uint8_t* place) const noexcept { return load_rank(place, rank_bytes); }
  /// Requires kKeys.
  [[nodiscard]] uint32_t section_records(uint32_t section) const noexcept {
    uint32_t count = 0;
    std::memcpy(&count, sections + section * sizeof count, sizeof count);
    return count;
  }
};

/// Throws Error{kInput} that says what is wrong with it.
BlobView open_blob(const StageSettings& settings, std::string_view blob);
/// The same for a blob of one of these kinds.
BlobView open_blob(const StageSettings& settings, std::string_view blob, std::span<const BlobKind> kinds);
BlobView open_blob(const StageSettings& settings, std::string_view blob, BlobKind kind);

/// The width of the ranks that a stage gets. It is one in a run: 5 bytes where all ranks fit.
class RankWidth {
 public:
  /// Throws Error{kInput} for a blob with another width than those before.
  void note(const BlobView& blob);
  [[nodiscard]] bool known() const noexcept { return bytes_ != 0; }
  [[nodiscard]] size_t bytes() const noexcept { return bytes_; }

 private:
  size_t bytes_ = 0;  // 0: nothing came
};

/// Makes a blob of a body.
std::string make_blob(const StageStamp& stamp, BlobKind kind, size_t rank_bytes, uint32_t records, std::string_view body);

}  // namespace neardup
