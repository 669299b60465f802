#include "sketch/python_simhash.h"

#include <unicode/uchar.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include "kernels/kernels.h"
#include "kernels/md5_rounds.h"
#include "sketch/simhash.h"
#include "text/normalize/final_sigma.h"
#include "text/utf8/utf8.h"

namespace neardup {

namespace {

constexpr size_t kBlockBytes = 64;
using State = std::array<uint32_t, 4>;

uint32_t little_endian(const uint8_t* bytes) noexcept {
  return bytes[0] | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 | uint32_t{bytes[3]} << 24;
}

uint32_t byte_swapped(uint32_t word) noexcept {
  return word >> 24 | (word >> 8 & 0xFF00) | (word << 8 & 0xFF0000) | word << 24;
}

Fingerprint128 number_of(uint32_t a, uint32_t b, uint32_t c, uint32_t d) noexcept {
  return {uint64_t{byte_swapped(a)} << 32 | byte_swapped(b), uint64_t{byte_swapped(c)} << 32 | byte_swapped(d)};
}

struct Block {
  std::array<uint32_t, 16> words;

  template <size_t kWord>
  [[nodiscard]] uint32_t at(size_t, uint32_t sine) const noexcept {
    return words[kWord] + sine;
  }
};

void add_block(const uint8_t* bytes, State& state) noexcept {
  Block block;
  for (size_t i = 0; i < 16; ++i) block.words[i] = little_endian(bytes + 4 * i);
  uint32_t next[1][4] = {{state[0], state[1], state[2], state[3]}};
  md5_steps<0, 1>(next, block);
  for (size_t i = 0; i < 4; ++i) state[i] += next[0][i];
}

// Counts the bits of the MD5 of messages, read as numbers with the highest byte first. Short ones are hashed many at a time by a kernel.
// One per thread; about 6 KB, made for the stack.
class Md5Counts {
 public:
  static constexpr uint32_t kShortBytes = 16;

  void add(std::string_view message) noexcept;
  // A message of `length` <= kShortBytes bytes: byte i is bits 8 i of low:high, the bits beyond the message are 0.
  void add_short(uint64_t low, uint64_t high, uint32_t length) noexcept;
  // The bits that more than half of the digests have.
  Fingerprint128 majority() noexcept;

 private:
  static constexpr size_t kDigests = 256;

  void hash_pending() noexcept;
  void count(Fingerprint128 digest) noexcept;
  void count_digests() noexcept;

  size_t pending_ = 0;  // short messages, < kMd5Lanes
  size_t digests_ = 0;  // < kDigests
  std::array<uint32_t, 6 * kernels::kMd5Lanes> words_{};
  std::array<uint64_t, kDigests> low_;
  std::array<uint64_t, kDigests> high_;
  BitCounts low_counts_;
  BitCounts high_counts_;
};

inline void Md5Counts::add_short(uint64_t low, uint64_t high, uint32_t length) noexcept {
  uint32_t* const words = words_.data() + pending_;
  constexpr size_t kPlane = kernels::kMd5Lanes;
  const uint64_t padding = uint64_t{0x80} << (8 * (length % 8));
  low |= length < 8 ? padding : 0;
  high |= length >= 8 && length < 16 ? padding : 0;
  words[0 * kPlane] = static_cast<uint32_t>(low);
  words[1 * kPlane] = static_cast<uint32_t>(low >> 32);
  words[2 * kPlane] = static_cast<uint32_t>(high);
  words[3 * kPlane] = static_cast<uint32_t>(high >> 32);
  words[4 * kPlane] = length == 16 ? 0x80 : 0;
  words[5 * kPlane] = length * 8;
  if (++pending_ == kPlane) hash_pending();
}

void Md5Counts::add(std::string_view message) noexcept {
  if (message.size() > kShortBytes) {
    count(md5_number(message));
    return;
  }
  uint64_t halves[2] = {};
  for (size_t i = 0; i < message.size(); ++i) halves[i / 8] |= uint64_t{static_cast<uint8_t>(message[i])} << (8 * (i % 8));
  add_short(halves[0], halves[1], static_cast<uint32_t>(message.size()));
}

Fingerprint128 Md5Counts::majority() noexcept {
  hash_pending();
  count_digests();
  return {high_counts_.majority().more, low_counts_.majority().more};
}

void Md5Counts::hash_pending() noexcept {
  if (pending_ == 0) return;
  constexpr size_t kPlane = kernels::kMd5Lanes;
  uint32_t digests[4 * kPlane];
  kernels::kernels().md5_short(words_.data(), digests);
  for (size_t i = 0; i < pending_; ++i) {
    count(number_of(digests[i], digests[kPlane + i], digests[2 * kPlane + i], digests[3 * kPlane + i]));
  }
  pending_ = 0;
}

void Md5Counts::count(Fingerprint128 digest) noexcept {
  low_[digests_] = digest.low;
  high_[digests_] = digest.high;
  if (++digests_ == kDigests) count_digests();
}

void Md5Counts::count_digests() noexcept {
  low_counts_.add({low_.data(), digests_});
  high_counts_.add({high_.data(), digests_});
  digests_ = 0;
}

bool is_word_character(char32_t c) noexcept {
  const auto point = static_cast<UChar32>(c);
  return c == U'_' || (c >= 0x4E00 && c <= 0x9FCC) || (U_GET_GC_MASK(point) & U_GC_L_MASK) != 0 ||
         u_getIntPropertyValue(point, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
}

std::array<uint16_t, 0x10000> make_word_characters() noexcept {
  std::array<uint16_t, 0x10000> made{};
  for (char32_t c = 0; c < 0x10000; ++c) made[c] = static_cast<uint16_t>(python_word_character(c));
  return made;
}

// python_word_character of the code points below 0x10000; made at first use, shared.
const std::array<uint16_t, 0x10000>& python_word_characters() noexcept {
  static const std::array<uint16_t, 0x10000> characters = make_word_characters();
  return characters;
}

// All windows of four code points. Code points are collected first and cut into windows later: loading bytes immediately after storing them
// would stall.
class Windows {
 public:
  explicit Windows(Md5Counts& counts) : counts_(counts) {}

  void push(char32_t c) noexcept {
    begin_[count_++] = end_;
    char* const out = bytes_.data() + end_;
    const auto put = [&](uint32_t length, uint32_t code) {  // lowest byte first; the excess bytes are overwritten
      if constexpr (std::endian::native == std::endian::big) code = __builtin_bswap32(code);
      std::memcpy(out, &code, sizeof code);
      end_ += length;
    };
    if (c < 0x80) {
      *out = static_cast<char>(c);
      ++end_;
    } else if (c < 0x800) {
      put(2, (0xC0 | c >> 6) | (0x80 | (c & 0x3F)) << 8);
    } else if (c < 0x10000) {
      put(3, (0xE0 | c >> 12) | (0x80 | (c >> 6 & 0x3F)) << 8 | (0x80 | (c & 0x3F)) << 16);
    } else {
      put(4, (0xF0 | c >> 18) | (0x80 | (c >> 12 & 0x3F)) << 8 | (0x80 | (c >> 6 & 0x3F)) << 16 | (0x80 | (c & 0x3F)) << 24);
    }
    if (count_ == kMaxWaiting) hash();
  }
  void finish() noexcept {
    if (count_ >= kWidth) {
      hash();
    } else if (!hashed_) {
      add(0, end_);  // fewer than four in all: one window, even if there are none
    }
  }

 private:
  static constexpr uint32_t kWidth = 4;
  static constexpr uint32_t kMaxWaiting = 512;

  // Hashes the complete windows, and keeps the three code points that begin the next ones.
  void hash() noexcept {
    begin_[count_] = end_;
    for (uint32_t i = 0; i + kWidth <= count_; ++i) add(begin_[i], begin_[i + kWidth]);
    const uint32_t from = count_ - (kWidth - 1);
    const uint32_t shift = begin_[from];
    std::memmove(bytes_.data(), bytes_.data() + shift, end_ - shift);
    for (uint32_t i = 0; i < kWidth - 1; ++i) begin_[i] = begin_[from + i] - shift;
    count_ = kWidth - 1;
    end_ -= shift;
    hashed_ = true;
  }
  void add(uint32_t begin, uint32_t end) noexcept {
    const uint32_t length = end - begin;
    uint64_t halves[2];
    std::memcpy(halves, bytes_.data() + begin, sizeof halves);
    if constexpr (std::endian::native == std::endian::big) {
      for (uint64_t& half : halves) half = __builtin_bswap64(half);
    }
    halves[0] &= length < 8 ? (uint64_t{1} << (8 * length)) - 1 : ~uint64_t{0};
    halves[1] &= length < 8 ? 0 : length < 16 ? (uint64_t{1} << (8 * (length - 8))) - 1 : ~uint64_t{0};
    counts_.add_short(halves[0], halves[1], length);
  }

  Md5Counts& counts_;
  uint32_t count_ = 0;
  uint32_t end_ = 0;
  bool hashed_ = false;
  std::array<uint32_t, kMaxWaiting + 1> begin_;
  std::array<char, kMaxWaiting * 4 + 16> bytes_{};
};

// The normalized code point at `at`; advances `at`.
char32_t next_word_character(std::string_view text, size_t& at, const std::array<uint16_t, 0x10000>& characters) noexcept {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) {
    ++at;
    return characters[first];
  }
  if (first > 0xE0 && first < 0xED && text.size() - at >= 3 && (byte(1) & 0xC0) == 0x80 && (byte(2) & 0xC0) == 0x80) {  // mostly Chinese
    const uint32_t c = (first & 0xFu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    at += 3;
    return characters[c];
  }
  const Decoded decoded = decode_utf8(text, at);
  const size_t here = std::exchange(at, at + decoded.length);
  if (decoded.code_point == kCapitalSigma) return lower_sigma(text, here);
  return decoded.code_point < characters.size() ? characters[decoded.code_point] : python_word_character(decoded.code_point);
}

// Adds as the package does: rows of 128 numbers, in order. Integer weights up to 50 are collected in rows of 200 tokens first, which
// affects only sums of floats. Integers stay exact in doubles below 2^53.
class Rows {
 public:
  void add(Fingerprint128 digest, int64_t weight) noexcept {
    count_ += static_cast<double>(weight);
    if (weight > kLargeWeight) {
      add_to(sums_, digest, static_cast<double>(weight));
      return;
    }
    if (weight > 0) add_to(batch_, digest, static_cast<double>(weight));  // a negative one repeats the hash no times
    if (++batched_ == kBatch) close_batch();
  }
  void add(Fingerprint128 digest, double weight) noexcept {
    count_ += weight;
    add_to(sums_, digest, weight);
  }
  Fingerprint128 majority() noexcept {
    close_batch();
    Fingerprint128 made;
    for (uint32_t bit = 0; bit < 128; ++bit) {
      (bit < 64 ? made.low : made.high) |= uint64_t{sums_[bit] > count_ / 2} << (bit % 64);
    }
    return made;
  }

 private:
  static constexpr int64_t kLargeWeight = 50;
  static constexpr uint32_t kBatch = 200;
  using Row = std::array<double, 128>;

  // The product matters too: infinity times 0 is not a number, and then the bit is 0.
  static void add_to(Row& row, Fingerprint128 digest, double weight) noexcept {
    const double product[2] = {0.0 * weight, weight};
    for (uint32_t bit = 0; bit < 64; ++bit) {
      row[bit] += product[digest.low >> bit & 1];
      row[64 + bit] += product[digest.high >> bit & 1];
    }
  }
  void close_batch() noexcept {
    for (uint32_t bit = 0; bit < 128; ++bit) sums_[bit] += batch_[bit];
    batch_ = {};
    batched_ = 0;
  }

  double count_ = 0;
  uint32_t batched_ = 0;
  Row batch_{};
  Row sums_{};
};

}  // namespace

Fingerprint128 python_simhash_text(std::string_view text) noexcept {
  const auto& characters = python_word_characters();
  Md5Counts counts;
  Windows windows(counts);
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_word_character(text, at, characters);
    if (c != 0) windows.push(c);
  }
  windows.finish();
  return counts.majority();
}

Fingerprint128 python_simhash_tokens(std::span<const std::string_view> tokens) noexcept {
  Md5Counts counts;
  for (const std::string_view token : tokens) counts.add(token);
  return counts.majority();
}

Fingerprint128 python_simhash_tokens(const TokenBuffer& tokens) noexcept {
  Md5Counts counts;
  for (size_t i = 0; i < tokens.size(); ++i) counts.add(tokens.token(i));
  return counts.majority();
}

Fingerprint128 python_simhash_weighted(std::span<const PythonToken> tokens) noexcept {
  Rows rows;
  for (const PythonToken& each : tokens) {
    std::visit([&](auto weight) { rows.add(md5_number(each.token), weight); }, each.weight);
  }
  return rows.majority();
}

Fingerprint128 md5_number(std::string_view message) noexcept {
  State state = {kMd5Start[0], kMd5Start[1], kMd5Start[2], kMd5Start[3]};
  const auto* const bytes = reinterpret_cast<const uint8_t*>(message.data());
  const size_t whole = message.size() / kBlockBytes * kBlockBytes;
  for (size_t at = 0; at < whole; at += kBlockBytes) add_block(bytes + at, state);

  uint8_t tail[2 * kBlockBytes] = {};
  const size_t rest = message.size() - whole;
  if (rest > 0) std::memcpy(tail, bytes + whole, rest);
  tail[rest] = 0x80;
  const size_t end = rest < kBlockBytes - 8 ? kBlockBytes : 2 * kBlockBytes;
  for (size_t i = 0; i < 8; ++i) tail[end - 8 + i] = static_cast<uint8_t>(uint64_t{message.size()} * 8 >> (8 * i));
  for (size_t at = 0; at < end; at += kBlockBytes) add_block(tail + at, state);
  return number_of(state[0], state[1], state[2], state[3]);
}

char32_t python_word_character(char32_t c) noexcept {
  // One to one but for U+0130, whose second lower-case code point, U+0307, is not a word character.
  const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
  return is_word_character(lower) ? lower : 0;
}

}  // namespace neardup
