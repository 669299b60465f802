// HammingView: the data of a store that queries search, at one moment.
//
// Parts (segments of the folder, and levels: indexes in memory of later entries), which are shared, so that a merge can replace a part
// while it is used; the tail, entries too recent for an index; and the removals. A view is a value: a copy does not change with the store.
// Const calls may come from any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/hamming/hamming_scan.h"
#include "neardup/hamming_store.h"
#include "store/hamming_folder.h"
#include "store/hamming_segment.h"
#include "store/removals.h"

namespace neardup {

template <typename Code>
struct HammingPart {
  uint64_t born = 0;  // see removals.h
  std::unique_ptr<const HammingSegment<Code>> segment;
  std::optional<HammingIndex<Code>> level;  // one of the two
  ListedSegment listed = {};                // of a segment

  [[nodiscard]] const HammingIndex<Code>& index() const noexcept { return segment ? segment->index() : *level; }
};

template <typename Code>
using HammingPartPointer = std::shared_ptr<const HammingPart<Code>>;

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
struct HammingView {
  std::vector<HammingPartPointer<Code>> segments;
  std::vector<HammingPartPointer<Code>> levels;  ///< the largest first
  HammingTail<Code> tail;
  Removals removals;

  // As those of the store. The radius is checked by the caller.
  void query(Code code, uint32_t radius, HammingStoreScratch& scratch, std::vector<HammingHit>& hits) const;
  [[nodiscard]] uint64_t count(Code code, uint32_t radius, HammingStoreScratch& scratch) const;
  void query_all(std::span<const Code> codes, uint32_t radius, uint32_t threads, const typename HammingIndex<Code>::VisitHits& visit) const;

  /// Throws Error{kInput} if a segment lost bytes since it was opened. The queries above call it after they read and before they answer.
  void check_files() const;
  /// Entries, removed ones among them.
  [[nodiscard]] uint64_t size() const noexcept;
  [[nodiscard]] uint64_t unflushed() const noexcept;

 private:
  template <typename Visit>
  void for_each_part(const Visit& visit) const;
  void query_tail(Code code, uint32_t radius, std::vector<HammingHit>& hits) const;
};

extern template struct HammingView<Fingerprint64>;
extern template struct HammingView<Fingerprint128>;

}  // namespace neardup
