// NearSample: documents in which near-duplicates come together, in bounded memory.
//
// Of all documents offered it has those with the smallest consistent keys (consistent_key.h): all of one key, or none. Exact copies count,
// but their text is stored once. If a single key has more than `texts_per_key` different texts, as pages of one template may, only those
// with the smallest hashes are stored, and the group counts the others. The result is a function of the documents and of which copy of a
// text came first. One thread adds, in input order; bound() may be read by all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/document.h"

namespace neardup {

class NearSample {
 public:
  struct Limits {
    size_t texts = 10'000;
    uint64_t bytes = uint64_t{32} << 20;  ///< of texts; the first key is kept whatever it takes
    size_t texts_per_key = 2000;
  };
  struct Document {
    DocumentId where;  ///< of the first copy
    uint64_t key = 0;
    uint64_t exact = 0;
    std::string id;  ///< empty: none
    std::string text;
    uint64_t copies = 0;                                ///< with the first one
    std::vector<std::pair<uint32_t, uint64_t>> others;  ///< by source: copies after the first
  };

  explicit NearSample(const Limits& limits) : limits_(limits) {}

  /// Keys that are not below are not needed. Never rises.
  [[nodiscard]] uint64_t bound() const noexcept { return bound_.load(std::memory_order_relaxed); }
  void add(uint64_t key, uint64_t exact, const DocumentId& where, std::string_view id, std::string_view text);

  /// True if no document was left out.
  [[nodiscard]] bool complete() const noexcept { return !dropped_; }
  /// The share of all keys that the sample has; 1 if it is complete, except for groups with too many texts.
  [[nodiscard]] double share() const noexcept;
  [[nodiscard]] size_t texts() const noexcept { return texts_; }
  [[nodiscard]] uint64_t bytes() const noexcept { return bytes_; }
  /// The documents in input order. Ends the sample: nothing may be added, and it is empty.
  std::vector<Document> take();

 private:
  using Group = std::map<uint64_t, Document>;  // by exact hash

  void evict();

  const Limits limits_;
  std::map<uint64_t, Group> groups_;  // by key
  size_t texts_ = 0;
  uint64_t bytes_ = 0;
  bool dropped_ = false;
  bool key_dropped_ = false;
  std::atomic<uint64_t> bound_{std::numeric_limits<uint64_t>::max()};
};

}  // namespace neardup
