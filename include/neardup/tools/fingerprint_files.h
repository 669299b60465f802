// FingerprintReader: reads ready fingerprints from files, as neardup sketch writes them, in order.
//
//   JSON Lines  the member fingerprint, a string, null for a text that was too short; optionally id, source, row and recipe_id
//   a table     with a header that names these columns, of which only fingerprint is needed, and tabs between them
//   .npy        uint64 of shape (n,), or (n, 2) for 128 bits, the low half first
//   .bin        the bytes of that array without its header
// The end of the name selects the last two, the first character the others; all may be compressed, and "-" is standard input, lines. A row
// of zeros in an array represents a text that was too short, as neardup sketch writes it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/fingerprint.h"
#include "neardup/tools/fingerprint_text.h"
#include "neardup/tools/reject_limit.h"
#include "neardup/tools/rejects.h"

namespace neardup {

struct FingerprintEntry {
  std::string name;  ///< the id; without one SOURCE:ROW of the document, or else FILE:ROW of this line or row
  Fingerprint128 code;
  bool too_short = false;  ///< there is none
};

struct FingerprintFormat {
  uint32_t bits = 64;                            ///< 64 or 128
  FingerprintText text = FingerprintText::kHex;  ///< how lines hold them
  bool names = true;                             ///< FingerprintEntry::name is wanted
  uint64_t recipe_id = 0;                        ///< lines that name another recipe are an error; 0: that of the first line that names one
};

/// What a line of fingerprints must have, as messages name it.
inline constexpr std::string_view kFingerprintField = "the fingerprint";

/// True if the name is that of an array, whose fingerprints have only row numbers as ids.
bool is_fingerprint_array(std::string_view path) noexcept;

/// For one thread.
class FingerprintReader {
 public:
  /// Called with a line that could not be read, and why.
  using Reject = std::function<void(std::string_view line)>;

  /// Throws Error{kInput} for files that cannot be opened, Error{kUsage} for an impossible format.
  FingerprintReader(std::vector<std::string> inputs, const FingerprintFormat& format, Reject reject = {});
  ~FingerprintReader();
  FingerprintReader(const FingerprintReader&) = delete;
  FingerprintReader& operator=(const FingerprintReader&) = delete;

  /// False at the end of the last input. Rejects and skips an unreadable line. Throws Error{kInput} for an array of another shape,
  /// truncation or damage, and Error{kUsage} naming both recipes for a line of another recipe.
  bool next(FingerprintEntry& entry);
  /// Reads the next entry ahead, so that recipe_id() and inputs that do not open are known before the work begins.
  void look_ahead();
  /// True if next() may have to wait for more data.
  [[nodiscard]] bool waiting() const;

  [[nodiscard]] uint64_t read() const noexcept { return read_; }  ///< entries and rejected lines
  [[nodiscard]] const RejectLog& rejects() const noexcept { return rejects_; }
  /// For check_rejects(). Valid while this is unchanged.
  [[nodiscard]] RejectTotals reject_totals() const noexcept;
  [[nodiscard]] uint64_t input_bytes() const noexcept;  ///< of lines and rows so far
  [[nodiscard]] uint64_t recipe_id() const noexcept { return format_.recipe_id; }
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }  ///< the first rejected lines

  class Part;  ///< of one input; for the implementation

 private:
  const std::vector<std::string> inputs_;
  FingerprintFormat format_;
  const Reject reject_;
  size_t next_input_ = 0;
  std::unique_ptr<Part> part_;
  bool ahead_ = false;
  bool any_ahead_ = false;
  FingerprintEntry entry_ahead_;
  uint64_t read_ = 0;
  RejectLog rejects_;
  uint64_t bytes_before_ = 0;  // of the inputs before
  std::vector<std::string> warnings_;
};

}  // namespace neardup
