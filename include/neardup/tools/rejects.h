// Rejected records.
//
//   RejectKind     why a record is rejected, as one of a few kinds
//   RejectCounts   how many records of each kind
//   RejectTotals   totals for deciding whether a run fails (check_rejects() in reject_limit.h)
//   RejectLog      counts them one by one, and words the first few
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

enum class RejectKind : uint8_t {
  kBrokenJson,    ///< a line that is not JSON, or not an object
  kNotUtf8,       ///< a line that is not UTF-8
  kBrokenRow,     ///< a row of a table without the cells of its header
  kMissingField,  ///< a required field is absent, or null
  kFieldType,     ///< the field has another type
  kInvalidValue,  ///< the field has the right type, and an invalid value
  kTooLong,       ///< longer than max_record_bytes, or than a text may be
  kDamaged,       ///< the file, or its compression, is truncated or corrupt here: the rest of its contents is unknown
  kBrokenBody,    ///< a record of an intact archive whose page is cut off or corrupt
  kUnreadable,    ///< a file that cannot be opened, or an encoding that is not known
  kOther,         ///< of a source that names no kind
};
inline constexpr size_t kRejectKinds = 11;

/// "broken_json", "missing_field", ...: in JSON and metrics.
std::string_view to_string(RejectKind) noexcept;
inline constexpr std::string_view kTextField = "the text field";
/// "broken JSON", "missing the text field", ...: for people. `field`: what the records of this kind of input need.
std::string in_words(RejectKind, std::string_view field = kTextField);

class RejectCounts {
 public:
  void add(RejectKind kind, uint64_t records = 1) noexcept { counts_[static_cast<size_t>(kind)] += records; }
  RejectCounts& operator+=(const RejectCounts& other) noexcept;
  [[nodiscard]] uint64_t operator[](RejectKind kind) const noexcept { return counts_[static_cast<size_t>(kind)]; }
  [[nodiscard]] uint64_t total() const noexcept;
  /// All kinds: {"broken_json":0,...}
  [[nodiscard]] std::string to_json() const;
  /// Those that occurred, the most frequent first: "7 missing the text field, 5 broken JSON". Empty: none did.
  [[nodiscard]] std::string to_text(std::string_view field = kTextField) const;
  friend bool operator==(const RejectCounts&, const RejectCounts&) = default;

 private:
  std::array<uint64_t, kRejectKinds> counts_{};
};

/// The counts of a run, and the terms of its messages.
struct RejectTotals {
  uint64_t read = 0;  ///< rejected records included
  RejectCounts rejected{};
  std::string_view first;            ///< the first rejected record: its place and the problem; may be empty
  std::string_view unit = "record";  ///< with an 's' for several
  std::string_view corpus = "";      ///< whose records they are: " of the reference corpus"; empty: of the inputs
  std::string_view field = kTextField;
};

inline constexpr size_t kMaxWarnings = 5;  ///< per kind; the counts cover the rest

/// Counts rejected records and words the first few, for warnings and for the message of a run that fails. Does not decide whether a run
/// fails: check_rejects(). One thread.
class RejectLog {
 public:
  /// `place`: "FILE:ROW". Adds a warning to `warnings` for each of the first kMaxWarnings records.
  void add(std::string_view place, RejectKind kind, std::string_view problem, std::vector<std::string>& warnings);

  [[nodiscard]] uint64_t total() const noexcept { return by_kind_.total(); }
  [[nodiscard]] const RejectCounts& by_kind() const noexcept { return by_kind_; }
  /// Place and problem of the first record; empty: there is none.
  [[nodiscard]] const std::string& first() const noexcept { return first_; }
  /// For check_rejects(), of `read` records, rejected ones included. Valid while this is unchanged.
  [[nodiscard]] RejectTotals totals(uint64_t read) const noexcept { return {.read = read, .rejected = by_kind_, .first = first_}; }

 private:
  RejectCounts by_kind_;
  std::string first_;
};

}  // namespace neardup
