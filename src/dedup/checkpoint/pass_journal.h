// PassJournal: what a pass made of each batch, in files of consecutive batches, so that a pass that was interrupted continues after them.
//
// A part ends where the number of the next batch is a multiple of kBatchesPerPart, or with the source; its name is the pass and its first
// batch. So the parts of a run do not depend on who made them, in which order. Parts that cannot be read are made again. A part can be made
// thin later: then it has what a decided slice of the corpus still needs.
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

  /// Opens and checks the parts of `pass` (at most 8 characters) that are there. One of another recipe, or that is damaged, is removed, and
  /// so is a thin one with batches from `thin_end` on: what it has is not enough for them.
  PassJournal(const CheckpointDirectory& directory, std::string pass, uint64_t recipe_id, uint64_t thin_end = 0);
  ~PassJournal();
  PassJournal(const PassJournal&) = delete;
  PassJournal& operator=(const PassJournal&) = delete;

  [[nodiscard]] bool has(uint64_t batch) const noexcept;
  /// What put() was given for it. Requires has(batch).
  [[nodiscard]] std::string_view get(uint64_t batch) const noexcept;
  /// The file that get() reads from, for messages.
  [[nodiscard]] const std::string& name_of(uint64_t batch) const noexcept;
  /// After the last batch that was there when it was opened.
  [[nodiscard]] uint64_t end() const noexcept { return parts_.empty() ? 0 : parts_.rbegin()->first + parts_.rbegin()->second.ends.size(); }
  /// True if all batches before end() were there.
  [[nodiscard]] bool complete() const noexcept { return stored_ == end(); }

  /// A batch is done with: keeps what was made of it; if the journal has it, gives back the memory that get() took.
  /// Throws Error{kOutput} when a part cannot be written, and Error{kInput} when bytes of one that was read were missing: what get() gave
  /// is not to be used then.
  void put(uint64_t batch, std::string_view made);
  /// Writes what waits.
  void finish();

  /// What make(batch, bytes, name for messages) gives takes the place of what was put for a batch.
  using MakeThin = std::function<std::string(uint64_t batch, std::string_view bytes, const std::string& name)>;
  /// Makes the parts thin that end before the batch `end` and are not yet. Their batches are not asked for again: has() is false.
  void thin(uint64_t end, const MakeThin& make);

 private:
  struct Part {
    std::unique_ptr<const SegmentFile> file;
    std::vector<uint64_t> ends;  // of the bytes of each batch
    bool thin = false;
  };
  // A part that is being filled, or written.
  struct Pending {
    uint64_t first = 0;
    std::string bytes;
    std::vector<uint64_t> ends;
  };
  [[nodiscard]] std::map<uint64_t, Part>::const_iterator part_of(uint64_t batch) const noexcept;
  [[nodiscard]] Part open(const std::string& name) const;
  // What get() read for it is not needed any more.
  void give_back(uint64_t batch) const;
  void write(const Pending& part, bool thin) const;
  void hand_over();
  void wait();

  const CheckpointDirectory& directory_;
  const std::string pass_;
  const uint64_t recipe_id_;
  std::map<uint64_t, Part> parts_;  // by first batch
  uint64_t stored_ = 0;             // batches in them
  std::vector<uint64_t> thick_;     // the first batches of the parts that are there and not thin
  Pending pending_;
  std::future<void> writing_;  // one part at a time, while the pass continues
};

}  // namespace neardup
