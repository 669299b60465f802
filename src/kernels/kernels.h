// Kernels: the hot loops, as plain C arrays in and out. The same source is compiled once per instruction set; the best one
// that this processor has is chosen at first use. All give the same bytes.
//
// The environment variable NEARDUP_KERNELS (baseline, avx2, avx512, avx512vbmi2) forces one. kernels() ignores a name that is unknown or
// that the processor does not support; requested_kernels_error(), which every program checks at start, reports it. This folder includes
// nothing of ours, and the per-instruction-set units include only <cstddef>, <cstdint> and, whose functions are always inlined,
// <immintrin.h>: an inline function in such a unit could be picked by the linker for callers that must not use those instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::kernels {

/// MinHash lanes are processed in blocks of this many, and what is left in groups; lane counts are padded up to a multiple of a block,
/// which is faster, or of a group by the caller.
inline constexpr size_t kLaneBlock = 64;
inline constexpr size_t kLaneGroup = 16;
/// The text loops work on blocks of this many bytes, and may write this many bytes beyond the end they report.
inline constexpr size_t kTextBlock = 64;
/// The shingle loops work on kShingleGroup shingles at a time, and may read kShingleSlack bytes beyond the last one.
inline constexpr size_t kShingleGroup = 8;
inline constexpr size_t kShingleSlack = 128;

struct Folded {
  size_t read;     ///< bytes dealt with
  size_t written;  ///< bytes that they became
};

struct WordRuns {
  size_t read;      ///< bytes dealt with
  uint32_t tokens;  ///< tokens written
  uint32_t end;     ///< of the joined text
};

/// Two feature sets (sorted, unique) that are scanned together, from `a` and `b` on.
struct SetScan {
  const uint64_t* a;
  const uint64_t* a_end;
  const uint64_t* b;
  const uint64_t* b_end;
};

/// Levels of the bit-sliced counters of SimHash: they count to 2^40 - 1.
inline constexpr size_t kCountLevels = 40;
/// Bytes of a weighted feature: the hash (u64), the weight (i32), 4 unused.
inline constexpr size_t kWeightedBytes = 16;
/// Number of messages in one MD5 call, each of at most kMd5Bytes.
inline constexpr size_t kMd5Lanes = 32;
inline constexpr size_t kMd5Bytes = 19;
/// Number of messages in one SHA-1 call, each of at most kSha1Bytes.
inline constexpr size_t kSha1Lanes = 16;
inline constexpr size_t kSha1Bytes = 55;
/// Number of codes whose Hamming distances one call computes.
inline constexpr size_t kCodeBlock = 64;

/// Consecutive codes of `stride` bytes each, lowest byte first, the unused bits of the last byte zero. Readable: kPackedSlack bytes after
/// the last one.
struct PackedRun {
  const char* codes;
  uint64_t low;  ///< the query
  uint64_t high;
  uint32_t count;
  uint32_t stride;  ///< 1 to 8, or 9 to 16 for wide codes
  uint32_t radius;
};
inline constexpr size_t kPackedSlack = 64;
struct PackedMatch {
  uint32_t run;
  uint32_t code;  ///< its number in the run
  uint32_t distance;
};

/// Codes as words, in the order of their keys: the top bits are the number of the code's bucket, the others its remainder. `high` is null
/// for codes of 64 bits. kKeySlack words after the last one must be readable, with any contents.
struct Keys {
  const uint64_t* low;
  const uint64_t* high;
};
inline constexpr size_t kKeySlack = 24;
struct KeyMatch {
  uint32_t a;
  uint32_t b;
  uint32_t distance;
};
/// near_keys compares tiles of this many keys.
inline constexpr uint32_t kKeyTile = 8;

/// Where the buckets of some keys begin: starts[bucket] is twice the place of its first key, plus 1 if it has more than `lanes` keys;
/// starts[buckets] is twice the number of keys. At most 2^30 keys.
struct KeyBuckets {
  const uint32_t* starts;
  size_t buckets;
  uint32_t lanes;  ///< 8 or 16
};

/// Every key of a range meets one bucket of other keys: the one whose number is (own number ^ flip) & mask, the own number being what is
/// left of the key (of its high word) after `shift`.
struct KeyMeeting {
  Keys a;
  Keys b;
  KeyBuckets buckets;  ///< of b; mask < buckets.buckets
  uint32_t shift;
  uint32_t mask;
  uint32_t flip;
  uint32_t radius;
};

/// The words of jieba's dictionary, see src/text/jieba/dictionary/jieba_format.h and jieba_dictionary.h.
struct JiebaTrie {
  const uint32_t* first_bases;  ///< by code
  const double* first_weights;  ///< by code
  const uint16_t* labels;       ///< of the slots, in an array of their own: most steps fail, and this keeps them dense. Readable: one more
  const uint64_t* slots;
  const double* weights;  ///< by value; [0] is `none`
  double none;            ///< of what is not a word: minus infinity
  double unknown;         ///< of a character that no word of one or two characters begins with
  uint32_t no_children;   ///< the base of nodes without children
};

/// Room: as many as there are positions, and kJiebaSlack.
struct JiebaWords {
  double* alone;  ///< by position, as the next ones: the weight of the word of one character, or `unknown`
  double* pairs;
  uint32_t* pair_nodes;    ///< 0: the trie has no such pair
  uint32_t* prefixes;      ///< positions where three characters are in the trie, ascending
  uint32_t* prefix_nodes;  ///< and their nodes
};
inline constexpr size_t kJiebaSlack = 64;

struct JiebaRead {
  size_t read;       ///< bytes dealt with
  size_t positions;  ///< number of their characters
};

struct Kernels {
  const char* name;

  /// signature[i] = min(signature[i], lane_hash(features[j], offsets[i])) for all j and i < padded_lanes.
  /// padded_lanes is a multiple of kLaneGroup. See src/sketch/minhash.h for lane_hash.
  void (*minhash_update)(const uint64_t* features, size_t count, const uint32_t* offsets, uint32_t* signature, size_t padded_lanes);

  /// Writes the ASCII text that `in` begins with to `out`, its letters in lower case, its white space (9-13, 28-32) as blanks; white
  /// space after white space is dropped, and so is the first one if `previous_white`. Room in `out`: size + kTextBlock.
  Folded (*fold_ascii)(const char* in, size_t size, char* out, bool previous_white);

  /// Writes what `in` begins with to `out`, in lower case and without white space (lower_compact_v1), up to the first code point that the
  /// loop does not know, which the caller handles. Room in `out`: size + kTextBlock. Null where there is no such instruction set.
  Folded (*lower_compact)(const char* in, size_t size, char* out);

  /// Writes the Unicode form of normalizer.h (the same for both kinds) of what `in` begins with to `out`: of ASCII, ideographs and the
  /// punctuation of Chinese. Stops before the first code point that it does not know, and before white space that `in` begins with, that is
  /// longer than a block, or that stands before such a code point or at the end: so the last code point read is not white space, and may
  /// still compose with a mark that follows. May also stop after a block that is all ASCII. Room in `out`: size + kTextBlock. Null where
  /// there is no such instruction set.
  Folded (*fold_chinese)(const char* in, size_t size, char* out);

  /// The tokens of the ASCII text that `in` begins with, runs of letters and digits: their bytes, each followed by a blank, to
  /// joined + at, and where each begins in `joined` to `starts`. A token that touches a byte that is not ASCII is not read; one at
  /// the end of `in` is. Room: joined + at + size + 2 * kTextBlock, starts[size / 2 + kTextBlock].
  WordRuns (*ascii_words)(const char* in, size_t size, char* joined, uint32_t at, uint32_t* starts);

  /// Writes the start of each code point of well-formed UTF-8; returns their number. Room: starts[size + kTextBlock].
  size_t (*code_point_starts)(const char* text, size_t size, uint32_t* starts);

  /// hashes[i] = XXH3-64 (seed 0) of the bytes from starts[i] to starts[i + shingle_size] of `text`, for as many groups of
  /// kShingleGroup shingles from the first one as have 4 to 16 bytes each; returns how many shingles that are.
  /// Null where there is no such instruction set. Readable: kShingleSlack bytes after the text.
  size_t (*hash_short_shingles)(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint64_t* hashes);

  /// The same for shingles whose last `separator` bytes do not count, for groups of 9 to 64 bytes each, at most 128 from the beginning of
  /// the first one to the end of the last.
  size_t (*hash_word_shingles)(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint32_t separator,
                               uint64_t* hashes);

  /// nibbles[i] = the upper four bits of lanes[2i] * factor, and above them those of lanes[2i + 1] * factor, both modulo 2^32. `count` is a
  /// multiple of kLaneBlock.
  void (*lane_nibbles)(const uint32_t* lanes, size_t count, uint32_t factor, uint8_t* nibbles);

  /// hashes[i] = XXH3-64 (seed 0) of words[i * row_words] and the words after it in memory, `row_words` in all, for as many rows from the
  /// first one as it supports; returns how many that are. Null where there is no such instruction set.
  size_t (*hash_rows)(const uint32_t* words, size_t rows, uint32_t row_words, uint64_t* hashes);

  /// Returns how many values that it passes are in both sets, and advances `sets` as far as whole vectors go, or until fewer than
  /// `required` values can be common to both. Null where it would not be faster than a scan value by value.
  uint64_t (*count_common)(SetScan& sets, uint64_t required);

  /// Counts, for every bit, the features that have it: bit i of levels[l] is bit l of counter i. Adds to the kCountLevels words of
  /// `levels`; the counters must not pass 2^40 - 1. With `second`, the features' second words are counted, see src/sketch/simhash.h.
  void (*simhash_count)(const uint64_t* features, size_t count, bool second, uint64_t* levels);

  /// Adds to sums[i] the weights of the features that have bit i, and to sums[64] all weights. A feature is kWeightedBytes. With
  /// `second`, it is the bits of the second word that count. At most 2^31 features in all.
  void (*simhash_weigh)(const void* features, size_t count, bool second, int64_t* sums);

  /// MD5 of kMd5Lanes messages of at most kMd5Bytes. `words` is six arrays of kMd5Lanes: words 0 to 4 of each padded block (the message,
  /// a byte 0x80, zeros) and the length in bits; `digests` receives four arrays, the words of the digests.
  void (*md5_short)(const uint32_t* words, uint32_t* digests);

  /// The first 8 bytes, lowest byte first, of the SHA-1 digests of kSha1Lanes messages of at most kSha1Bytes.
  void (*sha1_short)(const char* const* messages, const uint8_t* sizes, uint64_t* numbers);

  /// minima[i] = min(minima[i], permutation i of hashes[j]) for all j and i < lanes, a multiple of kLaneBlock. The permutations are those
  /// of src/sketch/compat/permutations.h: a h + b modulo 2^32, modulo 2^64, and modulo 2^61 - 1.
  void (*affine32)(const uint32_t* a, const uint32_t* b, const uint32_t* hashes, size_t count, uint32_t* minima, size_t lanes);
  void (*affine64)(const uint64_t* a, const uint64_t* b, const uint64_t* hashes, size_t count, uint64_t* minima, size_t lanes);
  void (*mersenne)(const uint64_t* a, const uint64_t* b, const uint64_t* hashes, size_t count, uint64_t* minima, size_t lanes);

  /// Bit i of the result: code i of kCodeBlock codes differs from the query in at most `radius` bits. Codes have 128 bits, or 64 if
  /// `high` is null; query_high does not matter then.
  uint64_t (*hamming_near)(const uint64_t* low, const uint64_t* high, uint64_t query_low, uint64_t query_high, uint32_t radius);

  /// Lists the codes of the runs that differ from their run's query in at most its radius bits, in order; returns how many. `wide`: of
  /// more than 8 bytes. Room in `matches`: the codes of all runs.
  size_t (*hamming_packed)(const PackedRun* runs, size_t count, bool wide, PackedMatch* matches);

  /// Writes where consecutive buckets begin, as KeyBuckets has it: the first one after `base` and the count before `counts`, the next one
  /// after `base` and the first count, and so on. Counts are of 1 or 2 bytes; the last one is where the last bucket ends. False, with
  /// unspecified output, when a bucket has more than `max_keys` (< 2^16) keys, or counts descend.
  bool (*bucket_starts)(const char* counts, uint32_t count_bytes, size_t buckets, uint32_t base, uint32_t lanes, uint32_t max_keys,
                        uint32_t* starts);

  /// Writes the keys of consecutive buckets, whose remainders (see PackedRun) are consecutive in `packed`, to their places in `buckets`,
  /// relative to the first one. The first bucket has the number `first`, of `width` bits (1 to 63). `high` is null for codes of 64 bits.
  /// Writes up to kKeySlack words after the last key.
  void (*unpack_keys)(const char* packed, uint32_t stride, const KeyBuckets& buckets, uint64_t first, uint32_t width, uint64_t* low,
                      uint64_t* high);

  /// Lists the pairs (a, b) of keys within the radius (< 128), by tiles of a, then tiles of b, then a, then b; returns how many. Room in
  /// `matches`: all pairs.
  size_t (*near_keys)(Keys a, uint32_t a_count, Keys b, uint32_t b_count, uint32_t radius, KeyMatch* matches);
  /// The same for the pairs a < b of one list.
  size_t (*near_own_keys)(Keys keys, uint32_t count, uint32_t radius, KeyMatch* matches);

  /// Lists the pairs within the radius of the keys *begin to end - 1 of meeting.a, each with its bucket, by a, then b; returns how many.
  /// Sets *begin to the first key that was not processed; it is before the end only when the next bucket might not fit. `room`: at least
  /// the keys of the largest bucket.
  size_t (*near_meeting)(const KeyMeeting& meeting, uint32_t* begin, uint32_t end, KeyMatch* matches, size_t room);

  /// Fills `out` for the positions of `codes`, and returns the number of prefixes. codes[size] is 0 (a gap: no slot has this label); the
  /// kJiebaSlack codes after it must be readable, with any contents.
  size_t (*jieba_words)(const JiebaTrie& trie, const uint16_t* codes, size_t size, const JiebaWords& out);

  /// Reads UTF-8 into the codes of its characters, code_of[code point], and where they begin: `offset` and on. "\r\n" is one character.
  /// Stops before the first character that is malformed, or has four bytes, or may be cut off at the end; and when there are
  /// `max_characters` characters or more. Room: max_characters + 2 * kJiebaSlack; readable: code_of[0x10000]. Characters of two bytes have
  /// the code 0. Null where there is no such instruction set.
  JiebaRead (*jieba_read)(const char* text, size_t size, uint32_t offset, const uint16_t* code_of, size_t max_characters, uint16_t* codes,
                          uint32_t* offsets);
};

/// The kernels in use; chosen once. Never fails: "baseline" always works.
const Kernels& kernels() noexcept;
/// All kernels that this processor can run, best last. `*count` receives their number. For tests.
const Kernels* const* available(size_t* count) noexcept;
/// Null, or a one-line message when NEARDUP_KERNELS asks for kernels that are not available.
const char* requested_kernels_error() noexcept;

}  // namespace neardup::kernels
