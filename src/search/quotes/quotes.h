// QuoteFinder: the passages that texts of a corpus share with earlier ones.
//
// A passage is a run of code points of a form (text/clue/clue_form.h) with at least `min_columns` columns that an earlier text has too,
// that neither begins nor ends with a blank, and that is not part of a longer one of the same text. Each is reported with the earliest text
// that has it, so the output is linear in the corpus even where 10^5 texts begin with one licence.
//
// Exact. Anchors (index/anchors/anchors.h) of windows that fit into min_columns are sorted externally; only what surrounds anchors that
// several texts have can hold a passage, and is searched by quotes_runs.h in memory. What is unique costs 16 bytes an anchor, on disk
// beyond the budget.
//
// Filled and asked by one thread. Throws Error{kOutput} when the disk is full, Error{kResource} when a single shared part is too large for
// the budget, and Error{kStopped}.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/external_sort.h"
#include "base/spill_file.h"
#include "index/anchors/anchors.h"
#include "search/quotes/quotes_runs.h"

namespace neardup {

struct QuoteSettings {
  uint32_t min_columns = 40;
  uint64_t max_places = 1;  ///< earlier places reported of one passage, at least 1
  uint64_t memory_bytes = 0;
  std::string temp_dir;
};

class QuoteFinder {
 public:
  /// The shortest run that can be asked for: one whole window of one column.
  static constexpr uint32_t kMinColumns = 9;

  explicit QuoteFinder(const QuoteSettings& settings);

  /// The anchors that add() takes of each form: text_anchors() with this shape.
  [[nodiscard]] const AnchorShape& shape() const noexcept { return shape_; }
  /// The next text.
  void add(std::string_view form, std::span<const Anchor> anchors);
  /// Visits all passages, ascending by text and begin. Call it once, after the last add().
  void for_each(const std::function<void(const RepeatedRuns::Run&)>& visit);

  [[nodiscard]] uint32_t texts() const noexcept { return static_cast<uint32_t>(ends_.size()); }
  /// The form of a text. After for_each().
  [[nodiscard]] std::string_view form(uint32_t text) const;
  /// Code points that were compared, and the slices they were divided into; after for_each().
  [[nodiscard]] size_t slices() const noexcept { return slices_; }
  [[nodiscard]] uint64_t shared_points() const noexcept { return shared_points_; }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return spilled_bytes_ + forms_.spilled_bytes(); }

 private:
  struct Occurrence {
    uint64_t hash;
    uint32_t text;
    uint32_t begin;
    friend bool operator<(const Occurrence& a, const Occurrence& b) {
      if (a.hash != b.hash) return a.hash < b.hash;
      return a.text != b.text ? a.text < b.text : a.begin < b.begin;
    }
  };
  struct SharedAnchor {
    uint32_t text;
    uint32_t begin;
    friend bool operator<(const SharedAnchor& a, const SharedAnchor& b) { return a.text != b.text ? a.text < b.text : a.begin < b.begin; }
  };
  using SharedAnchors = ExternalSorter<SharedAnchor>;

  void find_shared(SharedAnchors& shared);
  void take_parts(SharedAnchors& shared, RepeatedRuns& runs);

  const QuoteSettings settings_;
  const AnchorShape shape_;
  SpillFile forms_;
  std::string_view all_forms_;
  std::vector<uint64_t> ends_;  // of the forms
  std::optional<ExternalSorter<Occurrence>> occurrences_;
  std::vector<Occurrence> batch_;
  uint64_t shared_points_ = 0;
  size_t slices_ = 0;
  uint64_t spilled_bytes_ = 0;
};

}  // namespace neardup
