// Kernels: the hot loops, as plain C arrays in and out. The same source is compiled once per instruction set; the best one
// that this processor has is chosen at first use. All give the same bytes.
//
// The environment variable NEARDUP_KERNELS (baseline, avx2, avx512, avx512vbmi2) forces one. A name that is unknown, or that the processor
// lacks, is ignored by kernels() and reported by requested_kernels_error(), which every program edge checks.
// This folder includes nothing of ours, and the per-instruction-set units include only <cstddef> and <cstdint>: an inline
// function in such a unit could be picked by the linker for callers that must not use those instructions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace neardup::kernels {

/// MinHash lanes are processed in blocks of this many; lane counts are padded up to a multiple by the caller.
inline constexpr size_t kLaneBlock = 64;
/// The text loops work on blocks of this many bytes, and may write this many beyond what they say they wrote.
inline constexpr size_t kTextBlock = 64;
/// hash_short_shingles works on so many shingles at a time, and may read so many bytes beyond the last one.
inline constexpr size_t kShingleGroup = 8;
inline constexpr size_t kShingleSlack = 64;

struct Folded {
  size_t read;     ///< bytes dealt with: up to the first one that is not ASCII
  size_t written;  ///< bytes that they became
};

struct WordRuns {
  size_t read;      ///< bytes dealt with
  uint32_t tokens;  ///< tokens written
  uint32_t end;     ///< of the joined text
};

struct Kernels {
  const char* name;

  /// signature[i] = min(signature[i], lane_hash(features[j], offsets[i])) for all j and i < padded_lanes.
  /// padded_lanes is a multiple of kLaneBlock. See src/sketch/minhash.h for lane_hash.
  void (*minhash_update)(const uint64_t* features, size_t count, const uint32_t* offsets, uint32_t* signature, size_t padded_lanes);

  /// Writes the ASCII text that `in` begins with to `out`, its letters in lower case, its white space (9-13, 28-32) as blanks; white
  /// space after white space is dropped, and so is the first one if `previous_white`. Room in `out`: size + kTextBlock.
  Folded (*fold_ascii)(const char* in, size_t size, char* out, bool previous_white);

  /// The tokens of the ASCII text that `in` begins with, runs of letters and digits: their bytes, each followed by a blank, to
  /// joined + at, and where each begins in `joined` to `starts`. A token that touches a byte that is not ASCII is not read; one at
  /// the end of `in` is. Room: joined + at + size + 2 * kTextBlock, starts[size / 2 + kTextBlock].
  WordRuns (*ascii_words)(const char* in, size_t size, char* joined, uint32_t at, uint32_t* starts);

  /// Where each code point of well-formed UTF-8 begins; returns how many. Room: starts[size + kTextBlock].
  size_t (*code_point_starts)(const char* text, size_t size, uint32_t* starts);

  /// hashes[i] = XXH3-64 (seed 0) of the bytes from starts[i] to starts[i + shingle_size] of `text`, for as many groups of
  /// kShingleGroup shingles from the first one as have 4 to 8 bytes each, or 9 to 16 each; returns how many shingles that are.
  /// Null where there is no such instruction set. Readable: kShingleSlack bytes behind the text.
  size_t (*hash_short_shingles)(const char* text, const uint32_t* starts, size_t shingles, uint32_t shingle_size, uint64_t* hashes);
};

/// The kernels in use; chosen once. Never fails: "baseline" always works.
const Kernels& kernels() noexcept;
/// All kernels that this processor can run, best last. `*count` receives their number. For tests.
const Kernels* const* available(size_t* count) noexcept;
/// Null, or a one-line message when NEARDUP_KERNELS asks for something that cannot be had.
const char* requested_kernels_error() noexcept;

}  // namespace neardup::kernels
