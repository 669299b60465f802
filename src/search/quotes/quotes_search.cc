#include "search/quotes/quotes_search.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <queue>

#include "neardup/stop.h"
#include "search/quotes/quotes_suffixes.h"
#include "text/clue/clue_form.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr uint32_t kPartEnd = 0xFFFF'FFFFu;
constexpr uint32_t kCodePoints = 0x110000;

// Replaces code points by small numbers, and the n-th end of a part by n: no two ends are equal, so no common prefix goes beyond a part.
// Returns the size of the alphabet.
uint32_t make_symbols(std::vector<uint32_t>& points) {
  std::vector<uint32_t> numbers(kCodePoints, 0);
  uint32_t ends = 0;
  for (const uint32_t point : points) {
    if (point == kPartEnd) {
      ++ends;
    } else {
      numbers[point] = 1;
    }
  }
  uint32_t next = ends;
  for (uint32_t& number : numbers) {
    if (number != 0) number = next++;
  }
  uint32_t end = 0;
  for (uint32_t& point : points) point = point == kPartEnd ? end++ : numbers[point];
  return next;
}

}  // namespace

RunSearch::RunSearch(std::span<const FormPart> earlier, std::span<const FormPart> later, const FormOf& form_of) {
  size_t points = 0;
  for (const FormPart& part : earlier) points += part.points + size_t{1};
  later_point_ = static_cast<uint32_t>(points);
  later_part_ = earlier.size();
  for (const FormPart& part : later) points += part.points + size_t{1};
  points_.reserve(points);
  bytes_.reserve(points);
  columns_.reserve(points);
  blanks_.reserve(points);
  for (const FormPart& part : earlier) take(part, form_of(part.text));
  for (const FormPart& part : later) take(part, form_of(part.text));
  const uint32_t alphabet = make_symbols(points_);
  suffixes_ = suffix_array(points_, alphabet);
  common_ = common_prefixes(points_, suffixes_, ranks_);
  std::vector<uint32_t>().swap(points_);
  first_suffixes_.assign(suffixes_);
  least_common_.assign(common_);
}

void RunSearch::take(const FormPart& part, std::string_view form) {
  const std::array<WordClass, 0x10000>& classes = word_classes();
  parts_.push_back({part.text, static_cast<uint32_t>(points_.size())});
  uint32_t columns = columns_.empty() ? 0 : columns_.back();
  const auto add = [&](uint32_t point, uint32_t at) {
    points_.push_back(point);
    bytes_.push_back(at);
    columns_.push_back(columns);
    blanks_.push_back(point == ' ');
  };
  for (uint32_t at = part.begin; at < part.end;) {
    const Decoded decoded = decode_quickly(form, at);
    add(decoded.code_point, at);
    columns += columns_of(decoded.code_point, classes);
    at += decoded.length;
  }
  add(kPartEnd, part.end);
}

// One after the last code point of the part; the symbol there is its end.
uint32_t RunSearch::end_of(size_t part) const {
  return (part + 1 < parts_.size() ? parts_[part + 1].first : static_cast<uint32_t>(bytes_.size())) - 1;
}

uint32_t RunSearch::text_of(uint32_t point) const {
  return (std::ranges::upper_bound(parts_, point, {}, &Part::first) - 1)->text;
}

// The longest common prefix with a suffix of an earlier text. The best one is next to it, apart from suffixes of the same or of later
// texts, on the left or on the right: all that come after that have a common prefix that is at most as long. Each scan keeps the suffixes
// that can still be the nearest of an earlier text, whose texts ascend.
void RunSearch::raise_longest(std::vector<uint32_t>& longest) const {
  const size_t size = suffixes_.size();
  longest.resize(size - later_point_, 0);
  std::vector<uint32_t> texts(size);
  for (size_t part = 0; part < parts_.size(); ++part) {
    for (uint32_t i = parts_[part].first; i <= end_of(part); ++i) texts[ranks_[i]] = parts_[part].text;
  }
  struct Kept {
    uint32_t text;
    uint32_t common;  // with the one before it
  };
  std::vector<Kept> kept;
  const auto step = [&](size_t rank, uint32_t common) {
    while (!kept.empty() && kept.back().text >= texts[rank]) {
      common = std::min(common, kept.back().common);
      kept.pop_back();
    }
    if (!kept.empty() && suffixes_[rank] >= later_point_) {
      uint32_t& own = longest[suffixes_[rank] - later_point_];
      own = std::max(own, common);
    }
    kept.push_back({texts[rank], common});
  };
  for (size_t rank = 0; rank < size; ++rank) step(rank, common_[rank]);
  check_stop();
  kept.clear();
  for (size_t rank = size; rank-- > 0;) step(rank, rank + 1 < size ? common_[rank + 1] : 0);
}

std::vector<RunSearch::Found> RunSearch::find_runs(std::span<const uint32_t> longest, uint32_t min_columns) const {
  std::vector<Found> runs;
  for (size_t part = later_part_; part < parts_.size(); ++part) {
    const uint32_t part_end = end_of(part);
    uint32_t covered = 0;  // the end of the longest run that began before
    for (uint32_t begin = parts_[part].first; begin < part_end; ++begin) {
      if (blanks_[begin]) continue;
      uint32_t end = begin + longest[begin - later_point_];
      while (end > begin && blanks_[end - 1]) --end;
      if (end <= covered) continue;
      covered = end;
      const uint32_t columns = columns_[end] - columns_[begin];
      if (columns < min_columns) continue;
      runs.push_back({{parts_[part].text, bytes_[begin], bytes_[end]}, columns, begin - later_point_, end - begin, {}});
    }
  }
  return runs;
}

void RunSearch::add_places(Found& run, uint64_t max_places, bool own) const {
  if (run.earlier.size() >= max_places) return;
  const size_t rank = ranks_[later_point_ + run.begin];
  const size_t from = least_common_.after_last_below(rank + 1, run.length) - 1;
  const size_t to = least_common_.first_below(rank + 1, run.length);
  // The places are in the order of texts: the smallest of the range, then the smallest of what is on both sides of it, and so on.
  struct Range {
    uint32_t suffix;
    size_t at;
    size_t from;
    size_t to;
    bool operator<(const Range& other) const { return suffix > other.suffix; }
  };
  std::priority_queue<Range> ranges;
  const auto push = [&](size_t first, size_t last) {
    if (first >= last) return;
    const size_t at = first_suffixes_.smallest(first, last);
    ranges.push({suffixes_[at], at, first, last});
  };
  for (push(from, to); !ranges.empty() && run.earlier.size() < max_places;) {
    const Range range = ranges.top();
    ranges.pop();
    if (range.suffix >= later_point_ && !own) return;
    const uint32_t text = text_of(range.suffix);
    if (text >= run.here.text) return;
    run.earlier.push_back({text, bytes_[range.suffix], bytes_[range.suffix + run.length]});
    push(range.from, range.at);
    push(range.at + 1, range.to);
  }
}

}  // namespace neardup
