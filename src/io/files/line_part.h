// LinePart: one pass over one JSON Lines file, batch by batch. Two kinds: plain files are cut and read in parallel, everything else
// (compressed, standard input) flows through one stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/bytes/byte_stream.h"
#include "io/bytes/input_file.h"
#include "io/files/content.h"
#include "io/files/line_batch.h"
#include "neardup/source.h"

namespace neardup {

class LinePart {
 public:
  virtual ~LinePart() = default;
  /// The next batch, or null at the end of the file. Throws Error{kInput}.
  virtual std::unique_ptr<Batch> next() = 0;
};

/// A plain regular file: next() only searches for line ends near the cuts, and Batch::read() reads. The batches do not depend on the
/// machine: each is about batch_bytes, or one longer record.
std::unique_ptr<LinePart> make_plain_lines(const std::string& path, const FileStamp& stamp, uint32_t source, LineContext& context);

/// How a stream is decompressed: by next() itself, for its first records or a small file, or ahead of it in other threads (read_ahead.h).
enum class Decompress : uint8_t { kInNext, kAhead };

/// Any stream of lines, or of a JSON document, which is read as lines. next() takes the decompressed bytes of a batch and completes its
/// last line. The stream must outlive the part, and be at its beginning. The batches are the same for both kinds of decompression.
std::unique_ptr<LinePart> make_stream_lines(ByteStream& stream, Content content, uint32_t source, LineContext& context,
                                            Decompress decompress = Decompress::kInNext);

}  // namespace neardup
