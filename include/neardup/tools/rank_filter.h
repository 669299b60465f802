// RankFilter: a set of ranks in few bytes, as a Bloom filter in blocks: it has every rank that was added, and one in some hundred others.
//
// A block is a line of the cache, 64 bytes; a rank sets eight bits of one block (Putze, Sanders, Singler 2007). The bytes depend on the set
// of ranks only. Not for several threads while ranks are added. Implemented in src/dedup/stages/rank_filter.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neardup {

class RankFilter {
 public:
  static constexpr uint64_t kBlockBytes = 64;
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

  /// The bytes for so many ranks: 1.5 for each, between one block and 64 MiB.
  static uint64_t bytes_for(uint64_t ranks) noexcept;

  /// Rounded up to whole blocks. Throws Error{kUsage} for more than kMaxBytes, and for 0.
  explicit RankFilter(uint64_t bytes);
  /// The inverse of save(). Throws Error{kInput}.
  static RankFilter load(std::string_view bytes);
  [[nodiscard]] std::string save() const;

  void add(int64_t rank) noexcept;
  [[nodiscard]] bool has(int64_t rank) const noexcept;
  /// Adds the ranks of another filter. Throws Error{kInput} unless both have one size.
  void merge(const RankFilter& other);

 private:
  static constexpr size_t kBlockWords = kBlockBytes / sizeof(uint64_t);
  struct Place {
    size_t word;    // the first of its block
    uint64_t bits;  // of which six at a time choose a bit of each word
  };
  [[nodiscard]] Place place(int64_t rank) const noexcept;

  std::vector<uint64_t> words_;
};

}  // namespace neardup
