// LineContext and visit_lines(): shared by all batches of JSON Lines, from any input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/bytes/buffer.h"
#include "io/json/json_record.h"
#include "neardup/io.h"
#include "neardup/source.h"

namespace neardup {

/// Lives as long as the source; its batches borrow from it and must not outlive it.
struct LineContext {
  RecordFields fields;
  uint64_t max_record_bytes;
  uint64_t batch_bytes;
  std::string temp_dir;
  uint64_t read_ahead_bytes;  // for decompressing ahead; 0: its own bound
  bool once;                  // SourceOptions::once
  Pool<Buffer> buffers;
  Pool<RecordParser> parsers;

  explicit LineContext(const SourceOptions& options);
  std::unique_ptr<Buffer> take_buffer();
  /// Returns the buffer to the pool unless one long record made it grow.
  void return_buffer(std::unique_ptr<Buffer> buffer);
};

struct LineCount {
  uint32_t records = 0;
  uint64_t rows = 0;
};

/// Visits the records of `bytes`, which are followed by readable padding. Only '\n' ends a line, the last line may lack it. Lines of
/// white space are rows, not records. A line longer than the limit is a rejected record.
/// `offset`: where `bytes` begins in the source, for Record::offset. `known`: as Batch::expect_known_records() says.
/// If `damage` is not empty, the bytes after the last '\n' (perhaps none) are one rejected record with this problem.
LineCount visit_lines(LineContext& context, uint32_t source, std::string_view bytes, std::string_view damage, Batch::Need need,
                      const Batch::Filter& wanted, const Batch::Visitor& visit, std::optional<uint64_t> offset = {}, bool known = false);

/// Visits one record that is too long, or else rejected for `damage`. Not for parsing: `raw` may be a mapped file.
LineCount visit_long_line(const LineContext& context, uint32_t source, std::string_view raw, std::string_view damage,
                          const Batch::Filter& wanted, const Batch::Visitor& visit);

}  // namespace neardup
