// CodeSet: the fingerprints for measurements of Hamming search. Every code is a function of the options and its row, so that a billion of
// them need no file and no memory, and the row gives the planted neighbour.
//
// Rows below base() are base codes. Each of the last tenth is a copy of a different base code with distance(row) bits flipped: 0 to
// `farthest` in turn. Kinds of base codes:
//   uniform    64 or 128 random bits
//   shared     uniform, but `special` rows, evenly spread, have the same upper half
//   constant   `special` bits, wherever they stand, are the same in all codes (only flips of queries hit them)
//   clustered  around one centre for every hundred rows, 0 to 12 bits from it
//   equal      one code
// Queries alternate between a stored code with 0 to `query_flips` bits flipped and a code of the same kind that is not stored; of `shared`,
// every other pair of queries uses the special rows.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "neardup/fingerprint.h"

namespace neardup {

struct CodeSetOptions {
  std::string kind = "uniform";
  uint64_t codes = 1'000'000;
  uint64_t special = 0;
  uint64_t seed = 1;
  uint32_t farthest = 6;
  uint32_t query_flips = 3;
};

inline constexpr uint64_t kNoTarget = UINT64_MAX;

template <typename Code>
class CodeSet {
 public:
  struct Query {
    Code code;
    uint64_t target = kNoTarget;  ///< the row of the stored code; kNoTarget: not made from one
    uint32_t flips = 0;
  };

  explicit CodeSet(const CodeSetOptions& options) : options_(options), base_(options.codes - options.codes / 10) {
    const std::string& kind = options.kind;
    kind_ = kind == "uniform"     ? kUniform
            : kind == "shared"    ? kShared
            : kind == "constant"  ? kConstant
            : kind == "clustered" ? kClustered
            : kind == "equal"     ? kEqual
                                  : throw std::invalid_argument("no such kind of codes: " + kind);
    if (kind_ == kShared && (options.special == 0 || options.special > base_)) throw std::invalid_argument("how many codes share?");
    if (kind_ == kConstant && options.special + options.farthest > Code::kBits) throw std::invalid_argument("more bits than the code has");
    if (options.farthest > Code::kBits || options.query_flips > Code::kBits) throw std::invalid_argument("more flips than bits");
    if (kind_ == kConstant) mask_ = flip_mask(kConstant, 0, static_cast<uint32_t>(options.special));
    step_ = kind_ == kShared ? base_ / options.special : 0;
    stride_ = options.codes >= 10 ? base_ / (options.codes / 10) : 1;
  }

  [[nodiscard]] uint64_t size() const { return options_.codes; }
  [[nodiscard]] uint64_t base() const { return base_; }
  [[nodiscard]] uint32_t distance(uint64_t copy) const { return static_cast<uint32_t>((copy - base_) % (options_.farthest + 1)); }
  /// The row that a copy was made of.
  [[nodiscard]] uint64_t original(uint64_t copy) const { return (copy - base_) * stride_ + random(kOriginal, copy) % stride_; }

  [[nodiscard]] Code code(uint64_t row) const {
    if (row >= base_) return flipped(base_code(original(row)), kCopy, row, distance(row));
    return base_code(row);
  }

  [[nodiscard]] std::vector<Code> codes() const {
    std::vector<Code> made(size());
    for (uint64_t row = 0; row < size(); ++row) made[row] = code(row);
    return made;
  }

  [[nodiscard]] Query query(uint64_t number) const {
    const bool inside = kind_ == kShared && number / 2 % 2 == 0;
    if (number % 2 == 0) {
      const uint64_t pick = random(kTarget, number);
      const uint64_t row = inside ? pick % options_.special * step_ : pick % size();
      const auto flips = static_cast<uint32_t>(random(kFlips, number) % (options_.query_flips + 1));
      return {flipped(code(row), kQuery, number, flips), row, flips};
    }
    const uint64_t beyond = size() + number;  // rows that are not stored
    if (kind_ == kShared) return {inside ? special(draw(beyond)) : draw(beyond)};
    return {base_code(beyond)};
  }

 private:
  enum Kind : uint32_t { kUniform, kShared, kConstant, kClustered, kEqual };
  enum Use : uint64_t { kRow = 16, kUpper, kOriginal, kCopy, kTarget, kFlips, kQuery, kCentre, kMember };  // apart from the kinds

  // SplitMix64 of (seed, use, number).
  [[nodiscard]] uint64_t random(uint64_t use, uint64_t number) const {
    uint64_t z = (options_.seed * 64 + use) * 0xD1342543DE82EF95u + (number + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  [[nodiscard]] Code draw(uint64_t number, uint64_t use = kRow) const {
    if constexpr (Code::kBits == 128)
      return {random(use, 2 * number), random(use, 2 * number + 1)};
    else
      return {random(use, number)};
  }
  // Sets `flips` different bits, each drawn from a separate number.
  [[nodiscard]] Code flip_mask(uint64_t use, uint64_t number, uint32_t flips) const {
    Code mask;
    uint64_t at = random(use, number);
    for (uint32_t done = 0; done < flips;) {
      at = at * 6364136223846793005u + 1442695040888963407u;
      const uint64_t bit = (at >> 33) % Code::kBits;
      uint64_t& word = word_of(mask, bit);
      Code constant = mask_;
      const uint64_t taken = use == kCopy ? word | word_of(constant, bit) : word;
      if ((taken >> (bit % 64) & 1) != 0) continue;
      word |= uint64_t{1} << (bit % 64);
      ++done;
    }
    return mask;
  }
  [[nodiscard]] Code flipped(Code code, uint64_t use, uint64_t number, uint32_t flips) const {
    const Code mask = flip_mask(use, number, flips);
    if constexpr (Code::kBits == 128) code.high ^= mask.high;
    code.low ^= mask.low;
    return code;
  }
  static uint64_t& word_of(Code& code, uint64_t bit) {
    if constexpr (Code::kBits == 128)
      return bit < 64 ? code.low : code.high;
    else
      return code.low;
  }
  // With the upper half of the special rows.
  [[nodiscard]] Code special(Code code) const {
    if constexpr (Code::kBits == 128)
      return {random(kUpper, 0), code.low};
    else
      return {random(kUpper, 0) << 32 | (code.low & 0xFFFFFFFF)};
  }
  [[nodiscard]] Code base_code(uint64_t row) const {
    switch (kind_) {
      case kUniform:
        return draw(row);
      case kShared:
        return row % step_ == 0 && row / step_ < options_.special ? special(draw(row)) : draw(row);
      case kConstant: {
        Code code = draw(row);
        const Code constant = draw(0, kUpper);
        if constexpr (Code::kBits == 128) code.high = (code.high & ~mask_.high) | (constant.high & mask_.high);
        code.low = (code.low & ~mask_.low) | (constant.low & mask_.low);
        return code;
      }
      case kClustered: {
        const uint64_t centres = base_ / 100 + 1;
        return flipped(draw(row % centres, kCentre), kMember, row, static_cast<uint32_t>(random(kFlips, row) % 13));
      }
      case kEqual:
        return draw(0);
    }
    return {};
  }

  const CodeSetOptions options_;
  const uint64_t base_;
  Kind kind_ = kUniform;
  Code mask_;
  uint64_t step_ = 0;
  uint64_t stride_ = 1;
};

}  // namespace neardup
