// make_read_ahead(): a Decompressor whose bytes are decompressed ahead of the reader, in background threads.
//
// Files of several gzip members or zstd frames (bgzip, pzstd, concatenated files) are decompressed by several threads at the same time;
// every other file by one, or with fewer than 4 threads by the reader itself. The bytes, the damage and, at the end, consumed_bytes() are
// those of make_decompressor(), for any bytes and any number of threads. Before the end consumed_bytes() counts what the bytes given so far
// were made of, in larger steps.
//
// The stream is cut where a member seems to begin. Each piece is decompressed on its own, and its bytes are given only after all pieces
// before it ended without damage exactly at their cuts. From the first piece that does not, one serial decompressor reads on to the end.
//
// read() is for one thread. Errors of the stream are rethrown by it, where the reader reaches them; it asks the StopScope of its thread
// while it waits. The destructor waits until the threads have ended, at most for one read of the stream and one block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/bytes/decompress.h"

namespace neardup {

/// They bound memory, and do not change the bytes.
struct ReadAheadLimits {
  uint32_t threads = 0;                 ///< 0: one per core, at most 16, and as many as max_held_bytes has 12 MiB for
  size_t min_piece_bytes = 512u << 10;  ///< of the stream; smaller members are taken together
  size_t max_piece_bytes = 16u << 20;   ///< without a cut until there, the rest is decompressed serially
  size_t block_bytes = 1u << 20;        ///< of decompressed data, passed from thread to thread
  size_t max_queue_bytes = 8u << 20;    ///< decompressed data of the piece that is being given
  size_t max_held_bytes = 0;            ///< stored and decompressed bytes in all pieces: no further piece, or block of a later one.
                                        ///< At most 12 MiB per thread, or 32 MiB; 0: that much
};

/// As make_decompressor(); only the background threads use the stream until the decompressor is destroyed. Where the system gives no
/// thread, and for uncompressed data, it is make_decompressor().
std::unique_ptr<Decompressor> make_read_ahead(Compression compression, ByteStream& stream, const ReadAheadLimits& limits = {});

}  // namespace neardup
