// The layout of a log file (docs/formats.md has it to the byte): a head, then batches, one after the other. Little-endian.
//
//   batch:  BatchHead | entries
//   entry:  kind u8 | bytes u32 | contents (stored_document.h; of a state: two arrays)
//
// A batch is what was decided together: it is read as a whole or not at all. Its head says which sequences it has, and up to where the
// store was on the disk when it was written: with that, a torn end, which a power loss leaves, can be told from damage.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neardup {

namespace log_format {

inline constexpr std::string_view kMagic = "NDLOG\r\n\x1A";  // the line end reveals a text conversion
inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kBatchMagic = 0x4254444E;  // "NDTB"

struct FileHead {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t reserved;
  uint64_t number;  ///< of the file
  uint64_t begin;   ///< all sequences below it are in earlier files
  uint64_t sum;     ///< XXH3-64 of what is before it
};
static_assert(sizeof(FileHead) == 40);

struct BatchHead {
  uint32_t magic;
  uint32_t entries;
  uint64_t bytes;  ///< of the entries
  uint64_t begin;  ///< the sequences of the batch: begin <= sequence < end
  uint64_t end;
  uint64_t durable;   ///< all sequences below it were on the disk before the batch was written
  uint64_t body_sum;  ///< XXH3-64 of the entries
  uint64_t head_sum;  ///< XXH3-64 of what is before it, combined with its place: a copy elsewhere, as in a text, is not a batch
};
static_assert(sizeof(BatchHead) == 56);

enum class Entry : uint8_t { kDocument = 1, kEvent = 2, kState = 3 };
inline constexpr size_t kEntryHead = 5;

}  // namespace log_format

/// Where the log has a document.
struct RecordPlace {
  static constexpr uint32_t kOffsetBits = 40;
  uint64_t place = 0;  ///< number of the file, and offset in it in the low bits
  uint32_t bytes = 0;

  [[nodiscard]] uint64_t file() const noexcept { return place >> kOffsetBits; }
  [[nodiscard]] uint64_t offset() const noexcept { return place & ((uint64_t{1} << kOffsetBits) - 1); }
  static RecordPlace at(uint64_t file, uint64_t offset, uint32_t bytes) noexcept { return {file << kOffsetBits | offset, bytes}; }
};

/// What rows in segments do not say: each log file begins with it, so that a store is opened without reading the earlier ones.
struct LogState {
  uint64_t time = 0;                                    ///< of the store
  std::vector<uint64_t> removed;                        ///< sequences of deleted documents that segments have
  std::vector<std::pair<uint64_t, uint64_t>> expiries;  ///< sequence and expiry of documents whose rows have another one
};

}  // namespace neardup
