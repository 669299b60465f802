#include "index/hamming_join.h"

#include <algorithm>
#include <numeric>

#include "index/hamming_tiles.h"

namespace neardup {
namespace {

// Distinct codes in the order of their first rows, and the rows of each.
template <typename Code>
struct DistinctCodes {
  std::vector<Code> codes;
  std::vector<uint32_t> row_begin;  // the rows of code i are rows[row_begin[i] .. row_begin[i + 1]), ascending
  std::vector<uint32_t> rows;

  DistinctCodes(std::span<const Code> all, const HammingRun& run) {
    std::vector<uint32_t> place(all.size());  // of its first row; then, of the distinct code
    std::iota(place.begin(), place.end(), 0u);
    const auto note = [&](CodeGroup<Code> group) {
      for (const CodeEntry<Code>& entry : group) place[entry.index] = group.front().index;
    };
    for_each_masked_group(
        all, {~uint64_t{0}, ~uint64_t{0}}, run, all.size() + 1, [&](uint32_t, CodeGroup<Code> group) { note(group); }, note);
    row_begin.push_back(0);
    for (uint32_t row = 0; row < all.size(); ++row) {
      if (place[row] == row) {
        place[row] = static_cast<uint32_t>(codes.size());
        codes.push_back(all[row]);
        row_begin.push_back(0);
      } else {
        place[row] = place[place[row]];  // the first row is earlier, and done
      }
      ++row_begin[place[row] + 1];
    }
    std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
    std::vector<uint32_t> next(row_begin.begin(), row_begin.end() - 1);
    rows.resize(all.size());
    for (uint32_t row = 0; row < all.size(); ++row) rows[next[place[row]]++] = row;
  }

  [[nodiscard]] std::span<const uint32_t> rows_of(size_t i) const noexcept {
    return {rows.data() + row_begin[i], row_begin[i + 1] - row_begin[i]};
  }
};

// All of the group agree in a block that gives their pairs to an earlier table. So codes with much in common are compared once.
template <typename Code>
bool belongs_to_earlier(CodeGroup<Code> group, const JoinTable& table) {
  return std::any_of(table.earlier.begin(), table.earlier.end(), [&](const Fingerprint128& block) {
    const Code shared = masked(group.front().code, block);
    return std::all_of(group.begin(), group.end(), [&](const CodeEntry<Code>& entry) { return masked(entry.code, block) == shared; });
  });
}

// Calls found(worker, i, j, distance) once for every pair of distinct codes within the radius.
template <typename Code, typename Found>
void join_distinct(std::span<const Code> codes, const JoinPlan& plan, const HammingRun& run, const Found& found) {
  if (plan.radius == 0) return;
  std::vector<CodeTiles<Code>> tiles(run.threads);
  CodeTiles<Code> large;
  for (const JoinTable& table : join_tables(plan, Code::kBits)) {
    const auto claim = [&](uint32_t worker, const CodeEntry<Code>& a, const CodeEntry<Code>& b) {
      for (const Fingerprint128& block : table.earlier) {
        if (masked(a.code, block) == masked(b.code, block)) return;
      }
      found(worker, a.index, b.index, hamming_distance(a.code, b.code));
    };
    for_each_masked_group(
        codes, table.key, run, kLargeCodeGroup,
        [&](uint32_t worker, CodeGroup<Code> group) {
          if (belongs_to_earlier(group, table)) return;
          tiles[worker].load(group);
          tiles[worker].join(0, group.size(), plan.radius,
                             [&](const CodeEntry<Code>& a, const CodeEntry<Code>& b) { claim(worker, a, b); });
        },
        [&](CodeGroup<Code> group) {
          if (belongs_to_earlier(group, table)) return;
          large.load(group);
          const size_t strips = (group.size() + kCodeStrip - 1) / kCodeStrip;
          parallel_for(run.threads, strips, 1, [&](uint32_t worker, size_t strip) {
            large.join(strip * kCodeStrip, std::min(group.size(), (strip + 1) * kCodeStrip), plan.radius,
                       [&](const CodeEntry<Code>& a, const CodeEntry<Code>& b) { claim(worker, a, b); });
          });
        });
  }
}

template <typename Code>
void join(std::span<const Code> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit) {
  const DistinctCodes<Code> distinct(codes, run);
  parallel_for(run.threads, distinct.codes.size(), 1024, [&](uint32_t worker, size_t i) {
    const auto rows = distinct.rows_of(i);
    for (size_t b = 1; b < rows.size(); ++b) {
      for (size_t a = 0; a < b; ++a) emit(worker, rows[a], rows[b], 0);
    }
  });
  join_distinct<Code>(distinct.codes, plan, run, [&](uint32_t worker, uint32_t i, uint32_t j, uint32_t distance) {
    for (const uint32_t a : distinct.rows_of(i)) {
      for (const uint32_t b : distinct.rows_of(j)) emit(worker, std::min(a, b), std::max(a, b), distance);
    }
  });
}

template <typename Code>
void connect(std::span<const Code> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit) {
  const DistinctCodes<Code> distinct(codes, run);
  parallel_for(run.threads, distinct.codes.size(), 1024, [&](uint32_t worker, size_t i) {
    const auto rows = distinct.rows_of(i);
    for (size_t b = 1; b < rows.size(); ++b) emit(worker, rows[0], rows[b], 0);
  });
  join_distinct<Code>(distinct.codes, plan, run, [&](uint32_t worker, uint32_t i, uint32_t j, uint32_t distance) {
    emit(worker, distinct.rows_of(i)[0], distinct.rows_of(j)[0], distance);  // i < j, and so are their first rows
  });
}

}  // namespace

void hamming_join(std::span<const Fingerprint64> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit) {
  join(codes, plan, run, emit);
}
void hamming_join(std::span<const Fingerprint128> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit) {
  join(codes, plan, run, emit);
}
void hamming_connect(std::span<const Fingerprint64> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit) {
  connect(codes, plan, run, emit);
}
void hamming_connect(std::span<const Fingerprint128> codes, const JoinPlan& plan, const HammingRun& run, const EmitHammingPair& emit) {
  connect(codes, plan, run, emit);
}

}  // namespace neardup
