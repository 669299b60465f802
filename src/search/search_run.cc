#include "search/search_run.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"

namespace neardup {
namespace {

constexpr size_t kScanGrain = 64;
constexpr uint64_t kMaxKeptBytes = uint64_t{4} << 20;  // of one question

}  // namespace

SearchRun::SearchRun(const SearchView& view, const Question& question, std::span<SearchWorker> workers)
    : view_(view),
      question_(question),
      workers_(workers),
      matcher_(question),
      hits_(matcher_, question.options().count_only ? 0 : question.options().limit) {}

bool SearchRun::keeps(uint64_t bytes) {
  if (counts_only() || !question_.options().passages) return false;
  // Hits that drop out later count, too: only a bound is needed.
  return bytes <= kMaxKeptBytes && kept_bytes_.fetch_add(bytes, std::memory_order_relaxed) <= kMaxKeptBytes - bytes;
}

void SearchRun::verify_one(const Candidate& candidate, SearchWorker& worker) {
  view_.parts[candidate.part].texts->read_text(candidate.text, worker.text, worker.text_scratch);
  const std::optional<TextMatch> match = matcher_.match(worker.text, worker);
  if (!match) return;
  FoundText found{view_.parts[candidate.part].texts->id(candidate.text), candidate.part, candidate.text, *match};
  if (keeps(worker.text.size())) found.kept = worker.text;
  hits_.add(std::move(found));
}

void SearchRun::verify(std::span<const Candidate> candidates) {
  // All reads are announced before the first one, so that a disk works on many at once.
  for (size_t begin = 0; begin < candidates.size();) {
    const uint32_t part = candidates[begin].part;
    fetched_.clear();
    for (; begin < candidates.size() && candidates[begin].part == part; ++begin) fetched_.push_back(candidates[begin].text);
    view_.parts[part].texts->prefetch(fetched_);
  }
  trace.texts_read += candidates.size();
  parallel_for(threads(), candidates.size(), 1, [&](uint32_t worker, size_t i) { verify_one(candidates[i], workers_[worker]); });
}

void SearchRun::verify_all() {
  for (uint32_t part = 0; part < view_.parts.size(); ++part) {
    const uint32_t texts = view_.parts[part].texts->texts();
    std::vector<uint64_t> read(workers_.size(), 0);
    parallel_for(threads(), texts, kScanGrain, [&](uint32_t worker, size_t text) {
      const auto number = static_cast<uint32_t>(text);
      if (view_.removed(view_.parts[part], number)) return;
      ++read[worker];
      verify_one({part, number}, workers_[worker]);
    });
    trace.texts_read = std::accumulate(read.begin(), read.end(), trace.texts_read);
  }
}

}  // namespace neardup
