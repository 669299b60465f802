// Aligner: where a pattern occurs in a text with at most so many edits (semi-global edit distance).
//
// Edits are insertions, deletions and substitutions of one code point. Myers' bit-vector algorithm (1999) in blocks of 64 rows (Hyyro
// 2003): time is text * ceil(pattern / 64). Immutable after construction; threads share it, each with its own scratch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace neardup {

struct Occurrence {
  uint32_t begin = 0;  ///< in code points of the text
  uint32_t end = 0;
  uint32_t edits = 0;
  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

class Aligner {
 public:
  struct Scratch {
    std::vector<uint64_t> plus, minus;  // vertical differences of +1 and -1, one bit a row
  };

  /// Requires a pattern of 1 to 2^31 code points.
  explicit Aligner(std::span<const char32_t> pattern);

  [[nodiscard]] size_t size() const noexcept { return rows_; }

  /// The smallest edit distance of the pattern to a passage of the text, if it is at most `max_edits`. Requires max_edits < size().
  [[nodiscard]] std::optional<uint32_t> distance(std::span<const char32_t> text, uint32_t max_edits, Scratch& scratch) const;

  /// The passage with the smallest edit distance, if that is at most `max_edits`. Of several, the one whose end comes first, then the
  /// longest to the left; of the passages with the same begin and distance, the longest.
  [[nodiscard]] std::optional<Occurrence> best(std::span<const char32_t> text, uint32_t max_edits, Scratch& scratch) const;

  /// Passages within `max_edits` that do not overlap, from left to right: where a passage ends within max_edits, the best of those that end
  /// fewer than size() code points later is taken, and the search resumes after it.
  void all(std::span<const char32_t> text, uint32_t max_edits, Scratch& scratch, std::vector<Occurrence>& out) const;

 private:
  // The rows in which a code point occurs, for the pattern and for its mirror image.
  struct Rows {
    explicit Rows(std::span<const char32_t> pattern, size_t blocks, bool mirrored);
    [[nodiscard]] const uint64_t* of(char32_t c) const noexcept;

    size_t blocks;
    std::array<uint32_t, 128> ascii{};  // offsets into masks; 0: the empty mask
    std::unordered_map<char32_t, uint32_t> others;
    std::vector<uint64_t> masks;
  };

  // Calls visit(columns read, distance of the whole pattern) after each code point of the text until it returns false. `anchored`: the
  // passage begins where the text begins.
  template <typename Visit>
  void run(const Rows& rows, std::span<const char32_t> text, bool mirrored, bool anchored, Scratch& scratch, const Visit& visit) const;
  [[nodiscard]] Occurrence completed(std::span<const char32_t> text, uint32_t end, uint32_t edits, Scratch& scratch) const;

  size_t rows_;
  size_t blocks_;
  Rows forward_;
  Rows backward_;
};

}  // namespace neardup
