// RunSearch: what one or two slices of a corpus have in common, in memory (quotes_runs.h).
//
// The suffix array of all parts brings equal runs together, two scans of it find the longest match of every place in earlier texts, and the
// smallest place of a range of it is the earliest. So the cost does not depend on how often a run occurs.
// Immutable. Memory: about kBytesPerPoint bytes per code point.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "search/quotes/quotes_minima.h"

namespace neardup {

/// A stretch of the form of a text.
struct FormPart {
  uint32_t text;
  uint32_t begin;  ///< bytes of the form
  uint32_t end;
  uint32_t points;  ///< its code points
};

/// A run in the form of a text, in bytes.
struct RunPlace {
  uint32_t text;
  uint32_t begin;
  uint32_t end;
};

class RunSearch {
 public:
  static constexpr uint64_t kBytesPerPoint = 36;
  static constexpr uint64_t kMaxPoints = 0xFFFF'0000u;

  using FormOf = std::function<std::string_view(uint32_t text)>;
  /// A run of a part of the later slice.
  struct Found {
    RunPlace here;
    uint32_t columns;
    uint32_t begin;  ///< of its code points, counted from the first one of the slice; the end of a part counts too
    uint32_t length;
    std::vector<RunPlace> earlier;
  };

  /// The parts of an earlier slice, or none, and those of the slice whose runs are wanted. All parts ascend.
  RunSearch(std::span<const FormPart> earlier, std::span<const FormPart> later, const FormOf& form_of);

  /// Raises each value to the length of the longest match of that place of the later slice in an earlier text, if that is longer; the first
  /// call makes them.
  void raise_longest(std::vector<uint32_t>& longest) const;
  /// The runs of the later slice that these matches make, without places.
  [[nodiscard]] std::vector<Found> find_runs(std::span<const uint32_t> longest, uint32_t min_columns) const;
  /// Appends places of the run in earlier texts, ascending, up to `max_places` in all: those in the earlier slice, and, if `own` is true,
  /// those in the later slice.
  void add_places(Found& run, uint64_t max_places, bool own) const;

 private:
  struct Part {
    uint32_t text;
    uint32_t first;  // of its code points
  };
  void take(const FormPart& part, std::string_view form);
  [[nodiscard]] uint32_t end_of(size_t part) const;
  [[nodiscard]] uint32_t text_of(uint32_t point) const;

  std::vector<Part> parts_;
  size_t later_part_ = 0;          // the first one of the later slice
  uint32_t later_point_ = 0;       // and its first code point
  std::vector<uint32_t> points_;   // code points, later symbols; one more after each part
  std::vector<uint32_t> bytes_;    // by code point: where it begins in the form; after a part: where that ends
  std::vector<uint32_t> columns_;  // before each code point, modulo 2^32, which differences do not feel
  std::vector<bool> blanks_;
  std::vector<uint32_t> suffixes_;
  std::vector<uint32_t> ranks_;
  std::vector<uint32_t> common_;
  RangeMinima first_suffixes_;
  RangeMinima least_common_;
};

}  // namespace neardup
