// RepeatedRuns: the longest runs of each text that an earlier text has too.
//
// Texts are given as parts: stretches of their forms, ascending. A run lies in one part, and neither begins nor ends with a blank. It is
// reported if an earlier text has it in one of its parts and no longer run around it is in an earlier text, too.
//
// Exact. Parts that do not fit into memory are divided into slices; every slice is compared with each one before it (quotes_search.h), so
// the time grows with the square of the number of slices, and is n log n for one. Not for concurrent use. Throws Error{kResource} for a
// part that does not fit into half of the memory, and Error{kStopped}.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "search/quotes/quotes_search.h"

namespace neardup {

class RepeatedRuns {
 public:
  /// A run of `here`, which each of `earlier` has, too: the earliest places, ascending. `more`: there are others; not known if only one is
  /// asked for.
  struct Run {
    RunPlace here;
    uint32_t columns;
    std::span<const RunPlace> earlier;
    bool more;
  };

  /// `form_of` gives the form of a text.
  RepeatedRuns(RunSearch::FormOf form_of, uint64_t memory_bytes);

  void add(const FormPart& part);
  /// Code points of all parts.
  [[nodiscard]] uint64_t points() const noexcept { return points_; }
  [[nodiscard]] size_t slices() const noexcept { return slices_.size(); }

  /// Visits the runs of at least `min_columns`, ascending by text and begin, with at most `max_places` places; at least 1.
  void for_each(uint32_t min_columns, uint64_t max_places, const std::function<void(const Run&)>& visit) const;

 private:
  struct Slice {
    size_t first;  // of its parts
    size_t end;
    uint64_t points;
  };
  [[nodiscard]] std::span<const FormPart> parts_of(const Slice& slice) const {
    return std::span(parts_).subspan(slice.first, slice.end - slice.first);
  }

  const RunSearch::FormOf form_of_;
  const uint64_t max_points_;  // of two slices together
  std::vector<FormPart> parts_;
  std::vector<Slice> slices_;
  uint64_t points_ = 0;
};

}  // namespace neardup
