// RepeatedRuns: the longest runs of each text that an earlier text has too.
//
// Texts are given as parts: stretches of code points, in ascending order of texts. A run lies in one part, and neither begins nor ends with
// a blank. It is reported if an earlier text has it and no longer run around it, in the same part, is in an earlier text, too; with the
// earliest text that has it, and the first place there.
//
// Exact. O(n log n) for n code points, however often a run occurs: the suffix array of all parts brings equal runs together, two scans of
// it find the longest match of every place in earlier texts, and the smallest place of a range of it is the earliest. Memory: about
// kBytesPerPoint bytes per code point. Not for concurrent use.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace neardup {

class RepeatedRuns {
 public:
  static constexpr uint64_t kBytesPerPoint = 36;
  static constexpr uint64_t kMaxPoints = 0xFFFF'0000u;

  struct Place {
    uint32_t text;
    uint32_t begin;  ///< bytes of its form
    uint32_t end;
  };
  /// A run of `here`, which each of `earlier` has, too: the earliest place, or the first few. `more`: number of further places that were
  /// left out, known up to 1.
  struct Run {
    Place here;
    uint32_t columns;
    const std::vector<Place>& earlier;
    bool more;
  };

  /// Begins a part of a text, whose first byte is this one of its form.
  void begin_part(uint32_t text, uint32_t begin);
  /// Adds a code point to it, which has so many bytes.
  void add(char32_t c, uint32_t bytes);
  [[nodiscard]] uint64_t points() const noexcept { return points_.size(); }

  /// Visits the runs of at least `min_columns`, ascending by text and begin. `max_places` is at least 1. Called once, at the end.
  void for_each(uint32_t min_columns, uint64_t max_places, const std::function<void(const Run&)>& visit);

 private:
  struct Part {
    uint32_t text;
    uint32_t first;  // of its code points in points_
  };
  class Search;

  std::vector<Part> parts_;
  std::vector<uint32_t> points_;  // code points, and kEnd after each part
  std::vector<uint32_t> bytes_;   // by code point: where it begins in the form; of kEnd: where the part ends
};

}  // namespace neardup
