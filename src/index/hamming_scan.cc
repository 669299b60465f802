#include "index/hamming_scan.h"

#include <bit>

#include "kernels/kernels.h"

namespace neardup {

template <typename Code>
uint32_t HammingScan<Code>::add(Code code) {
  if (size_ == low_.size()) {
    low_.resize(size_ + kernels::kCodeBlock);
    if constexpr (Code::kBits == 128) high_.resize(size_ + kernels::kCodeBlock);
  }
  low_[size_] = code.low;
  if constexpr (Code::kBits == 128) high_[size_] = code.high;
  return size_++;
}

// Calls visit(number) in ascending order until it returns false.
template <typename Code>
template <typename Visit>
void HammingScan<Code>::scan(Code query, uint32_t radius, const Visit& visit) const {
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

template <typename Code>
std::optional<uint32_t> HammingScan<Code>::first(Code query, uint32_t radius) const noexcept {
  std::optional<uint32_t> found;
  scan(query, radius, [&](uint32_t number) {
    found = number;
    return false;
  });
  return found;
}

template <typename Code>
void HammingScan<Code>::find(Code query, uint32_t radius, std::vector<uint32_t>& out) const {
  out.clear();
  scan(query, radius, [&](uint32_t number) {
    out.push_back(number);
    return true;
  });
}

template class HammingScan<Fingerprint64>;
template class HammingScan<Fingerprint128>;

}  // namespace neardup
