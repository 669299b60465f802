// BandIndex: signatures cut into bands; entries whose keys agree in a band share a bucket of that band. It is the index of the Python
// package datasketch, which shows its buckets; neardup's own runs use src/index/lsh.
//
//   neardup::BandIndex index(2);
//   index.add("aaaabbbb");                 // entry 0: the keys of the two bands, one after another
//   std::vector<uint32_t> found;
//   index.query("aaaacccc", 2, found);     // {0}: the keys of the first band agree
//
// Buckets are found by hash and verified by their bytes. Const members may run in parallel; the others need the object alone.
// Implemented in src/index/compat/band_index.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace neardup {

class BandIndex {
 public:
  using Entry = uint32_t;
  static constexpr Entry kNone = ~Entry{0};

  /// Requires 1 <= bands.
  explicit BandIndex(uint32_t bands);
  ~BandIndex();
  BandIndex(BandIndex&&) noexcept;
  BandIndex& operator=(BandIndex&&) noexcept;

  [[nodiscard]] uint32_t bands() const noexcept;
  /// Every entry is below this number; removed entries are used again.
  [[nodiscard]] size_t entry_limit() const noexcept;
  [[nodiscard]] size_t bucket_count(uint32_t band) const noexcept;

  /// `keys` are bands() keys of equal size. Keys of different sizes are different. Error{kResource}: 2^32 - 2 entries are the maximum.
  Entry add(std::string_view keys);
  /// Requires an entry that is in the index.
  void remove(Entry entry) noexcept;

  /// Requires an entry that is in the index. Valid until that entry is removed.
  [[nodiscard]] std::string_view key(Entry entry, uint32_t band) const noexcept;
  [[nodiscard]] std::string_view keys(Entry entry) const noexcept;

  /// An entry of the bucket with this key, or kNone; next() gives the others, the last added first.
  [[nodiscard]] Entry first(uint32_t band, std::string_view key) const noexcept;
  [[nodiscard]] Entry next(Entry entry, uint32_t band) const noexcept;
  /// One entry of each bucket, in no particular order.
  [[nodiscard]] std::vector<Entry> buckets(uint32_t band) const;

  /// Sets `found` to the entries that share a bucket with `keys` in one of the first `bands` bands, ascending. `keys` are for all bands.
  void query(std::string_view keys, uint32_t bands, std::vector<Entry>& found) const;

 private:
  class Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace neardup
