// Kernels: the hot loops, as plain C arrays in and out. The same source is compiled once per instruction set; the best one
// that this processor has is chosen at first use. All give the same bytes.
//
// The environment variable NEARDUP_KERNELS (baseline, avx2, avx512) forces one. A name that is unknown, or that the processor
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
/// The text masks work on blocks of this many bytes.
inline constexpr size_t kTextBlock = 64;
/// Levels of the bit-sliced counters of SimHash: they count to 2^40 - 1.
inline constexpr size_t kCountLevels = 40;
/// MD5 takes so many messages at once, each of at most kMd5Bytes.
inline constexpr size_t kMd5Lanes = 32;
inline constexpr size_t kMd5Bytes = 19;
/// Hamming distances are taken of so many codes at once.
inline constexpr size_t kCodeBlock = 64;

struct Kernels {
  const char* name;

  /// signature[i] = min(signature[i], lane_hash(features[j], offsets[i])) for all j and i < padded_lanes.
  /// padded_lanes is a multiple of kLaneBlock. See src/sketch/minhash.h for lane_hash.
  void (*minhash_update)(const uint64_t* features, size_t count, const uint32_t* offsets, uint32_t* signature, size_t padded_lanes);

  /// Writes a 64-byte block to `out` with its ASCII letters in lower case and its ASCII white space (9-13, 28-32) as blanks, and
  /// sets in *special one bit per byte (bit i = byte i) that needs a closer look: not ASCII, or white space after white space.
  /// `previous_white` says whether the byte before the block was white space.
  void (*fold_ascii_block)(const char* in, char* out, bool previous_white, uint64_t* special);

  /// For a 64-byte block, one bit per byte: *word = ASCII letter or digit, *wide = byte >= 0x80.
  void (*word_masks)(const char* in, uint64_t* word, uint64_t* wide);

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
};

/// The kernels in use; chosen once. Never fails: "baseline" always works.
const Kernels& kernels() noexcept;
/// All kernels that this processor can run, best last. `*count` receives their number. For tests.
const Kernels* const* available(size_t* count) noexcept;
/// Null, or a one-line message when NEARDUP_KERNELS asks for something that cannot be had.
const char* requested_kernels_error() noexcept;

}  // namespace neardup::kernels
