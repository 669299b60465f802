// HammingScan: stores kept codes and finds those within a radius of another, for a scan rule over fingerprints.
//
// Flat: a query compares with every kept code, at about half a nanosecond each, so it is meant for the groups that a self-join finds (up to
// some thousands kept), not for a corpus. Exact, inclusive. add() from one thread; queries from any number between adds.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "neardup/fingerprint.h"

namespace neardup {

template <typename Code>  // Fingerprint64 or Fingerprint128
class HammingScan {
 public:
  /// Returns its number: they count from 0.
  uint32_t add(Code code);
  [[nodiscard]] uint32_t size() const noexcept { return size_; }
  /// The first kept code, in the order of add(), within the radius.
  [[nodiscard]] std::optional<uint32_t> first(Code query, uint32_t radius) const noexcept;
  /// Replaces `out` by all kept codes within the radius, ascending.
  void find(Code query, uint32_t radius, std::vector<uint32_t>& out) const;
  /// Calls visit(number) for the same until it returns false.
  template <typename Visit>
  void visit(Code query, uint32_t radius, const Visit& visit) const {
    const auto near = kernels::kernels().hamming_near;
    uint64_t query_high = 0;
    if constexpr (Code::kBits == 128) query_high = query.high;
    for (uint32_t at = 0; at < size_; at += kernels::kCodeBlock) {
      uint64_t bits = near(low_.data() + at, high_.empty() ? nullptr : high_.data() + at, query.low, query_high, radius);
      if (size_ - at < kernels::kCodeBlock) bits &= (uint64_t{1} << (size_ - at)) - 1;
      for (; bits != 0; bits &= bits - 1) {
        if (!visit(at + static_cast<uint32_t>(std::countr_zero(bits)))) return;
      }
    }
  }

 private:
  uint32_t size_ = 0;
  std::vector<uint64_t> low_;   // padded to whole blocks of the kernel
  std::vector<uint64_t> high_;  // empty for 64-bit codes
};

extern template class HammingScan<Fingerprint64>;
extern template class HammingScan<Fingerprint128>;

}  // namespace neardup
