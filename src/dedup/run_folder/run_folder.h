// RunFolder: the checkpoint directory of a run, from which another process can resume it.
//
//   LOCK               one process at a time
//   RUN                what run it is: recipe, options, sources with their states
//   fitted-N.idf       the table that the N-th recipe was fitted with (corpus_frequencies.h)
//   PASS-FIRST.part    what a pass made of consecutive batches (pass_journal.h)
//   grouped-B.part     candidates of a slice, until it is decided (slice_candidates.h)
//   decided-B.part     which documents of a slice are removed, and for which (decisions.h)
//
// All but LOCK are files that check themselves (docs/formats.md). They appear under their names when they are complete and on the disk. One
// thread.
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

/// Throws Error{kOutput} when another process has it.
std::unique_ptr<const FolderLock> lock_run_folder(const std::string& folder, bool shared = false);

class RunFolder {
 public:
  enum class Use {
    kAlone,   ///< a run
    kHeld,    ///< a run, for whose sake the caller has locked the folder (lock_run_folder())
    kShared,  ///< a task: others may work in it at the same time; RUN must be there
  };
  /// A folder without RUN begins a run, another one resumes it. `identity` may have more sources at the end
  /// if the run had one of the numbers `extend_after` of them; it then is that of the run from now on. Throws Error{kUsage} that names
  /// what is not as it was, Error{kInput} for a damaged RUN, and Error{kOutput} when the folder is not there, or another process has it.
  RunFolder(std::string path, const RunIdentity& identity, const std::vector<uint32_t>& extend_after, Use use = Use::kAlone);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  [[nodiscard]] bool has(std::string_view name) const;
  /// Names of the files that begin with `prefix` and end in `suffix`, sorted.
  [[nodiscard]] std::vector<std::string> files(std::string_view prefix, std::string_view suffix) const;
  /// Throws Error{kOutput}. Nothing happens to what is not there.
  void remove(std::string_view name) const;
  /// Removes what is of no use; in a shared folder nothing, where it may be somebody's who makes it again.
  void discard(std::string_view name) const;
  /// Use::kShared.
  [[nodiscard]] bool shared() const noexcept { return shared_; }

 private:
  void begin(const RunIdentity& identity) const;
  [[nodiscard]] RunIdentity load() const;

  const std::string path_;
  const bool shared_;
  const std::unique_ptr<const FolderLock> lock_;  // null: the caller's
};

// Parts: what makes a file PASS-FIRST.part usable, and what becomes of one that is not. A part is a checked file (store/segment_file.h) of
// a pass and consecutive batches; `entries` of its header is the first of them.

inline constexpr std::string_view kPartSuffix = ".part";

/// "PASS-0000000012.part"
std::string part_name(std::string_view pass, uint64_t first_batch);

/// Opens the part under its name and checks all of it. Throws Error{kInput} when it is damaged, of another recipe, or not what its name
/// says.
std::unique_ptr<const SegmentFile> open_part(const RunFolder& folder, std::string_view pass, const std::string& name, uint64_t recipe_id);

/// read(), which throws Error{kInput} for a part that is of no use: a disk lost power in the wrong moment, or it is of another recipe. It
/// is discarded then, so that it is made again, and the answer is false. Other errors go on.
template <typename Read>
bool read_or_discard(const RunFolder& folder, const std::string& name, const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    folder.discard(name);
    return false;
  }
}

}  // namespace neardup
