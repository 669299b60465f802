#include "cli/index/block_options.h"

#include <fmt/format.h>

#include "neardup/error.h"

namespace neardup::cli {

FingerprintText fingerprint_text_option(std::string_view option, std::string_view value) {
  if (value == "hex") return FingerprintText::kHex;
  if (value == "integer") return FingerprintText::kInteger;
  if (value == "signed") return FingerprintText::kSigned;
  if (value == "bits") return FingerprintText::kBits;
  throw Error(ErrorCode::kUsage, fmt::format("--{}: expected one of hex, integer, signed, bits, not '{}'", option, value));
}

FingerprintBlocks blocks_option(const Invocation& invocation) {
  return FingerprintBlocks::parse(invocation.value("blocks", "4x16"));
}

}  // namespace neardup::cli
