// StreamCutter: cuts a compressed stream into pieces, each of which seems to be whole members, so that several threads can decompress them.
//
// Where a member begins is only a guess (member_start.h): whoever decompresses a piece checks that the piece ends where its last member
// does. The stream is read in the steps of a decompressor of the whole stream, kStoredPieceBytes from its beginning on.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/bytes/buffer.h"
#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"

namespace neardup {

/// Consecutive members, as they are stored.
struct StoredPiece {
  enum class End { kCut, kStream, kUnknown };  ///< kCut: another member seems to follow; kUnknown: the piece goes on after `stored`

  uint64_t ordinal = 0;
  uint64_t offset = 0;  ///< in the stream
  End end = End::kUnknown;
  Buffer stored;
};

class StreamCutter {
 public:
  /// Cuts at the first place that is at least `min_piece_bytes` away; a piece without one ends, unfinished, once it has `max_piece_bytes`.
  /// A bzip2 stream, in which no place is found, is such a piece without bytes.
  StreamCutter(Compression compression, ByteStream& stream, size_t min_piece_bytes, size_t max_piece_bytes)
      : compression_(compression), stream_(stream), min_piece_bytes_(min_piece_bytes), max_piece_bytes_(max_piece_bytes) {}

  /// Fills in the next piece; after one whose end is not kCut there is none. Asks the StopScope of its thread before each read. Throws
  /// Error{kStopped} and the errors of the stream: then the piece has its ordinal and offset, and take_pending() has what was read.
  void cut(StoredPiece& piece);
  /// The bytes read that are in no piece; the rest of the stream follows them. Cut nothing afterwards.
  Buffer take_pending();

 private:
  void fill_pending();

  const Compression compression_;
  ByteStream& stream_;
  const size_t min_piece_bytes_;
  const size_t max_piece_bytes_;
  Buffer pending_;  // read, in no piece yet
  uint64_t pending_offset_ = 0;
  uint64_t next_ordinal_ = 0;
  bool stream_ended_ = false;
};

}  // namespace neardup
