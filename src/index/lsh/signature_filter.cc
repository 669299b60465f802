#include "index/lsh/signature_filter.h"

#include <cmath>
#include <cstring>

#include "kernels/kernels.h"

namespace neardup {
namespace {

constexpr uint32_t kSpread = 0x9E37'79B1;
constexpr uint64_t kNibbleOnes = 0x1111'1111'1111'1111u;

// A minimum is small, so its top bits carry no information; a multiplication spreads the others over the stored bits.
uint8_t nibble_of(uint32_t minimum) noexcept {
  return static_cast<uint8_t>((minimum * kSpread) >> 28);
}

// The largest m with P(Binomial(n, p) < m) <= max_probability.
uint32_t lower_quantile(uint32_t n, double p, double max_probability) {
  double below = 0;
  double log_term = n * std::log1p(-p);  // log P(X = 0)
  uint32_t m = 0;
  for (; m < n; ++m) {
    below += std::exp(log_term);
    if (below > max_probability) break;
    log_term += std::log(static_cast<double>(n - m) / (m + 1)) + std::log(p) - std::log1p(-p);
  }
  return m;
}

}  // namespace

SignatureFilter::SignatureFilter(uint32_t lanes, Threshold threshold) : lanes_(lanes) {
  const double p = threshold.value() + (1 - threshold.value()) / 16;
  min_agreement_ = p >= 1 ? lanes : lower_quantile(lanes, p, kMissProbability);
  row_bytes_ = min_agreement_ == 0 ? 0 : (lanes + 15) / 16 * sizeof(uint64_t);
}

void SignatureFilter::append_row(std::span<const uint32_t> signature, std::vector<uint8_t>& rows) const {
  if (row_bytes_ == 0) return;
  const size_t at = rows.size();
  rows.resize(at + row_bytes_);
  uint8_t* const row = rows.data() + at;
  size_t lane = lanes_ / kernels::kLaneBlock * kernels::kLaneBlock;
  kernels::kernels().lane_nibbles(signature.data(), lane, kSpread, row);
  for (; lane < lanes_; ++lane) row[lane / 2] = static_cast<uint8_t>(row[lane / 2] | nibble_of(signature[lane]) << (lane % 2 * 4));
}

uint32_t SignatureFilter::agreement(const uint8_t* row_a, const uint8_t* row_b) const noexcept {
  uint32_t different = 0;
  for (size_t at = 0; at < row_bytes_; at += sizeof(uint64_t)) {
    uint64_t a = 0;
    uint64_t b = 0;
    std::memcpy(&a, row_a + at, sizeof a);
    std::memcpy(&b, row_b + at, sizeof b);
    uint64_t x = a ^ b;
    x |= x >> 2;
    x = (x | x >> 1) & kNibbleOnes;  // one bit for every nibble that differs
    x = (x + (x >> 4)) & 0x0F0F'0F0F'0F0F'0F0Fu;
    different += static_cast<uint32_t>((x * 0x0101'0101'0101'0101u) >> 56);
  }
  return lanes_ - different;  // the lanes past the end are 0 in all rows
}

}  // namespace neardup
