#include "neardup/tools/fingerprint_text.h"
#include "base/format.h"

#include <fmt/format.h>

#include <charconv>

#include "neardup/error.h"

namespace neardup {
namespace {

__extension__ using Wide = unsigned __int128;

// A decimal number below 2^bits.
std::optional<Fingerprint128> parse_unsigned(uint32_t bits, std::string_view digits) noexcept {
  if (digits.empty()) return std::nullopt;
  Wide value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    const Wide next = value * 10 + static_cast<unsigned>(digit - '0');
    if (value > ~static_cast<Wide>(0) / 10 || next < value * 10) return std::nullopt;
    value = next;
  }
  const Fingerprint128 fingerprint{static_cast<uint64_t>(value >> 64), static_cast<uint64_t>(value)};
  if (bits == 64 && fingerprint.high != 0) return std::nullopt;
  return fingerprint;
}

std::optional<Fingerprint128> parse_integer(uint32_t bits, std::string_view text) noexcept {
  if (bits != 64 || !text.starts_with('-')) return parse_unsigned(bits, text);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Fingerprint128{0, static_cast<uint64_t>(value)};
}

std::optional<Fingerprint128> parse_bits(uint32_t bits, std::string_view digits) noexcept {
  if (digits.size() != bits) return std::nullopt;
  Fingerprint128 fingerprint;
  for (const char digit : digits) {
    if (digit != '0' && digit != '1') return std::nullopt;
    fingerprint.high = fingerprint.high << 1 | fingerprint.low >> 63;
    fingerprint.low = fingerprint.low << 1 | (digit == '1' ? 1 : 0);
  }
  return fingerprint;
}

}  // namespace

void check_fingerprint_text(FingerprintText form, uint32_t bits) {
  if (form == FingerprintText::kSigned && bits == 128)
    throw Error(ErrorCode::kUsage, "fingerprint: signed is for fingerprints of 64 bits, not of 128");
}

void append_fingerprint(FingerprintText form, uint32_t bits, Fingerprint128 fingerprint, std::string& out) {
  switch (form) {
    case FingerprintText::kHex:
      out += bits == 64 ? to_hex(fingerprint.low_half()) : to_hex(fingerprint);
      break;
    case FingerprintText::kInteger:
      out += bits == 64 ? to_decimal(fingerprint.low_half()) : to_decimal(fingerprint);
      break;
    case FingerprintText::kSigned:
      append_format(out, "{}", static_cast<int64_t>(fingerprint.low));
      break;
    case FingerprintText::kBits:
      for (uint32_t bit = bits; bit-- > 0;)
        out.push_back(((bit < 64 ? fingerprint.low >> bit : fingerprint.high >> (bit - 64)) & 1) ? '1' : '0');
      break;
  }
}

std::optional<Fingerprint128> parse_fingerprint(FingerprintText form, uint32_t bits, std::string_view text) noexcept {
  switch (form) {
    case FingerprintText::kHex:
      if (bits == 128) return fingerprint128_from_hex(text);
      if (const auto low = fingerprint64_from_hex(text)) return Fingerprint128{0, low->low};
      return std::nullopt;
    case FingerprintText::kInteger:
    case FingerprintText::kSigned:
      return parse_integer(bits, text);
    case FingerprintText::kBits:
      return parse_bits(bits, text);
  }
  return std::nullopt;
}

std::string describe_fingerprint_text(FingerprintText form, uint32_t bits) {
  switch (form) {
    case FingerprintText::kHex:
      return fmt::format("{} hexadecimal digits", bits / 4);
    case FingerprintText::kInteger:
    case FingerprintText::kSigned:
      return fmt::format("a whole number of {} bits", bits);
    case FingerprintText::kBits:
      return fmt::format("{} digits 0 and 1", bits);
  }
  return "";
}

}  // namespace neardup
