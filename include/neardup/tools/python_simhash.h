// python_simhash_v1: exactly the fingerprints of the Python package `simhash` 2.1.2 (f = 64 and f = 128), for corpora that have them.
//
// Every function gives the 128-bit fingerprint; the low f bits are the one for a smaller f. docs/simhash.md defines it and lists the
// peculiarities of the package. In short: the hash of a token is its MD5 as a number, highest byte first; a bit is 1 if the tokens that
// have it weigh more than half of all; ties give 0. Prefer a recipe with simhash for anything new: here ties give 0, and all texts without
// a word character have the same fingerprint.
//
// Total: any bytes in; malformed UTF-8 reads as U+FFFD, which is not a word character. Pure, no allocation, noexcept.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "neardup/fingerprint.h"

namespace neardup {

/// Simhash(text): lower case, word characters only, all windows of four code points.
Fingerprint128 python_simhash_text(std::string_view text) noexcept;

/// Simhash([token, ...]): every token weighs 1, repetitions count again. No tokens: 0.
Fingerprint128 python_simhash_tokens(std::span<const std::string_view> tokens) noexcept;

/// A pair (token, weight) of the package; int and float are not the same to it. {"a", int64_t{3}}, {"b", 0.5}.
struct PythonToken {
  std::string_view token;
  std::variant<int64_t, double> weight = int64_t{1};
};

/// Simhash([(token, weight), ...]), in this order: sums of floats are sums of doubles. Equal to the package as long as the magnitudes of
/// the integer weights have a sum below 2^53.
Fingerprint128 python_simhash_weighted(std::span<const PythonToken> tokens) noexcept;

}  // namespace neardup
