#include "cli/options/fingerprint_options.h"

#include <fmt/format.h>

#include <vector>

#include "neardup/error.h"
#include "neardup/sketcher.h"

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

Fingerprint128 fingerprint_of(const std::string& text, const std::string& name, const Recipe& recipe) {
  const Sketcher sketcher(recipe);
  Sketcher::Scratch scratch;
  std::vector<uint32_t> words(sketcher.sketch_words());
  if (sketcher.sketch(text, scratch, words).too_short)
    throw Error(ErrorCode::kInput, fmt::format("{} is too short for a fingerprint of recipe '{}'", name, recipe.name));
  return Sketcher::fingerprint(words);
}

}  // namespace neardup::cli
