// BlockTableWriter: writes a BlockTable (block_table.h) front to back.
//
// Where a block ends depends on its own records only, and mostly on a hash of the last one. So after a record was inserted or removed, the
// blocks that follow are soon the same again, and append() copies them from the old table without decompressing them: the bytes are those
// that the records give when they are added one by one. The bytes depend on the sequence of records only, not on threads.
//
// Memory: some MB, and what one record needs when it is longer. Throws the errors of the sink.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_sink.h"
#include "base/spill_file.h"
#include "store/clue/block_table.h"

namespace neardup {

class BlockTableWriter {
 public:
  /// The table begins at the end of `sink`. Blocks are compressed by `threads` threads, which run in calls only.
  BlockTableWriter(ByteSink& sink, uint32_t threads, const std::string& temp_dir);
  ~BlockTableWriter();
  BlockTableWriter(const BlockTableWriter&) = delete;
  BlockTableWriter& operator=(const BlockTableWriter&) = delete;

  /// At most limits::kMaxTextBytes; at most BlockTable::kMaxRecords records.
  void add(std::string_view record);
  /// Adds records [begin, end) of another table.
  void append(const BlockTable& table, uint32_t begin, uint32_t end, BlockTable::Scratch& scratch);
  [[nodiscard]] uint32_t records() const noexcept { return static_cast<uint32_t>(records_); }
  /// Blocks that append() copied.
  [[nodiscard]] uint64_t copied_blocks() const noexcept { return copied_blocks_; }
  /// Writes the rest. Nothing may be added afterwards.
  void finish();
  /// Bytes of the table. After finish().
  [[nodiscard]] uint64_t bytes() const noexcept { return bytes_; }

 private:
  struct Compressor;
  // A block that waits to be compressed and written.
  struct Block {
    std::string raw;         // empty if it was copied
    std::string compressed;  // the result
    uint64_t first = 0;      // record
  };

  void end_block();
  void wait(Block block);
  void write_waiting();
  void compress(Block& block, Compressor& compressor) const;
  void put(std::string_view bytes);

  ByteSink& sink_;
  std::vector<std::unique_ptr<Compressor>> compressors_;  // one for each thread
  // The current block: records, the lengths of all but the last, and what they count.
  std::string lengths_;
  std::string texts_;
  uint64_t last_length_ = 0;
  uint64_t block_records_ = 0;
  uint64_t block_size_ = 0;

  std::vector<Block> waiting_;
  uint64_t waiting_bytes_ = 0;
  SpillFile directory_;  // of each block {first record, offset}
  uint64_t records_ = 0;
  uint64_t blocks_ = 0;
  uint64_t copied_blocks_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace neardup
