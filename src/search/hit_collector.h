// HitCollector: counts the texts that match and keeps the first ones in the order of hits.
//
// add() may come from any number of threads and in any order; the result does not depend on either.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "search/text_matcher.h"

namespace neardup {

class HitCollector {
 public:
  /// Keeps `limit` hits. The matcher must outlive it.
  HitCollector(const TextMatcher& matcher, uint64_t limit) : matcher_(matcher), limit_(limit) {}

  void add(FoundText found) {
    const std::lock_guard lock(mutex_);
    ++count_;
    if (limit_ == 0) return;
    const auto first = [this](const FoundText& a, const FoundText& b) { return matcher_.before(a, b); };
    if (best_.size() == limit_) {
      if (!first(found, best_.front())) return;
      std::pop_heap(best_.begin(), best_.end(), first);
      best_.pop_back();
    }
    best_.push_back(std::move(found));
    std::push_heap(best_.begin(), best_.end(), first);
  }

  [[nodiscard]] uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  /// The hits in their order. Once, after the last add().
  std::vector<FoundText> take() {
    std::ranges::sort(best_, [this](const FoundText& a, const FoundText& b) { return matcher_.before(a, b); });
    return std::move(best_);
  }

 private:
  const TextMatcher& matcher_;
  const uint64_t limit_;
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  std::vector<FoundText> best_;  // a heap, the last hit in front
};

}  // namespace neardup
