#include "neardup/tools/fingerprint_blocks.h"

#include <fmt/format.h>

#include <charconv>

#include "neardup/error.h"

namespace neardup {
namespace {

[[noreturn]] void fail(std::string_view text, std::string_view what) {
  throw Error(ErrorCode::kUsage, fmt::format("blocks '{}': {}", text, what));
}

// Digits only. A number that does not fit into 32 bits is above every bound anyway.
uint32_t number(std::string_view text, std::string_view digits) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    fail(text, "expected MxW, such as 4x16, or widths with commas, such as 22,21,21");
  return error == std::errc() ? value : UINT32_MAX;
}

void check_count(std::string_view text, uint64_t count) {
  if (count < 1 || count > kMaxFingerprintBlocks) {
    fail(text, count > 1'000'000 ? fmt::format("expected 1 to {} blocks", kMaxFingerprintBlocks)
                                 : fmt::format("expected 1 to {} blocks, not {}", kMaxFingerprintBlocks, count));
  }
}

std::vector<uint32_t> widths_of(std::string_view text) {
  if (const size_t cross = text.find('x'); cross != std::string_view::npos) {
    const uint32_t count = number(text, text.substr(0, cross));
    const uint32_t width = number(text, text.substr(cross + 1));
    check_count(text, count);
    return std::vector(count, width);
  }
  std::vector<uint32_t> widths;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    widths.push_back(number(text, text.substr(at, comma - at)));
    at = comma + 1;
  }
  check_count(text, widths.size());
  return widths;
}

}  // namespace

FingerprintBlocks FingerprintBlocks::parse(std::string_view text) {
  FingerprintBlocks blocks;
  blocks.text_ = text;
  blocks.widths_ = widths_of(text);
  uint64_t sum = 0;
  for (const uint32_t width : blocks.widths_) {
    if (width == 0) fail(text, "a block must have at least 1 bit");
    blocks.begins_.push_back(static_cast<uint32_t>(sum));
    sum += width;
  }
  if (sum != 64 && sum != 128) fail(text, fmt::format("the widths have a sum of {}, not of the 64 or 128 bits of a fingerprint", sum));
  for (const uint32_t width : blocks.widths_) {
    if (width > kMaxFingerprintBlockBits) {
      fail(text, fmt::format("a block has at most {} bits, not {}: many readers keep larger numbers as doubles, which are not exact",
                             kMaxFingerprintBlockBits, width));
    }
  }
  blocks.bits_ = static_cast<uint32_t>(sum);
  return blocks;
}

uint64_t FingerprintBlocks::value(Fingerprint128 fingerprint, uint32_t block) const noexcept {
  const uint32_t begin = begins_[block];
  uint64_t bits = 0;
  if (begin >= 64) {
    bits = fingerprint.high >> (begin - 64);
  } else {
    bits = fingerprint.low >> begin;
    if (begin > 0) bits |= fingerprint.high << (64 - begin);
  }
  return bits & ((uint64_t{1} << widths_[block]) - 1);
}

}  // namespace neardup
