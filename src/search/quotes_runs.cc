#include "search/quotes_runs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <queue>
#include <span>
#include <utility>

#include "neardup/stop.h"
#include "search/quotes_minima.h"
#include "search/quotes_suffixes.h"
#include "text/clue/clue_form.h"

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

class RepeatedRuns::Search {
 public:
  Search(const std::vector<Part>& parts, std::vector<uint32_t>& points, const std::vector<uint32_t>& bytes)
      : parts_(parts), columns_(columns_before(points)), blanks_(blanks_of(points)), bytes_(bytes) {
    const uint32_t alphabet = make_symbols(points);
    suffixes_ = suffix_array(points, alphabet);
    common_ = common_prefixes(points, suffixes_, ranks_);
    find_longest();
  }

  void for_each(uint32_t min_columns, uint64_t max_places, const std::function<void(const Run&)>& visit) const {
    const RangeMinima suffixes(suffixes_);
    const RangeMinima common(common_);
    std::vector<Place> earlier;
    for (size_t part = 0; part < parts_.size(); ++part) {
      check_stop();
      const uint32_t part_end = end_of(part);
      uint32_t covered = 0;  // the end of the longest run that began before
      for (uint32_t begin = parts_[part].first; begin < part_end; ++begin) {
        if (blanks_[begin]) continue;
        uint32_t end = begin + longest_[ranks_[begin]];
        while (end > begin && blanks_[end - 1]) --end;
        if (end <= covered) continue;
        covered = end;
        if (columns_[end] - columns_[begin] < min_columns) continue;
        const bool more = find_earlier(begin, end, max_places, suffixes, common, parts_[part].text, earlier);
        visit({place(parts_[part].text, begin, end), columns_[end] - columns_[begin], earlier, more});
      }
    }
  }

 private:
  // By code point, modulo 2^32, which differences do not feel.
  static std::vector<uint32_t> columns_before(const std::vector<uint32_t>& points) {
    std::vector<uint32_t> columns(points.size());
    uint32_t sum = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      columns[i] = sum;
      sum += points[i] == kPartEnd ? 0 : columns_of(points[i], word_classes());
    }
    return columns;
  }
  static std::vector<bool> blanks_of(const std::vector<uint32_t>& points) {
    std::vector<bool> blanks(points.size());
    for (size_t i = 0; i < points.size(); ++i) blanks[i] = points[i] == ' ';
    return blanks;
  }

  // One after the last code point of the part; the symbol there is its end.
  [[nodiscard]] uint32_t end_of(size_t part) const {
    return (part + 1 < parts_.size() ? parts_[part + 1].first : static_cast<uint32_t>(suffixes_.size())) - 1;
  }
  [[nodiscard]] uint32_t text_of(uint32_t point) const {
    const auto after = std::ranges::upper_bound(parts_, point, {}, &Part::first);
    return (after - 1)->text;
  }
  [[nodiscard]] Place place(uint32_t text, uint32_t begin, uint32_t end) const { return {text, bytes_[begin], bytes_[end]}; }

  // longest_[rank]: the longest common prefix with a suffix of an earlier text. The best one is next to it, apart from suffixes of the same
  // or of later texts, on the left or on the right: all that come after that have a common prefix that is at most as long. Each scan keeps
  // the suffixes that can still be the nearest of an earlier text, whose texts ascend.
  void find_longest() {
    const size_t size = suffixes_.size();
    std::vector<uint32_t> texts(size);
    for (size_t part = 0; part < parts_.size(); ++part) {
      for (uint32_t i = parts_[part].first; i <= end_of(part); ++i) texts[ranks_[i]] = parts_[part].text;
    }
    longest_.assign(size, 0);
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
      if (!kept.empty()) longest_[rank] = std::max(longest_[rank], common);
      kept.push_back({texts[rank], common});
    };
    for (size_t rank = 0; rank < size; ++rank) step(rank, common_[rank]);
    check_stop();
    kept.clear();
    for (size_t rank = size; rank-- > 0;) step(rank, rank + 1 < size ? common_[rank + 1] : 0);
  }

  // The places of the run in texts before `text`, ascending. Returns whether there are more.
  bool find_earlier(uint32_t begin, uint32_t end, uint64_t max_places, const RangeMinima& suffixes, const RangeMinima& common,
                    uint32_t text, std::vector<Place>& earlier) const {
    const uint32_t length = end - begin;
    const size_t rank = ranks_[begin];
    const size_t from = common.after_last_below(rank + 1, length) - 1;
    const size_t to = common.first_below(rank + 1, length);
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
      const size_t at = suffixes.smallest(first, last);
      ranges.push({suffixes_[at], at, first, last});
    };
    earlier.clear();
    for (push(from, to); !ranges.empty();) {
      const Range range = ranges.top();
      ranges.pop();
      const uint32_t other = text_of(range.suffix);
      if (other >= text) break;
      if (earlier.size() == max_places) return true;
      earlier.push_back(place(other, range.suffix, range.suffix + length));
      if (max_places == 1) break;
      push(range.from, range.at);
      push(range.at + 1, range.to);
    }
    return false;
  }

  const std::vector<Part>& parts_;
  const std::vector<uint32_t> columns_;
  const std::vector<bool> blanks_;
  const std::vector<uint32_t>& bytes_;
  std::vector<uint32_t> suffixes_;
  std::vector<uint32_t> ranks_;
  std::vector<uint32_t> common_;
  std::vector<uint32_t> longest_;
};

void RepeatedRuns::begin_part(uint32_t text, uint32_t begin) {
  if (!parts_.empty()) points_.push_back(kPartEnd);
  parts_.push_back({text, static_cast<uint32_t>(points_.size())});
  bytes_.push_back(begin);
}

void RepeatedRuns::add(char32_t c, uint32_t bytes) {
  points_.push_back(c);
  bytes_.push_back(bytes_.back() + bytes);
}

void RepeatedRuns::for_each(uint32_t min_columns, uint64_t max_places, const std::function<void(const Run&)>& visit) {
  if (parts_.empty()) return;
  points_.push_back(kPartEnd);
  Search(parts_, points_, bytes_).for_each(min_columns, max_places, visit);
}

}  // namespace neardup
