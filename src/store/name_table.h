// NameTable: the names of ids, in the second section of a segment.
//
// The bytes of all names one after the other, zeros to a multiple of 8, then {id, end of its name} for each, ascending by id, then {count,
// bytes of all names}. An id has one name. Names are any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/block_guard.h"
#include "base/spill_file.h"
#include "store/segment_file.h"
#include "store/segment_writer.h"

namespace neardup {

struct NameEnd {
  uint64_t id;
  uint64_t end;
};

/// A view of a segment, which outlives it. Thread-safe. Trusts nothing: it reads only inside the section, and throws Error{kInput} that
/// names the file where it is damaged.
class NameTable {
 public:
  explicit NameTable(const SegmentFile& file);

  [[nodiscard]] uint64_t size() const noexcept { return count_; }
  [[nodiscard]] std::optional<std::string_view> find(uint64_t id) const;
  [[nodiscard]] uint64_t id(uint64_t i) const { return entry(i).id; }
  [[nodiscard]] std::string_view name(uint64_t i) const;

 private:
  [[nodiscard]] NameEnd entry(uint64_t i) const;
  [[noreturn]] void refuse() const;

  const SegmentFile& file_;
  std::string_view section_;
  uint64_t count_ = 0;
  uint64_t text_bytes_ = 0;
  const char* entries_ = nullptr;
};

/// Writes the second section of a segment, which has begun. Memory: some MB, the rest in a temporary file.
class NameWriter {
 public:
  NameWriter(SegmentWriter& writer, std::string temp_dir) : writer_(writer), entries_(kMemoryBytes, std::move(temp_dir)) {}
  /// Ids ascend.
  void add(uint64_t id, std::string_view name);
  void finish();

 private:
  static constexpr uint64_t kMemoryBytes = 4u << 20;

  SegmentWriter& writer_;
  SpillFile entries_;  // NameEnd
  uint64_t count_ = 0;
  uint64_t text_bytes_ = 0;
};

}  // namespace neardup
