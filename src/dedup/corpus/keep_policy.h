// KeepPolicy: the total order in which the scan rule scans the documents. Earlier is better: it is kept first.
//
// Text form: auto, which is the input order (where pairs are directional, the search may put larger documents first), or one or more of
// first, last, longest, shortest, source-order, max:FIELD, min:FIELD, separated by commas; later ones break the ties of earlier ones, and
// the input order breaks the rest. "first" and "last" leave no ties. source-order prefers the source that was given earlier; longest and
// shortest go by the bytes of the text; max: and min: by the number at a (dotted) field, and documents without one come after those with
// one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

/// The values that policies compare. Numbers are compared as order-preserving integers (see rank_key).
struct RankInputs {
  bool reference = false;     ///< of the corpus given by against: before all others
  bool is_protected = false;  ///< Options::protect: before the rest
  uint32_t source = 0;
  uint32_t document = 0;
  uint64_t text_bytes = 0;
  uint64_t value_key = 0;  ///< rank_key(value); kNoValue when absent
};

inline constexpr uint64_t kNoValue = 0;
/// Maps numbers to integers in the same order, all above kNoValue. -0 and 0 are equal. NaN cannot occur in JSON.
uint64_t rank_key(double value) noexcept;

class KeepPolicy {
 public:
  /// Throws Error{kUsage} naming the unknown word.
  static KeepPolicy parse(std::string_view text);

  /// True if it is auto, which leaves the order to others.
  [[nodiscard]] bool is_auto() const noexcept { return is_auto_; }
  /// True if shorter documents come before longer ones, at least among ties.
  [[nodiscard]] bool prefers_shorter() const noexcept;
  /// True if it is the input order itself.
  [[nodiscard]] bool is_input_order() const noexcept;
  /// The FIELD of max: or min:, or empty. At most one is allowed.
  [[nodiscard]] const std::string& field() const noexcept { return field_; }
  /// A strict total order.
  [[nodiscard]] bool before(const RankInputs& a, const RankInputs& b) const noexcept;

 private:
  enum class Key { kFirst, kLast, kLongest, kShortest, kSourceOrder, kMax, kMin };
  std::vector<Key> keys_;
  std::string field_;
  bool is_auto_ = false;
};

}  // namespace neardup
