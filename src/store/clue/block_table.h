// BlockTable: records of any bytes by number, compressed in blocks. block_table_writer.h writes them.
//
// A block is one zstd frame of about 5 KB of records, so reading a record decompresses about that much; a scratch keeps the last block, so
// records read in ascending order decompress each block once. A record of more than kLongRecord bytes has a block of its own.
//
// The table is a range of bytes: the blocks one after the other, zeros to a multiple of 8, the number of the first record of each block,
// the offset of each block (both packed_numbers.h, with the end as a last one), and a trailer. In a block, before compression: the length
// of each record but the last (LEB128: 7 bits a byte, lowest first, the top bit set if more follow), then their bytes.
//
// The view trusts nothing: the guard verifies bytes before they count, every value is checked, and a block is decompressed only into the
// size that it states, which is bounded. Damage is an Error{kInput} "NAME: ...". Immutable, shared by threads; a scratch belongs to one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/block_guard.h"
#include "base/raw_vector.h"
#include "store/clue/packed_numbers.h"

namespace neardup {
namespace block_table {

inline constexpr size_t kLongRecord = size_t{6} << 10;
/// A block ends when its records have this many bytes with their lengths, or earlier, where a hash of the last record says so:
/// block_ends().
inline constexpr size_t kFullBlock = size_t{6} << 10;
inline constexpr size_t kMinBlock = size_t{3} << 10;
/// Of a block of several records, before compression. Readers allow more than writers make, so that the sizes above can change.
inline constexpr size_t kMaxBlock = (size_t{32} << 10) + 8;
static_assert(kMaxBlock >= kFullBlock + kLongRecord + 8);

struct Trailer {
  uint64_t records = 0;
  uint64_t blocks = 0;
  uint64_t block_bytes = 0;  // of all blocks
};
static_assert(sizeof(Trailer) == 24);

}  // namespace block_table

class BlockTable {
 public:
  static constexpr uint32_t kMaxRecords = 0xFFFF'FFFE;

  /// What reading needs besides the table. May be used for several tables, one after the other.
  class Scratch {
   public:
    Scratch();
    ~Scratch();
    Scratch(Scratch&&) noexcept;
    Scratch& operator=(Scratch&&) noexcept;

   private:
    friend class BlockTable;
    struct Decompressor;
    std::unique_ptr<Decompressor> decompressor_;
    uint64_t table_ = 0;  // whose block this is; 0: none
    uint64_t first_ = 0;  // record of the block
    RawVector<char> bytes_;
    RawVector<uint32_t> ends_;  // of the records in bytes_
    uint32_t begin_ = 0;        // of the first one
  };

  /// `bytes` outlive the view, as the guard does, which may be null. `name` begins messages, such as "'FILE': the texts".
  BlockTable(std::string_view bytes, const BlockGuard* guard, std::string name);

  [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(trailer_.records); }
  /// Of record < size(). Valid until the next use of the scratch.
  [[nodiscard]] std::string_view view(uint32_t record, Scratch& scratch) const;
  /// A copy.
  void read(uint32_t record, std::string& out, Scratch& scratch) const;
  /// The bytes of the table that read() of this record needs, without the directory.
  [[nodiscard]] std::string_view bytes_of(uint32_t record) const { return block(block_of(record)).bytes; }

  // For copying blocks, and for whole scans on several threads.

  struct Block {
    uint32_t first = 0;  ///< record
    uint32_t end = 0;
    std::string_view bytes;  ///< compressed; not verified
  };
  [[nodiscard]] uint64_t blocks() const noexcept { return trailer_.blocks; }
  /// Of i < blocks().
  [[nodiscard]] Block block(uint64_t i) const;
  /// The block that has the record.
  [[nodiscard]] uint64_t block_of(uint32_t record) const;
  /// True if a writer that gets the records of the block after the end of another block makes the same block, whatever follows.
  [[nodiscard]] bool stands_alone(uint64_t i) const;
  /// Reads all blocks: throws unless view() of every record works.
  void verify(uint32_t threads) const;
  /// Verifies the bytes of a block.
  void check(const Block& block) const {
    if (guard_ != nullptr) guard_->check(block.bytes.data(), block.bytes.size());
  }

 private:
  [[noreturn]] void refuse() const;
  [[noreturn]] void refuse_block(uint64_t i) const;
  /// Of a block that is verified.
  [[nodiscard]] uint64_t raw_bytes(uint64_t i, const Block& block) const;
  void decompress(uint64_t i, const Block& block, Scratch& scratch, char* to, size_t bytes) const;
  void load(uint64_t i, Scratch& scratch) const;

  std::string_view bytes_;
  const BlockGuard* guard_;
  std::string name_;
  uint64_t number_;  // of this view among all of the process: addresses are used again
  block_table::Trailer trailer_;
  PackedNumbers firsts_;
  PackedNumbers offsets_;
};

}  // namespace neardup
