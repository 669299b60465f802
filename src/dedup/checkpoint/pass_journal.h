// PassJournal: the results of a pass for each batch, in files of consecutive batches, so that an interrupted pass continues after them.
//
// A part ends where the number of the next batch is a multiple of kBatchesPerPart, or with the source; its name is the pass and its first
// batch. So the parts of a run do not depend on which process made them, nor on the order. Unreadable parts are made again. A part can be
// made thin later: then it has only what is still needed of a decided slice.
//
// has() and get() from any thread; put() and finish() from one, batches in order.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dedup/checkpoint/checkpoint_directory.h"
#include "store/segment_file.h"

namespace neardup {

class PassJournal {
 public:
  static constexpr uint64_t kBatchesPerPart = 4;

  /// Opens and checks the existing parts of `pass` (at most 8 characters). Removes parts that are damaged or of another recipe, and thin
  /// ones with batches from `thin_end` on, which need all sketches.
  PassJournal(const CheckpointDirectory& directory, std::string pass, uint64_t recipe_id, uint64_t thin_end = 0);
  ~PassJournal();
  PassJournal(const PassJournal&) = delete;
  PassJournal& operator=(const PassJournal&) = delete;

  [[nodiscard]] bool has(uint64_t batch) const noexcept;
  /// The bytes that put() got for the batch. Requires has(batch).
  [[nodiscard]] std::string_view get(uint64_t batch) const noexcept;
  /// The name of the file that get() reads, for messages.
  [[nodiscard]] const std::string& name_of(uint64_t batch) const noexcept;
  /// The end of the batches that existed at opening.
  [[nodiscard]] uint64_t end() const noexcept { return parts_.empty() ? 0 : parts_.rbegin()->first + parts_.rbegin()->second.ends.size(); }
  /// True if all batches before end() existed at opening.
  [[nodiscard]] bool complete() const noexcept { return stored_ == end(); }

  /// Finishes a batch: stores its bytes, unless the directory is only read; if the journal has it already, releases the memory of get().
  /// Throws Error{kOutput} when a part cannot be written, and Error{kInput} when bytes of a part that was read were missing: then results
  /// of get() must not be used.
  void put(uint64_t batch, std::string_view made);
  /// Writes the pending part.
  void finish();

  /// Replaces the bytes of a batch by make(batch, bytes, name for messages).
  using MakeThin = std::function<std::string(uint64_t batch, std::string_view bytes, const std::string& name)>;
  /// Makes the parts thin that end before the batch `end`. Their batches are not read again: has() is false.
  void thin(uint64_t end, const MakeThin& make);

 private:
  struct Part {
    std::unique_ptr<const SegmentFile> file;
    std::vector<uint64_t> ends;  // of the bytes of each batch
    bool thin = false;
  };
  // A part that is being filled or written.
  struct Pending {
    uint64_t first = 0;
    std::string bytes;
    std::vector<uint64_t> ends;
  };
  [[nodiscard]] std::map<uint64_t, Part>::const_iterator part_of(uint64_t batch) const noexcept;
  [[nodiscard]] Part open(const std::string& name) const;
  // Releases what get() read for it.
  void release(uint64_t batch) const;
  void write(const Pending& part, bool thin) const;
  void hand_over();
  void wait();

  const CheckpointDirectory& directory_;
  const std::string pass_;
  const uint64_t recipe_id_;
  std::map<uint64_t, Part> parts_;  // by first batch
  uint64_t stored_ = 0;             // batches in them
  std::vector<uint64_t> thick_;     // the first batches of the existing parts that are not thin
  Pending pending_;
  std::future<void> writing_;  // one part at a time, while the pass continues
};

}  // namespace neardup
