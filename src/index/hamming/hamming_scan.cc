#include "index/hamming/hamming_scan.h"

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

template <typename Code>
std::optional<uint32_t> HammingScan<Code>::first(Code query, uint32_t radius) const noexcept {
  std::optional<uint32_t> found;
  visit(query, radius, [&](uint32_t number) {
    found = number;
    return false;
  });
  return found;
}

template <typename Code>
void HammingScan<Code>::find(Code query, uint32_t radius, std::vector<uint32_t>& out) const {
  out.clear();
  visit(query, radius, [&](uint32_t number) {
    out.push_back(number);
    return true;
  });
}

template class HammingScan<Fingerprint64>;
template class HammingScan<Fingerprint128>;

}  // namespace neardup
