// LogBatch: entries that are written together. LogScan: reads the batches of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "online/log/log_format.h"
#include "online/log/stored_document.h"

namespace neardup {

class LogBatch {
 public:
  LogBatch() { clear(); }

  /// Returns the number of the document in this batch.
  size_t put(const StoredDocument& document);
  void put(const StoreEvent& event);
  void put(const LogState& state);
  [[nodiscard]] bool empty() const noexcept { return entries_ == 0; }
  [[nodiscard]] size_t bytes() const noexcept { return bytes_.size(); }
  void clear();

  /// Completes it. The bytes are valid until the next change.
  /// `offset`: of the file where it will be written. Throws Error{kResource} beyond the offsets that a place can hold.
  std::string_view seal(uint64_t begin, uint64_t end, uint64_t durable, uint64_t file, uint64_t offset);
  /// Where a document is, in a batch that is written at `offset` of a file.
  [[nodiscard]] RecordPlace place(size_t document, uint64_t file, uint64_t offset) const noexcept {
    return RecordPlace::at(file, offset + documents_[document].offset, documents_[document].bytes);
  }

 private:
  struct Put {
    uint64_t offset;
    uint32_t bytes;
  };
  template <typename Write>
  Put put_entry(log_format::Entry kind, const Write& write);

  std::string bytes_;  // from the head on
  uint32_t entries_ = 0;
  std::vector<Put> documents_;
};

/// What a scan finds. Null functions skip the entries.
struct LogVisitor {
  std::function<void(const StoredDocument& document, const RecordPlace& place)> document;
  std::function<void(const StoreEvent& event)> event;
  std::function<void(const LogState& state)> state;
};

/// Scans a file from its beginning. For one thread.
class LogScan {
 public:
  /// Throws Error{kInput} when it is not a log file of this version and number.
  LogScan(const std::string& path, uint64_t number);

  [[nodiscard]] uint64_t begin() const noexcept { return head_.begin; }
  /// Visits all sound batches from the beginning on. Then good() says how far they reach. Throws Error{kInput} when an entry of a sound
  /// batch is not valid.
  void visit(const LogVisitor& visitor);
  /// The end of the last sound batch, in bytes and as a sequence. After visit().
  [[nodiscard]] uint64_t good_bytes() const noexcept { return at_; }
  [[nodiscard]] uint64_t good_end() const noexcept { return end_; }
  [[nodiscard]] uint64_t file_bytes() const noexcept { return bytes_.size(); }
  /// Throws Error{kInput} if what follows the sound batches is damage, and not the torn end that a power loss leaves: a later batch shows
  /// that it was on the disk.
  void require_torn() const;
  /// Throws Error{kInput} if anything follows the sound batches.
  void require_whole() const;

 private:
  [[nodiscard]] std::optional<log_format::BatchHead> batch_at(uint64_t at) const;
  [[noreturn]] void fail(uint64_t at, const std::string& what) const;
  void visit_entries(std::string_view entries, uint64_t at, const log_format::BatchHead& head, const LogVisitor& visitor) const;

  const std::string path_;
  const uint64_t number_;
  MappedFile file_;
  std::string_view bytes_;
  log_format::FileHead head_{};
  uint64_t at_ = 0;
  uint64_t end_ = 0;
};

/// The bytes of the head of a file.
std::string log_file_head(uint64_t number, uint64_t begin);

}  // namespace neardup
