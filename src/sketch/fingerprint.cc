#include "neardup/fingerprint.h"

#include <algorithm>

namespace neardup {
namespace {

void append_hex(uint64_t word, std::string& out) {
  for (int shift = 60; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[word >> shift & 15]);
}

// The value of 16 digits.
std::optional<uint64_t> word_of(std::string_view hex) noexcept {
  uint64_t word = 0;
  for (const char c : hex) {
    uint64_t digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint64_t>(c) - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<uint64_t>(c) - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<uint64_t>(c) - 'A' + 10;
    } else {
      return std::nullopt;
    }
    word = word << 4 | digit;
  }
  return word;
}

void put_bytes(uint64_t word, uint8_t* out) noexcept {
  for (uint32_t i = 0; i < 8; ++i) out[i] = static_cast<uint8_t>(word >> (8 * i));
}

uint64_t take_bytes(const uint8_t* in) noexcept {
  uint64_t word = 0;
  for (uint32_t i = 0; i < 8; ++i) word |= uint64_t{in[i]} << (8 * i);
  return word;
}

}  // namespace

std::string to_hex(Fingerprint64 fingerprint) {
  std::string hex;
  append_hex(fingerprint.low, hex);
  return hex;
}

std::string to_hex(Fingerprint128 fingerprint) {
  std::string hex;
  append_hex(fingerprint.high, hex);
  append_hex(fingerprint.low, hex);
  return hex;
}

std::string to_decimal(Fingerprint64 fingerprint) {
  return std::to_string(fingerprint.low);
}

std::string to_decimal(Fingerprint128 fingerprint) {
  // Long division by ten, 32 bits at a time.
  std::array<uint64_t, 4> limbs = {fingerprint.high >> 32, fingerprint.high & 0xFFFF'FFFF, fingerprint.low >> 32,
                                   fingerprint.low & 0xFFFF'FFFF};
  std::string digits;
  do {
    uint64_t rest = 0;
    for (uint64_t& limb : limbs) {
      const uint64_t value = rest << 32 | limb;
      limb = value / 10;
      rest = value % 10;
    }
    digits.push_back(static_cast<char>('0' + rest));
  } while (std::any_of(limbs.begin(), limbs.end(), [](uint64_t limb) { return limb != 0; }));
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::array<uint8_t, 8> to_bytes(Fingerprint64 fingerprint) noexcept {
  std::array<uint8_t, 8> bytes;
  put_bytes(fingerprint.low, bytes.data());
  return bytes;
}

std::array<uint8_t, 16> to_bytes(Fingerprint128 fingerprint) noexcept {
  std::array<uint8_t, 16> bytes;
  put_bytes(fingerprint.low, bytes.data());
  put_bytes(fingerprint.high, bytes.data() + 8);
  return bytes;
}

Fingerprint64 fingerprint64_from_bytes(const std::array<uint8_t, 8>& bytes) noexcept {
  return {take_bytes(bytes.data())};
}

Fingerprint128 fingerprint128_from_bytes(const std::array<uint8_t, 16>& bytes) noexcept {
  return {take_bytes(bytes.data() + 8), take_bytes(bytes.data())};
}

std::optional<Fingerprint64> fingerprint64_from_hex(std::string_view hex) noexcept {
  if (hex.size() != 16) return std::nullopt;
  const auto low = word_of(hex);
  if (!low) return std::nullopt;
  return Fingerprint64{*low};
}

std::optional<Fingerprint128> fingerprint128_from_hex(std::string_view hex) noexcept {
  if (hex.size() != 32) return std::nullopt;
  const auto high = word_of(hex.substr(0, 16));
  const auto low = word_of(hex.substr(16));
  if (!high || !low) return std::nullopt;
  return Fingerprint128{*high, *low};
}

}  // namespace neardup
