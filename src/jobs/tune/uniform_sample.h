// UniformSample: up to a number of different texts of a corpus, those with the smallest hashes, with the number of their copies.
//
// Weighted by its copies, each document is in it with the same probability; so shares of it are shares of the corpus. Of a long text only
// the first bytes are stored. A function of the texts alone. One thread adds; bound() may be read by all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>

namespace neardup {

class UniformSample {
 public:
  static constexpr size_t kMaxBytes = 8192;  // of a text
  struct Text {
    std::string text;
    uint64_t copies = 0;
  };

  /// Requires max_texts > 0.
  explicit UniformSample(size_t max_texts) : max_texts_(max_texts) {}

  /// Texts with a greater hash are not needed. Never rises.
  [[nodiscard]] uint64_t bound() const noexcept { return bound_.load(std::memory_order_relaxed); }
  /// `hash` is that of the whole text. What is in the sample at the end was never dropped, so all its copies were counted.
  void add(uint64_t hash, std::string_view text) {
    if (hash > bound()) return;
    Text& entry = texts_[hash];
    if (entry.copies++ == 0) entry.text = text.substr(0, kMaxBytes);
    if (texts_.size() <= max_texts_) return;
    texts_.erase(std::prev(texts_.end()));
    bound_.store(texts_.rbegin()->first, std::memory_order_relaxed);
  }
  /// By hash.
  [[nodiscard]] const std::map<uint64_t, Text>& texts() const noexcept { return texts_; }
  [[nodiscard]] uint64_t documents() const noexcept {
    uint64_t sum = 0;
    for (const auto& [hash, text] : texts_) sum += text.copies;
    return sum;
  }

 private:
  const size_t max_texts_;
  std::map<uint64_t, Text> texts_;
  std::atomic<uint64_t> bound_{std::numeric_limits<uint64_t>::max()};
};

}  // namespace neardup
