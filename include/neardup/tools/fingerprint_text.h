// Conversion of fingerprints to and from text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/fingerprint.h"

namespace neardup {

enum class FingerprintText {
  kHex,      ///< 16 or 32 digits, highest first
  kInteger,  ///< a decimal number
  kSigned,   ///< the same as a signed 64-bit number: values from 2^63 on are written minus 2^64; for 64 bits only
  kBits,     ///< 64 or 128 digits 0 and 1, highest first
};

/// Throws Error{kUsage} when fingerprints of so many bits, 64 or 128, cannot be written this way.
void check_fingerprint_text(FingerprintText form, uint32_t bits);

/// Requires a form that check_fingerprint_text() accepts. For 64 bits, ignores the high half.
void append_fingerprint(FingerprintText form, uint32_t bits, Fingerprint128 fingerprint, std::string& out);

/// The inverse, for the whole text. Hexadecimal digits may be of either case, decimal numbers may begin with zeros. For 64 bits kInteger
/// and kSigned also read each other's form, because a database column may convert one into the other. 64 bits have a high half of 0.
std::optional<Fingerprint128> parse_fingerprint(FingerprintText form, uint32_t bits, std::string_view text) noexcept;

/// The form that parse_fingerprint() reads, for messages: "16 hexadecimal digits".
std::string describe_fingerprint_text(FingerprintText form, uint32_t bits);

}  // namespace neardup
