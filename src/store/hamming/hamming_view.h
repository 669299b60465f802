// HammingView: the data of a store that queries search, at one moment.
//
// Parts (segments of the folder, and levels: indexes in memory of later entries), which are shared, so that a change can replace a part
// while it is used; the tail, entries too recent for an index; and the removals. See store_view.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/hamming/hamming_scan.h"
#include "neardup/hamming_store.h"
#include "store/hamming/hamming_segment.h"
#include "store/store_view.h"

namespace neardup {

/// An index in memory of entries that are not on the disk.
template <typename Code>
struct HammingLevel {
  uint64_t born = 0;  // see removals.h
  HammingIndex<Code> index;
};

template <typename Code>
using HammingLevelPointer = std::shared_ptr<const HammingLevel<Code>>;
template <typename Code>
using HammingPartPointer = StorePartPointer<HammingSegment<Code>>;

/// The latest entries; compared one by one.
template <typename Code>
struct HammingTail {
  static constexpr size_t kMaxEntries = 4096;

  HammingScan<Code> codes;
  std::vector<Code> list;
  std::vector<uint64_t> ids;
  std::vector<uint64_t> born;

  void add(Code code, uint64_t id, uint64_t time) {
    codes.add(code);
    list.push_back(code);
    ids.push_back(id);
    born.push_back(time);
  }
  [[nodiscard]] size_t size() const noexcept { return ids.size(); }
};

template <typename Code>
struct HammingView : StoreView<HammingSegment<Code>> {
  using StoreView<HammingSegment<Code>>::segments;
  using StoreView<HammingSegment<Code>>::removals;
  using StoreView<HammingSegment<Code>>::check_files;  // the queries below call it after they read and before they answer

  std::vector<HammingLevelPointer<Code>> levels;  ///< the largest first
  HammingTail<Code> tail;

  // As those of the store. The radius is checked by the caller.
  void query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const;
  [[nodiscard]] uint64_t count(Code code, uint32_t radius, HammingStoreScratch& scratch) const;
  void query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const typename HammingIndex<Code>::VisitHits& visit) const;

  /// Entries, removed ones among them.
  [[nodiscard]] uint64_t size() const noexcept;
  [[nodiscard]] uint64_t unflushed() const noexcept;
  [[nodiscard]] uint64_t earliest_born() const noexcept;

 private:
  template <typename Visit>
  void for_each_part(const Visit& visit) const;
  void query_tail(Code code, uint32_t radius, std::vector<HammingHit>& hits) const;
};

extern template struct HammingView<Fingerprint64>;
extern template struct HammingView<Fingerprint128>;

}  // namespace neardup
