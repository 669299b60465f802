// Data that may not fit in memory: kept in memory up to a bound, and beyond it in an unnamed temporary file (temp_file.h).
//
//   SpillFile     a stream of bytes: appended one after the other, then looked at as a whole or handed to a sink; a bound of 0 is none
//   SpillBlocks   blocks of bytes: appended one after the other, then read one by one, in any order; with a bound of 0 all are in the file
//
// Filled by one thread. Of a SpillFile, bytes(), values() and move_to() belong to the filling thread too; what they return may be read by
// any number. SpillBlocks may be read by any number of threads afterwards.
//
// append() throws Error{kOutput} when the disk is full, naming the folder and the bytes written, and that of a SpillFile Error{kResource}
// when the system has no more memory; after that, the object may only be destroyed. For the folder see temp_folder().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_sink.h"
#include "base/page_buffer.h"
#include "base/temp_file.h"

namespace neardup {

class SpillFile final : public ByteSink {
 public:
  /// `memory_bytes` 0: no bound.
  explicit SpillFile(uint64_t memory_bytes = 0, std::string temp_dir = {}) : memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)) {}

  /// Call it before the first append(): creates the file now, for everything, so that an unusable folder is an error at once. Throws
  /// Error{kOutput}.
  void start_file() {
    if (!file_) file_.emplace(temp_dir_);
  }
  void append(std::string_view bytes) override {
    if (memory_bytes_ != 0 && waiting_.size() + bytes.size() > memory_bytes_) spill();
    waiting_.append(bytes);
  }
  template <typename T>
  void add(const T& value) {
    append({reinterpret_cast<const char*>(&value), sizeof value});
  }
  [[nodiscard]] uint64_t size() const noexcept override { return spilled_bytes() + waiting_.size(); }
  /// Bytes in memory; bytes in the file.
  [[nodiscard]] uint64_t waiting_bytes() const noexcept { return waiting_.size(); }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return file_ ? file_->size() : 0; }

  /// Returns everything appended, in memory or mapped. Append nothing afterwards. Throws as append(), and Error{kResource} when the file
  /// cannot be mapped.
  std::string_view bytes();
  /// The same as an array of what add() was given.
  template <typename T>
  std::span<const T> values() {
    const std::string_view all = bytes();
    return {reinterpret_cast<const T*>(all.data()), all.size() / sizeof(T)};
  }
  /// Appends everything to `sink` and frees it, file and memory: results of bytes() become invalid, and this can be filled again. Throws
  /// Error{kInput} when the file cannot be read, and the errors of the sink, such as Error{kResource}.
  void move_to(ByteSink& sink);

 private:
  void spill();

  uint64_t memory_bytes_;
  std::string temp_dir_;
  PageBuffer waiting_;            // follows the bytes of the file
  std::optional<TempFile> file_;  // once the bound was passed
  std::optional<TempMapping> mapping_;
};

class SpillBlocks {
 public:
  using Block = std::vector<uint8_t>;

  SpillBlocks(uint64_t memory_bytes, std::string temp_dir) : memory_bytes_(memory_bytes), temp_dir_(std::move(temp_dir)) {}

  /// None, with the same bound and folder.
  [[nodiscard]] SpillBlocks empty_like() const { return {memory_bytes_, temp_dir_}; }

  /// Keeps a block in memory if it fits into the remaining budget; otherwise writes it to the file.
  void append(Block block);

  [[nodiscard]] size_t count() const noexcept { return blocks_.size(); }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept { return file_ ? file_->size() : 0; }

  /// Bytes of a block, in `space` if they had to be read. Throws Error{kInput} when the file cannot be read.
  std::span<const uint8_t> read(size_t block, uint64_t begin, size_t bytes, Block& space) const;
  /// Frees the block's memory; the bound still counts it. It must not be read again.
  void forget(size_t block) noexcept { Block().swap(blocks_[block].bytes); }

 private:
  struct Stored {
    Block bytes;  // empty when spilled
    uint64_t offset = 0;
    bool spilled = false;
  };
  void spill(const Block& block);

  uint64_t memory_bytes_;
  uint64_t used_bytes_ = 0;
  std::string temp_dir_;
  std::vector<Stored> blocks_;
  std::optional<TempFile> file_;  // once a block did not fit
};

}  // namespace neardup
