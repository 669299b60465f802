// RecordLog: the record of truth of an online store: every kept document, deletion and renewal, in the order in which they were decided.
//
//   MANIFEST         the settings of the store and the list of files: a segment file of the kind "log"; it appears by rename
//   log-000001.ndl   log_format.h; only the last file of the list grows
//
// A file ends when rows are frozen (rotate()); the next one begins with the state that rows do not say. So a store is opened by its tables
// and the last files. copy() makes one file of all that is left, without what was deleted.
//
// write() reaches the operating system, sync() the disk. After one of them failed, both throw until the log is opened again: what is on the
// disk is unknown until then. Thread rule: read() and sync() from any number of threads; write() and rotate() by one at a time, copies by
// one at a time, next to them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/open_file.h"
#include "online/log/log_batch.h"
#include "online/log/log_format.h"

namespace neardup {

class RecordLog {
 public:
  enum class Access { kRead, kWrite };

  /// A new log without entries. Throws Error{kOutput}.
  static void create(const std::string& folder, const std::string& settings);
  /// Reads the manifest and opens the files. Throws Error{kInput}.
  RecordLog(std::string folder, Access access);
  RecordLog(const RecordLog&) = delete;
  RecordLog& operator=(const RecordLog&) = delete;

  [[nodiscard]] const std::string& settings() const noexcept { return settings_; }

  /// Visits the batches from the file on that has the sequence `from`, and before that its state; call it once, before all below. A torn
  /// end is cut off, when the log is open for writing. Throws Error{kInput} for damage, and if the log ends before `from`.
  void replay(uint64_t from, const LogVisitor& visitor);
  [[nodiscard]] uint64_t active_bytes() const noexcept { return at_; }
  /// All sequences below it are in the log.
  [[nodiscard]] uint64_t end() const noexcept { return end_; }

  /// Throws Error{kOutput}. Then places of its documents are place(batch, document).
  void write(LogBatch& batch, uint64_t end, uint64_t durable);
  [[nodiscard]] RecordPlace place(const LogBatch& batch, size_t document) const noexcept {
    return batch.place(document, active_->number, batch_at_);
  }
  /// Throws Error{kOutput}.
  void sync();
  /// Begins the next file. Everything must be on the disk. Throws Error{kOutput}.
  void rotate(const LogState& state);

  struct Space {
    std::string bytes;
  };
  /// The document at a place, valid until the next call with the space. Throws Error{kInput} that names the file and the byte.
  StoredDocument read(const RecordPlace& place, Space& space) const;
  [[nodiscard]] std::string name_of(const RecordPlace& place) const;

  /// A file that is to replace the earlier ones. Removed unless it is installed.
  class Copy {
   public:
    Copy(RecordLog& log, uint64_t number);
    ~Copy();
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    /// In ascending order of sequences. Throws Error{kOutput}.
    RecordPlace add(const StoredDocument& document);

   private:
    friend class RecordLog;
    void flush(uint64_t end);

    RecordLog& log_;
    const uint64_t number_;
    const std::string path_;
    FileDescriptor file_;
    uint64_t at_ = 0;   // written
    uint64_t end_ = 0;  // sequences written
    uint64_t last_ = 0;
    LogBatch batch_;
    bool installed_ = false;
  };
  [[nodiscard]] std::unique_ptr<Copy> copy();
  /// The copy has all documents below `end`, with which a file begins. It replaces the files before that one, which can be read until
  /// drop_replaced(). Throws Error{kOutput}.
  void install(Copy& copy, uint64_t end);
  void drop_replaced();

  /// Reads and visits every file. Throws Error{kInput}.
  void verify(const LogVisitor& visitor) const;
  /// Throws Error{kOutput}.
  void copy_to(const std::string& folder) const;
  [[nodiscard]] uint64_t disk_bytes() const;

 private:
  struct LogFile {
    uint64_t number = 0;
    uint64_t begin = 0;
    std::string path;
    FileDescriptor file;
  };
  using LogFilePointer = std::shared_ptr<const LogFile>;

  [[nodiscard]] std::string path_of(uint64_t number) const;
  [[nodiscard]] LogFilePointer open_listed(uint64_t number) const;
  [[nodiscard]] LogFilePointer file_of(uint64_t number) const;
  void write_own_manifest(const std::vector<LogFilePointer>& files, const std::vector<LogFilePointer>& replaced);
  void write_manifest(const std::string& folder, const std::vector<LogFilePointer>& files,
                      const std::vector<LogFilePointer>& replaced) const;
  struct LogEnd {
    uint64_t sequence = 0;    // all below it are in sound batches
    uint64_t good_bytes = 0;  // of the last file
    uint64_t file_bytes = 0;
  };
  static LogEnd scan(std::span<const LogFilePointer> files, uint64_t begin, const LogVisitor& visitor);
  void sweep() const;
  void retire_locked(std::vector<LogFilePointer> files);
  void require_sound() const;

  const std::string folder_;
  const Access access_;
  std::string settings_;
  mutable std::mutex changing_;      // held while the list of files changes, on the disk and here
  mutable std::shared_mutex mutex_;  // guards the lists
  std::vector<LogFilePointer> files_;
  std::vector<LogFilePointer> replaced_;
  std::vector<LogFilePointer> retired_;  // not on the disk any more; readers may be about to read them
  std::chrono::steady_clock::time_point retired_at_;
  std::unordered_map<uint64_t, LogFilePointer> by_number_;
  LogFilePointer active_;
  uint64_t next_number_ = 1;
  std::atomic<uint64_t> at_ = 0;  // bytes of the active file
  uint64_t batch_at_ = 0;         // where the last batch was written
  std::atomic<uint64_t> end_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace neardup
