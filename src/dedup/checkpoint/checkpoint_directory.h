// CheckpointDirectory: the checkpoint directory of a run, from which another process can resume it.
//
//   LOCK               one process at a time
//   RUN                what run it is: recipe, options, sources with their states
//   fitted-N.idf       the table that the N-th recipe was fitted with (corpus_frequencies.h)
//   PASS-FIRST.part    what a pass made of consecutive batches (pass_journal.h)
//   grouped-B.part     candidates of a slice, until it is decided (slice_candidates.h)
//   decided-B.part     removed documents of a slice and their keepers (decisions.h)
//   verdicts.seg       of a finished run: all verdicts (dedup/record/)
//   summary.json       the same: its counts
//
// All files but LOCK have checksums (docs/formats.md), and get their names when they are complete and on disk. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/error.h"
#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/source.h"
#include "store/folder_lock.h"
#include "store/segment_file.h"

namespace neardup {

/// What must be the same when a run is resumed.
struct RunIdentity {
  struct Member {
    std::string name;
    std::string value;
    friend bool operator==(const Member&, const Member&) = default;
  };
  std::vector<Member> settings;  ///< recipes and options that decide about the outputs, by name
  std::vector<Member> sources;   ///< in input order, with DocumentSource::state_of()

  RunIdentity(const Options& options, const std::vector<const Recipe*>& recipes, uint32_t reference_sources, const DocumentSource& source);
  RunIdentity() = default;
  [[nodiscard]] std::string to_json() const;
  /// Throws Error{kInput} that names `name`.
  static RunIdentity parse(std::string_view json, const std::string& name);
};

/// Throws Error{kOutput} when another process has locked it.
std::unique_ptr<const FolderLock> lock_checkpoint_directory(const std::string& directory, bool shared = false);

class CheckpointDirectory {
 public:
  enum class Use {
    kAlone,   ///< a run
    kHeld,    ///< a run whose caller has locked the directory (lock_checkpoint_directory())
    kShared,  ///< a task: other tasks may use it at the same time; RUN must exist
    kRead,    ///< a reader, which changes nothing, and whose caller has locked the directory; RUN must exist
  };
  /// Begins a run in a directory without RUN, and resumes it otherwise. `identity` may have more sources at the end if the run had one of
  /// the numbers `extend_after` of them; it then replaces the run's identity. Throws Error{kUsage} that names a difference, Error{kInput}
  /// for a damaged RUN, and Error{kOutput} when the directory does not exist or another process has locked it.
  CheckpointDirectory(std::string path, const RunIdentity& identity, const std::vector<uint32_t>& extend_after, Use use = Use::kAlone);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  [[nodiscard]] bool has(std::string_view name) const;
  /// Names of the files that begin with `prefix` and end in `suffix`, sorted.
  [[nodiscard]] std::vector<std::string> files(std::string_view prefix, std::string_view suffix) const;
  /// Throws Error{kOutput}. Does nothing if the file does not exist.
  void remove(std::string_view name) const;
  /// Removes a useless file; nothing in a shared directory, where another task may be writing it again, or one that is only read.
  void discard(std::string_view name) const;
  /// Use::kShared.
  [[nodiscard]] bool shared() const noexcept { return use_ == Use::kShared; }
  /// Use::kRead.
  [[nodiscard]] bool read_only() const noexcept { return use_ == Use::kRead; }

 private:
  void begin(const RunIdentity& identity) const;
  [[nodiscard]] RunIdentity load() const;

  const std::string path_;
  const Use use_;
  const std::unique_ptr<const FolderLock> lock_;  // null: the caller's
};

// Parts: which files PASS-FIRST.part are usable, and what happens to others. A part is a segment file (store/segment_file.h) of a pass and
// consecutive batches; `entries` of its header is the first batch.

inline constexpr std::string_view kPartSuffix = ".part";

/// "PASS-0000000012.part"
std::string part_name(std::string_view pass, uint64_t first_batch);

/// Opens the part and verifies all of it. Throws Error{kInput} when it is damaged, of another recipe, or does not match its name.
std::unique_ptr<const SegmentFile> open_part(const CheckpointDirectory& directory, std::string_view pass, const std::string& name,
                                             uint64_t recipe_id);

/// Calls read(), which throws Error{kInput} for a useless part: the machine lost power while it was written, or it is of another recipe.
/// Such a part is discarded, so that it is made again, and the result is false. Passes other errors on.
template <typename Read>
bool read_or_discard(const CheckpointDirectory& directory, const std::string& name, const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    directory.discard(name);
    return false;
  }
}

}  // namespace neardup
