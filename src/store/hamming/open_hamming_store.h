// OpenHammingStore: an open Hamming index. Besides what all kinds have (open_store.h), entries in memory, which queries see at once:
// levels (indexes) and the tail (hamming_view.h), and their names. `writers` is held while levels are built, too.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/hamming/hamming_segment.h"
#include "store/hamming/hamming_view.h"
#include "store/open_store.h"

namespace neardup {

template <typename Code>
struct HammingKind {
  using Spec = HammingStoreSpec;
  using Segment = HammingSegment<Code>;
  using View = HammingView<Code>;

  /// Also throws when the fingerprints are of another width.
  static const Spec& spec_of(const StoreManifest& manifest, const std::string& folder);
  static std::unique_ptr<const Segment> open_segment(const std::string& path, const Spec& spec) {
    return std::make_unique<const Segment>(path, spec);
  }
  static uint64_t entries(const Segment& segment) noexcept { return segment.index().size(); }
};

template <typename Code>
class OpenHammingStore final : public OpenStore<HammingKind<Code>> {
 public:
  using Base = OpenStore<HammingKind<Code>>;
  using Base::Base;

  /// Calls look(view, names in memory) under the lock.
  template <typename Look>
  auto see(const Look& look) const {
    return Base::see([&](const HammingView<Code>& view) { return look(view, names_); });
  }

  using Base::require_writing;
  /// The same, and throws unless names are given exactly if the store has them.
  void require_writing(bool named) const;
  uint64_t take_id() { return this->take_ids(1); }
  void add(Code code, uint64_t id, std::string_view name);
  void remove(uint64_t id) {
    Base::remove(id, [&] { names_.erase(id); });
  }

 private:
  using Base::clock_;
  using Base::seen_;
  using Base::view_;
  using Base::writers_;
  using typename Base::FileGuard;
  using typename Base::PartPointer;

  void flush_locked(const StoreBuild& build) override;
  void pack_tail();
  /// The entries in memory that are not removed.
  void gather(size_t from_level, std::vector<Code>& codes, std::vector<uint64_t>& ids) const;

  // Changed only while holding writers_ and seen_.
  std::unordered_map<uint64_t, std::string> names_;  // of the entries in memory
};

extern template class OpenStore<HammingKind<Fingerprint64>>;
extern template class OpenStore<HammingKind<Fingerprint128>>;
extern template class OpenHammingStore<Fingerprint64>;
extern template class OpenHammingStore<Fingerprint128>;

}  // namespace neardup
