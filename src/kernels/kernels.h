// Kernels: the hot loops, as plain C arrays in and out. The same source is compiled once per instruction set; the best one
// that this processor has is chosen at first use. All give the same bytes.
//
// The environment variable NEARDUP_KERNELS (baseline, avx2, avx512, avx512vbmi2) forces one. A name that is unknown, or that the processor
// lacks, is ignored by kernels() and reported by requested_kernels_error(), which every program edge checks.
// This folder includes nothing of ours, and the per-instruction-set units include only <cstddef>, <cstdint> and, whose functions are
// always inlined, <immintrin.h>: an inline function in such a unit could be picked by the linker for callers that must not use those
// instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::kernels {

/// MinHash lanes are processed in blocks of this many; lane counts are padded up to a multiple by the caller.
inline constexpr size_t kLaneBlock = 64;
/// The text loops work on blocks of this many bytes, and may write this many beyond what they say they wrote.
inline constexpr size_t kTextBlock = 64;
/// The shingle loops work on so many shingles at a time, and may read so many bytes beyond the last one.
inline constexpr size_t kShingleGroup = 8;
inline constexpr size_t kShingleSlack = 128;

struct Folded {
  size_t read;     ///< bytes dealt with: up to the first one that is not ASCII
  size_t written;  ///< bytes that they became
};

struct WordRuns {
  size_t read;      ///< bytes dealt with
  uint32_t tokens;  ///< tokens written
  uint32_t end;     ///< of the joined text
};
/// Levels of the bit-sliced counters of SimHash: they count to 2^40 - 1.
inline constexpr size_t kCountLevels = 40;
/// MD5 takes so many messages at once, each of at most kMd5Bytes.
inline constexpr size_t kMd5Lanes = 32;
inline constexpr size_t kMd5Bytes = 19;
/// Hamming distances are taken of so many codes at once.
inline constexpr size_t kCodeBlock = 64;

/// Codes that stand one after another, `stride` bytes each, lowest byte first, the unused bits of the last byte zero. Readable:
/// kPackedSlack bytes after the last one.
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
/// for codes of 64 bits. Readable, whatever stands there: kKeySlack words after the last one.
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
/// near_keys compares tiles of so many keys with one another.
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

/// The words of jieba's dictionary, see src/text/jieba/jieba_format.h and jieba_dictionary.h.
struct JiebaTrie {
  const uint32_t* first_bases;  ///< by code
  const double* first_weights;  ///< by code
  const uint16_t* labels;       ///< of the slots, by themselves: most steps fail, and these lie closer together. Readable: one more
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
  uint32_t* prefixes;      ///< where three characters are in the trie, ascending
  uint32_t* prefix_nodes;  ///< and their nodes
};
inline constexpr size_t kJiebaSlack = 64;

struct JiebaRead {
  size_t read;       ///< bytes dealt with
  size_t positions;  ///< characters that they are
};

struct Kernels {
  const char* name;

  /// signature[i] = min(signature[i], lane_hash(features[j], offsets[i])) for all j and i < padded_lanes.
  /// padded_lanes is a multiple of kLaneBlock. See src/sketch/minhash.h for lane_hash.
  void (*minhash_update)(const uint64_t* features, size_t count, const uint32_t* offsets, uint32_t* signature, size_t padded_lanes);

  /// Writes the ASCII text that `in` begins with to `out`, its letters in lower case, its white space (9-13, 28-32) as blanks; white
  /// space after white space is dropped, and so is the first one if `previous_white`. Room in `out`: size + kTextBlock.
  Folded (*fold_ascii)(const char* in, size_t size, char* out, bool previous_white);

  /// Writes what `in` begins with to `out`, in lower case and without white space (lower_compact_v1), as far as it is made of code points
  /// that the loop knows; the caller deals with the next one. Room in `out`: size + kTextBlock. Null where there is no such instruction
  /// set.
  Folded (*lower_compact)(const char* in, size_t size, char* out);

  /// The tokens of the ASCII text that `in` begins with, runs of letters and digits: their bytes, each followed by a blank, to
  /// joined + at, and where each begins in `joined` to `starts`. A token that touches a byte that is not ASCII is not read; one at
  /// the end of `in` is. Room: joined + at + size + 2 * kTextBlock, starts[size / 2 + kTextBlock].
  WordRuns (*ascii_words)(const char* in, size_t size, char* joined, uint32_t at, uint32_t* starts);

  /// Where each code point of well-formed UTF-8 begins; returns how many. Room: starts[size + kTextBlock].
  size_t (*code_point_starts)(const char* text, size_t size, uint32_t* starts);

  /// hashes[i] = XXH3-64 (seed 0) of the bytes from starts[i] to starts[i + shingle_size] of `text`, for as many groups of
  /// kShingleGroup shingles from the first one as have 4 to 16 bytes each; returns how many shingles that are.
  /// Null where there is no such instruction set. Readable: kShingleSlack bytes after the text.
  size_t (*hash_short_shingles)(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint64_t* hashes);

  /// The same for shingles whose last `separator` bytes do not count, for groups of 9 to 64 bytes each, at most 128 from the beginning of
  /// the first one to the end of the last.
  size_t (*hash_word_shingles)(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint32_t separator,
                               uint64_t* hashes);

  /// Counts, for every bit, the features that have it: bit i of levels[l] is bit l of counter i. Adds to the kCountLevels words of
  /// `levels`; the counters must not pass 2^40 - 1. With `second`, the features' second words are counted, see src/sketch/simhash.h.
  void (*simhash_count)(const uint64_t* features, size_t count, bool second, uint64_t* levels);

  /// Adds to sums[i] the weights of the features that have bit i, and to sums[64] all weights. A feature is 16 bytes: the hash (u64),
  /// the weight (i32), 4 unused. With `second`, it is the bits of the second word that count. At most 2^31 features in all.
  void (*simhash_weigh)(const void* features, size_t count, bool second, int64_t* sums);

  /// MD5 of kMd5Lanes messages of at most kMd5Bytes. `words` is six arrays of kMd5Lanes: words 0 to 4 of each padded block (the message,
  /// a byte 0x80, zeros) and the length in bits; `digests` receives four arrays, the words of the digests.
  void (*md5_short)(const uint32_t* words, uint32_t* digests);

  /// Bit i of the result: code i of kCodeBlock codes differs from the query in at most `radius` bits. Codes have 128 bits, or 64 if
  /// `high` is null; query_high does not matter then.
  uint64_t (*hamming_near)(const uint64_t* low, const uint64_t* high, uint64_t query_low, uint64_t query_high, uint32_t radius);

  /// Lists the codes of the runs that differ from their run's query in at most its radius bits, in order; returns how many. `wide`: of
  /// more than 8 bytes. Room in `matches`: the codes of all runs.
  size_t (*hamming_packed)(const PackedRun* runs, size_t count, bool wide, PackedMatch* matches);

  /// Writes where consecutive buckets begin, as KeyBuckets has it: the first one after `base` and the count before `counts`, the next one
  /// after `base` and the first count, and so on. Counts are of 1 or 2 bytes; the last one is where the last bucket ends. False, and no
  /// use of what was written, when a bucket has more than `most` (< 2^16) keys, or counts descend.
  bool (*bucket_starts)(const char* counts, uint32_t count_bytes, size_t buckets, uint32_t base, uint32_t lanes, uint32_t most,
                        uint32_t* starts);

  /// Writes the keys of consecutive buckets whose remainders (see PackedRun) stand one after another in `packed`, to the places that
  /// `buckets` says, less that of the first one. The first bucket has the number `first`, of `width` bits (1 to 63). `high` is null for
  /// codes of 64 bits. Writes up to kKeySlack words after the last key.
  void (*unpack_keys)(const char* packed, uint32_t stride, const KeyBuckets& buckets, uint64_t first, uint32_t width, uint64_t* low,
                      uint64_t* high);

  /// Lists the pairs (a, b) of keys within the radius (< 128), by tiles of a, then tiles of b, then a, then b; returns how many. Room in
  /// `matches`: all pairs.
  size_t (*near_keys)(Keys a, uint32_t a_count, Keys b, uint32_t b_count, uint32_t radius, KeyMatch* matches);
  /// The same for the pairs a < b of one list.
  size_t (*near_own_keys)(Keys keys, uint32_t count, uint32_t radius, KeyMatch* matches);

  /// Lists the pairs within the radius of the keys *begin to end - 1 of meeting.a, each with its bucket, by a, then b; returns how many.
  /// Sets *begin to the first key that it did not look at, before the end only when the next one's bucket might find no room. `room`: at
  /// least the keys of the largest bucket.
  size_t (*near_meeting)(const KeyMeeting& meeting, uint32_t* begin, uint32_t end, KeyMatch* matches, size_t room);

  /// Fills `out` for the positions of `codes`, and returns the number of prefixes. codes[size] is 0 (a gap: no slot has this label);
  /// readable are the kJiebaSlack codes after it, whatever they are.
  size_t (*jieba_words)(const JiebaTrie& trie, const uint16_t* codes, size_t size, const JiebaWords& out);

  /// Reads UTF-8 into the codes of its characters, code_of[code point], and where they begin: `offset` and on. "\r\n" is one character.
  /// Stops before the first character that is malformed, or has four bytes, or may be cut off at the end; and when there are `most`
  /// characters or more. Room: most + 2 * kJiebaSlack; readable: code_of[0x10000]. Characters of two bytes have the code 0. Null where
  /// there is no such instruction set.
  JiebaRead (*jieba_read)(const char* text, size_t size, uint32_t offset, const uint16_t* code_of, size_t most, uint16_t* codes,
                          uint32_t* offsets);
};

/// The kernels in use; chosen once. Never fails: "baseline" always works.
const Kernels& kernels() noexcept;
/// All kernels that this processor can run, best last. `*count` receives their number. For tests.
const Kernels* const* available(size_t* count) noexcept;
/// Null, or a one-line message when NEARDUP_KERNELS asks for something that cannot be had.
const char* requested_kernels_error() noexcept;

}  // namespace neardup::kernels
