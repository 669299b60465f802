// RejectKind: why a record is rejected, as one of a few kinds; RejectCounts: how many records of each kind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace neardup {

enum class RejectKind : uint8_t {
  kBrokenJson,    ///< a line that is not JSON, or not an object
  kNotUtf8,       ///< a line that is not UTF-8
  kBrokenRow,     ///< a row of a table that has not the cells of its header
  kMissingField,  ///< the field that is needed is absent, or null
  kFieldType,     ///< the field is there, and of another type
  kInvalidValue,  ///< the field has the right type, and a value that it cannot have
  kTooLong,       ///< longer than max_record_bytes, or than a text may be
  kDamaged,       ///< the file is cut off or corrupt here, itself or in its compression: what else it held is not known
  kBrokenBody,    ///< a record of an intact archive whose page is cut off or corrupt
  kUnreadable,    ///< a file that cannot be opened, or an encoding that is not known
  kOther,         ///< what a source says that names no kind
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

}  // namespace neardup
