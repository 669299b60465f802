#include "text/align/common_sequence.h"

#include <algorithm>
#include <array>
#include <bit>

#include "neardup/stop.h"
#include "text/align/anchor_runs.h"

namespace neardup {
namespace {

// The windows of each level; after the last one a gap is solved or given up.
constexpr std::array<AnchorWindow, 4> kWindows{{{24, 7}, {8, 1}, {3, 0}, {1, 0}}};
// A gap of at most so many elements, in both ranges together, is solved without anchors while shared steps are left for its worst case.
constexpr uint64_t kSmallGap = 4096;
// A larger one is, if it costs at most so many steps for each element.
constexpr uint64_t kCheapSteps = 4;
// Steps for each element of a gap that has no more anchors: of sequences with more than a million elements fewer, so that all such gaps
// together take at most kAllLastSteps. Sequences of that length which are near-duplicates have anchors.
constexpr uint64_t kLastSteps = 32;
constexpr uint64_t kAllLastSteps = uint64_t{1} << 25;
// Steps that all gaps share beyond that, and the part of what is left of them that one without anchors may take.
constexpr uint64_t kSharedSteps = uint64_t{1} << 26;
constexpr uint64_t kSharedStepsOfHuge = uint64_t{1} << 24;
constexpr uint64_t kShare = 4;

// Of a gap with more elements a sample of the windows is looked at: as many as of a gap of this size.
constexpr uint64_t kSampledGap = uint64_t{1} << 19;

AnchorWindow sampled(AnchorWindow window, uint64_t size) noexcept {
  window.mask = std::max(window.mask, std::bit_ceil((size + kSampledGap - 1) / kSampledGap) - 1);
  return window;
}

struct LevelGap {
  SequenceGap gap;
  size_t level;
};

class GapSolver {
 public:
  GapSolver(std::span<const uint32_t> a, std::span<const uint32_t> b)
      : a_(a),
        b_(b),
        search_(a, b),
        last_steps_(std::clamp<uint64_t>(kAllLastSteps / std::max<uint64_t>(a.size() + b.size(), 1), 1, kLastSteps)),
        shared_steps_(last_steps_ < kLastSteps ? kSharedStepsOfHuge : kSharedSteps) {}

  CommonSequence solve() {
    todo_.push_back({{0, static_cast<uint32_t>(a_.size()), 0, static_cast<uint32_t>(b_.size())}, 0});
    while (!todo_.empty()) {
      check_stop();
      LevelGap next = todo_.back();
      todo_.pop_back();
      trim_gap(a_, b_, next.gap, result_.runs);
      if (!next.gap.one_sided()) take(next);
    }
    join();
    return std::move(result_);
  }

 private:
  void take(const LevelGap& next) {
    const uint64_t size = next.gap.size();
    const uint64_t own = last_steps_ * size;
    if (size <= kSmallGap && size * size <= own + shared_steps_) {
      const uint64_t steps = *search_.search(next.gap, UINT64_MAX, result_.runs);
      shared_steps_ -= std::min(shared_steps_, steps - std::min(steps, own));
    } else if (next.level < kWindows.size()) {
      if (!search_.search(next.gap, kCheapSteps * size, result_.runs)) split(next);
    } else {
      const uint64_t extra = shared_steps_ / kShare;
      const auto steps = search_.search(next.gap, own + extra, result_.runs);
      shared_steps_ -= steps ? std::min(extra, *steps - std::min(*steps, own)) : extra;
      if (!steps) take_reached(next);
    }
  }

  // What a failed search reached is solved on its own if it is a good part of the gap, as in repetitive texts; so the steps for gaps that
  // fail are bounded by a geometric series.
  void take_reached(const LevelGap& next) {
    result_.coarse = true;
    const EditSearch::Meeting reached = search_.furthest_reached();
    const SequenceGap& gap = next.gap;
    const SequenceGap done{gap.a_begin, reached.a, gap.b_begin, reached.b};
    if (done.size() * 4 < gap.size()) return;
    search_.search(done, UINT64_MAX, result_.runs);
    todo_.push_back({{reached.a, gap.a_end, reached.b, gap.b_end}, next.level});
  }

  // Pushes the gaps between the anchors of the next level that has some.
  void split(const LevelGap& next) {
    size_t level = next.level;
    std::vector<CommonRun> runs;
    while (runs.empty() && level < kWindows.size()) runs = anchor_runs(a_, b_, next.gap, sampled(kWindows[level++], next.gap.size()));
    SequenceGap rest = next.gap;
    for (const CommonRun& run : runs) {
      todo_.push_back({{rest.a_begin, run.a, rest.b_begin, run.b}, level});
      rest.a_begin = run.a + run.length;
      rest.b_begin = run.b + run.length;
    }
    todo_.push_back({rest, level});
    result_.runs.insert(result_.runs.end(), runs.begin(), runs.end());
  }

  void join() {
    std::vector<CommonRun>& runs = result_.runs;
    std::ranges::sort(runs, {}, &CommonRun::a);
    size_t count = 0;
    for (const CommonRun& run : runs) {
      if (count > 0 && runs[count - 1].a + runs[count - 1].length == run.a && runs[count - 1].b + runs[count - 1].length == run.b) {
        runs[count - 1].length += run.length;
      } else {
        runs[count++] = run;
      }
    }
    runs.resize(count);
  }

  std::span<const uint32_t> a_;
  std::span<const uint32_t> b_;
  EditSearch search_;
  std::vector<LevelGap> todo_;
  CommonSequence result_;
  const uint64_t last_steps_;
  uint64_t shared_steps_;
};

}  // namespace

CommonSequence common_sequence(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  return GapSolver(a, b).solve();
}

}  // namespace neardup
