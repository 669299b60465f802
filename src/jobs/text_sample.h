// TextSample: up to a number of different texts of a corpus, those with the smallest hashes.
//
// The sample is a function of the texts alone: neither their order nor threads change it. Of a long text only the first bytes count. Any
// number of threads; one that adds a text that is not needed takes no lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace neardup {

class TextSample {
 public:
  static constexpr size_t kMaxBytes = 8192;  // of a text

  /// Requires max_texts > 0.
  explicit TextSample(size_t max_texts) : max_texts_(max_texts) {}

  void add(std::string_view text) {
    const std::string_view piece = text.substr(0, kMaxBytes);
    const uint64_t hash = hash64(piece);
    if (hash > bound_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    const auto [at, added] = texts_.try_emplace(hash, piece);
    if (!added && piece < at->second) at->second = piece;  // two texts with one hash
    if (texts_.size() > max_texts_) texts_.erase(std::prev(texts_.end()));
    if (texts_.size() == max_texts_) bound_.store(texts_.rbegin()->first, std::memory_order_relaxed);
  }

  /// By hash. No thread may be adding.
  [[nodiscard]] const std::map<uint64_t, std::string>& texts() const noexcept { return texts_; }

 private:
  const size_t max_texts_;
  std::atomic<uint64_t> bound_{std::numeric_limits<uint64_t>::max()};
  std::mutex mutex_;
  std::map<uint64_t, std::string> texts_;
};

}  // namespace neardup
