#include "search/quotes/quotes_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "neardup/error.h"
#include "neardup/tools/readable.h"

namespace neardup {

RepeatedRuns::RepeatedRuns(RunSearch::FormOf form_of, uint64_t memory_bytes)
    : form_of_(std::move(form_of)), max_points_(std::min(memory_bytes / RunSearch::kBytesPerPoint, RunSearch::kMaxPoints)) {}

void RepeatedRuns::add(const FormPart& part) {
  if (part.points > max_points_ / 2) {
    throw Error(
        ErrorCode::kResource,
        fmt::format("--memory: {} in a row of one text are also in others, {} bytes of memory each; that does not "
                    "fit into half of {}",
                    counted(part.points, "character"), RunSearch::kBytesPerPoint, data_size(max_points_ * RunSearch::kBytesPerPoint)));
  }
  parts_.push_back(part);
  points_ += part.points;
  // One slice as long as everything fits, then halves.
  if (slices_.size() == 1 && points_ > max_points_) {
    std::vector<FormPart> all = std::move(parts_);
    parts_.clear();
    slices_.clear();
    for (const FormPart& one : all) {
      if (slices_.empty() || slices_.back().points + one.points > max_points_ / 2) slices_.push_back({parts_.size(), parts_.size(), 0});
      parts_.push_back(one);
      slices_.back().points += one.points;
      slices_.back().end = parts_.size();
    }
    return;
  }
  const uint64_t limit = slices_.size() <= 1 ? max_points_ : max_points_ / 2;
  if (slices_.empty() || slices_.back().points + part.points > limit) slices_.push_back({parts_.size() - 1, parts_.size() - 1, 0});
  slices_.back().points += part.points;
  slices_.back().end = parts_.size();
}

void RepeatedRuns::for_each(uint32_t min_columns, uint64_t max_places, const std::function<void(const Run&)>& visit) const {
  // One place more shows that there are more; but of the earliest one nobody asks.
  const uint64_t wanted = max_places == 1 ? 1 : max_places + 1;
  for (size_t later = 0; later < slices_.size(); ++later) {
    const std::span<const FormPart> own = parts_of(slices_[later]);
    // The longest matches with all earlier slices, and with the slice itself, which every comparison includes.
    std::vector<uint32_t> longest;
    std::unique_ptr<const RunSearch> search;
    for (size_t earlier = std::max<size_t>(later, 1); earlier-- > 0;) {
      search.reset();
      search = std::make_unique<RunSearch>(later == 0 ? std::span<const FormPart>() : parts_of(slices_[earlier]), own, form_of_);
      search->raise_longest(longest);
    }
    std::vector<RunSearch::Found> runs = search->find_runs(longest, min_columns);
    std::vector<uint32_t>().swap(longest);
    // Their places in the same slices, from the first one on; those in the slice itself come last.
    for (size_t earlier = 0; earlier < std::max<size_t>(later, 1); ++earlier) {
      if (earlier > 0) {
        search.reset();
        search = std::make_unique<RunSearch>(parts_of(slices_[earlier]), own, form_of_);
      }
      const bool last = earlier + 1 >= later;
      for (RunSearch::Found& run : runs) search->add_places(run, wanted, last);
    }
    for (RunSearch::Found& run : runs) {
      const bool more = run.earlier.size() > max_places;
      if (more) run.earlier.pop_back();
      visit({run.here, run.columns, run.earlier, more});
    }
  }
}

}  // namespace neardup
