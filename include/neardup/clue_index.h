// ClueIndex: finds every text that contains a passage (a clue), or something close to it, in a folder of indexed texts.
//
//   auto index = neardup::ClueIndex::create("index", {});
//   neardup::ClueWriter writer(index);
//   writer.add("poem-1", "Shall I compare thee to a summer's day?");
//   writer.commit();
//   neardup::ClueScratch scratch;
//   for (const auto& hit : index.search("COMPARE THEE TO A SUMMER'S DAY", {}, scratch).hits) { ... hit.name, hit.begin, hit.passage ... }
//
// Texts and clues are compared by their forms: NFKC_Casefold, traditional Chinese characters folded if the recipe says so, punctuation and
// white space reduced to one blank between words, and to nothing next to ideographs, kana and Hangul. A text contains a clue if the form of
// the clue is a substring of its form. Lengths are counted in code points ("characters") of the form, or in columns, of which ideographs,
// kana and Hangul have two and all others one.
//
// Every answer says how certain it is:
//   kExact   no matching text is missing, unless `more` is set. Holds for clues that have at least the guaranteed length, and with edits if
//            so many edits always leave a run of that length.
//   kLikely  texts may be missing; ClueAnswer::predicted_recall is the expected share of matching texts that are found.
//   kScan    every text was read; no matching text is missing, unless `more` is set.
// `more` is true if and only if the answer leaves out a text that matches, or may, because it was not looked at (ClueAnswer::capped). Hits
// themselves are always verified on the text.
//
// Answers depend on the indexed texts and the question only: not on segments, merges or threads. One exception: the lists of grams keep
// removed texts until a merge, so an answer that is `capped` because lists are too long may be another one after it.
//
// One process at a time may write (open it with kWrite), any number may read; a reader sees the state that it opened. Thread rule:
// everything may be called from any number of threads, each with a scratch of its own; every call sees one state. A moved-from object may
// only be assigned to or destroyed.
//
// Formats: docs/formats.md. How it works: src/search/, src/index/anchors/.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/source.h"
#include "neardup/stop.h"
#include "neardup/tools/threshold.h"

namespace neardup {

/// What determines the form of a text and its anchors; fixed when an index is created.
struct ClueRecipe {
  static constexpr uint32_t kMinRunMin = 8;
  static constexpr uint32_t kMinRunMax = 256;

  bool fold_han = false;  ///< traditional Chinese characters match simplified ones
  /// The guaranteed length in Latin characters, kMinRunMin to kMinRunMax: every text that contains a clue of so many is found, and of so
  /// many columns if it has both widths. For ideographs it is about half: min_run_wide(). A smaller one makes a larger index.
  uint32_t min_run = 23;
  /// The index does not keep texts, but says where they are in their sources, which must not change as long as they are in the index.
  bool refer = false;

  /// The guaranteed length in ideographs: 11 for 23.
  [[nodiscard]] uint32_t min_run_wide() const noexcept;
  /// Sorted keys, no white space; also names the version of the form, and of Unicode and of the folding table where they matter.
  [[nodiscard]] std::string canonical_json() const;
  /// XXH3-64 of the canonical JSON.
  [[nodiscard]] uint64_t id() const;
  /// Throws Error{kUsage} that names the field, the bound and the value; also for a recipe of another version of Unicode or folding table.
  static ClueRecipe parse(std::string_view json);
  /// Throws Error{kUsage} unless min_run is within its bounds.
  void check() const;
  friend bool operator==(const ClueRecipe&, const ClueRecipe&) = default;
};

/// How two sets of grams are compared: A those of the clue, B those of a text.
enum class ClueMeasure {
  kContainment,  ///< |A n B| / |A|
  kJaccard,      ///< |A n B| / |A u B|
};

/// The options of a question.
struct ClueSearch {
  static constexpr uint32_t kMaxEditsMillionths = 500'000;
  static constexpr uint32_t kMaxEditedCharacters = 4096;

  enum class Mode {
    kContains,   ///< texts that contain the clue, or with `edits` a passage close to it; ascending by id, with `edits` by (edits, id)
    kResembles,  ///< texts whose grams resemble those of the clue; the most similar first, then by id
  };
  Mode mode = Mode::kContains;
  /// Of kContains: the maximum edit distance between the form of the clue and a passage, as a share of the clue's characters, rounded down:
  /// 0.1 allows 4 edits in 40 characters. At most kMaxEditsMillionths, for clues of at most kMaxEditedCharacters. Insertions, deletions and
  /// substitutions of one character cost 1.
  std::optional<Threshold> edits = {};
  /// Of kResembles: the minimum similarity, inclusive, decided on integers.
  Threshold threshold = 0.8;
  ClueMeasure measure = ClueMeasure::kContainment;
  uint64_t limit = 100;     ///< the maximum number of hits; at least 1
  bool scan = false;        ///< read every text instead of asking the index
  bool count_only = false;  ///< count all matching texts; no hits are returned, and `limit` is not used
  /// The maximum number of texts that a question reads if its answer is not kScan; the most promising ones first. Not used by questions of
  /// kContains without edits that are kExact, which read what `limit` requires; and not by `count_only`, which counts all.
  uint64_t max_candidates = 1024;
  uint32_t threads = 1;    ///< of scans and counts; 0: all cores
  bool passages = true;    ///< fill name, places, passage and differences of hits
  bool explain = false;    ///< fill ClueTrace::asked
  StopFunction stop = {};  ///< neardup/stop.h
};

enum class ClueCertainty { kExact, kLikely, kScan };
/// "exact", "likely", "scan".
std::string_view to_string(ClueCertainty certainty) noexcept;

struct ClueHit {
  uint64_t id = 0;
  std::string name;
  /// The passage in the original text, in bytes, and in code points (each malformed part counts as one). Of kContains the first one with
  /// the fewest edits; of kResembles the longest run of grams that the clue has, too.
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t begin_character = 0;
  uint64_t end_character = 0;
  uint64_t text_bytes = 0;   ///< of the whole text
  uint32_t occurrences = 0;  ///< of kContains: passages in the text that match and do not overlap
  uint32_t edits = 0;        ///< of kContains
  Overlap overlap = {};      ///< of kResembles: common grams, those of the clue (size_a) and of the text (size_b)
  double similarity = 0;     ///< of kResembles the measure, of kContains 1 - edits / characters of the clue
  std::string passage;       ///< the bytes [begin, end) of the text
  /// Of kContains with at least one edit: the passage, with what the clue has instead: "a [-quick-]{+slow+} fox" is the passage "a slow
  /// fox" for the clue "a quick fox". Differences that the form removes, such as case, are not marked.
  std::string differences;
};

/// What an answer cost.
struct ClueTrace {
  struct Asked {
    std::string gram;       ///< as in the form
    uint64_t postings = 0;  ///< of all segments
    bool certain = false;   ///< every matching text has it
  };
  std::vector<Asked> asked;  ///< with `explain`: the grams of the clue that were looked up, rarest first
  uint64_t lookups = 0;      ///< grams looked up, times segments
  uint64_t postings = 0;     ///< in the lists of these grams; lists are skipped through where possible
  uint64_t candidates = 0;   ///< texts that have what was asked, and `settled`
  uint64_t settled = 0;      ///< texts dismissed, not read, because the neighbourhood of an anchor differs from the clue; for each gram
  uint64_t texts_read = 0;
};

struct ClueAnswer {
  std::vector<ClueHit> hits;
  ClueCertainty certainty = ClueCertainty::kExact;
  /// 1 unless kLikely. Then it is computed for clues and texts that differ by `max_edits` edits of single characters at random places: the
  /// probability that one of the grams that the edits leave, or one of those with a single edit that the search guesses, is an anchor of a
  /// text, when anchors are the minima of random hashes. Of a long clue, for its first 128 characters. Fewer edits, and edits that cluster,
  /// such as those of words, are found more often; so are texts with fewer than 144 columns, which have more anchors. A clue shorter than a
  /// gram, 6 columns, has 0: only texts whose whole form is the clue are found. Of kResembles, the probability for a text at exactly the
  /// threshold whose common grams are independent of one another. Not of answers that are `capped`.
  double predicted_recall = 1;
  bool more = false;    ///< matching texts are left out, or may be (`capped`)
  bool capped = false;  ///< candidates were left unread because of max_candidates, or the lists of frequent grams, being too long
  /// Matching texts found. Of `count_only` and scans all; of kContains without edits the hits, and the one that proved `more`; of other
  /// questions those among the texts that were read.
  uint64_t count = 0;
  std::string form;               ///< of the clue
  uint32_t characters = 0;        ///< of the form
  uint32_t columns = 0;           ///< of the form
  uint32_t min_run = 0;           ///< of the recipe: the guaranteed length in Latin characters
  uint32_t min_run_wide = 0;      ///< in ideographs
  uint32_t max_edits = 0;         ///< edits that hits may have
  uint32_t guaranteed_edits = 0;  ///< the largest number of edits for which the answer would be kExact, if `guaranteed`
  bool guaranteed = false;        ///< the clue has at least the guaranteed length
  ClueTrace trace;
};

/// Scratch memory of questions and of ClueWriter::prepare(). Threads must not share it.
class ClueScratch {
 public:
  ClueScratch();
  ~ClueScratch();
  ClueScratch(ClueScratch&&) noexcept;
  ClueScratch& operator=(ClueScratch&&) noexcept;
  struct Impl;
  [[nodiscard]] Impl& impl() noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct ClueSegmentStat {
  std::string file;    ///< its name in the folder
  uint64_t bytes = 0;  ///< of the file
  uint64_t texts = 0;  ///< including removed ones
  uint64_t postings = 0;
  uint64_t anchor_bytes = 0;  ///< of the index proper, without texts, names and ids
};
struct ClueIndexStat {
  std::string folder;
  ClueRecipe recipe;
  std::vector<ClueSegmentStat> segments;
  uint64_t texts = 0;        ///< in all segments, including removed ones until a merge
  uint64_t removed_ids = 0;  ///< removed texts that a merge will drop, as far as known without a search
  uint64_t next_id = 0;      ///< larger than all ids ever used
};

/// Options for building a segment.
struct ClueBuild {
  uint32_t threads = 0;       ///< 0: all cores
  uint64_t memory = 0;        ///< more than this is sorted in parts; 0: no bound
  std::string temp_dir = {};  ///< for data that exceed the memory; empty: that of the system
  StopFunction stop = {};     ///< asked from any thread: neardup/stop.h; after Error{kStopped} nothing has changed, see merge()
};

enum class ClueAccess { kRead, kWrite };

/// Makes what reads the texts of an index that refers to them, for one thread: make_referred_texts() of neardup/io.h. Called by any thread.
using OpenReferredTexts = std::function<std::unique_ptr<ReferredTexts>()>;

class ClueIndex {
 public:
  /// A new, empty index that is open for writing. Creates the folder if it does not exist. Others can open the index after the first
  /// commit() or flush(); an index destroyed before leaves nothing. Throws Error{kUsage} for an invalid recipe, Error{kOutput} when the
  /// folder already holds an index (unless it is unused) or other files, or cannot be written.
  /// `referred` as in open().
  static ClueIndex create(const std::string& folder, const ClueRecipe& recipe, OpenReferredTexts referred = {});
  /// Reads only the ends of the files. Blocks are verified when they are first used. Throws Error{kInput} when it is not a clue index, is
  /// one of another version, or damaged; Error{kOutput} when another process writes it. `referred` is for an index that refers to its
  /// texts; without it, calls that read texts throw Error{kUsage}.
  static ClueIndex open(const std::string& folder, ClueAccess access, OpenReferredTexts referred = {});
  /// Unflushed removals are lost.
  ~ClueIndex();
  ClueIndex(ClueIndex&&) noexcept;
  ClueIndex& operator=(ClueIndex&&) noexcept;

  [[nodiscard]] const ClueRecipe& recipe() const noexcept;

  /// Throws Error{kUsage} for an empty clue, one whose form is empty, one above 256 MiB, and options out of bounds; Error{kInput}, naming
  /// file and block, when a file is damaged, and naming the source when a text that the index refers to is no longer there.
  [[nodiscard]] ClueAnswer search(std::string_view clue, const ClueSearch& options, ClueScratch& scratch) const;

  /// The original text, or the name, of an id, unless it is removed or unknown.
  [[nodiscard]] std::optional<std::string> text(uint64_t id) const;
  [[nodiscard]] std::optional<std::string> name(uint64_t id) const;
  /// Scans all names: calls visit(position in `names`, id) for every id with one of them.
  void find_names(std::span<const std::string> names, const std::function<void(size_t position, uint64_t id)>& visit) const;

  // Changes. All throw Error{kUsage} when the index is open for reading. Texts are added by ClueWriter.

  /// Removes the text with this id; no error if there is none. Questions no longer see it; on disk after flush(), commit() or merge().
  void remove(uint64_t id);
  void flush();
  /// Flushes, then merges the smallest segments so that at most `max_segments` remain, and drops removed texts. Does not look into texts:
  /// anchors are copied. If it throws, answers are the same and nothing is lost.
  void merge(size_t max_segments = 1, const ClueBuild& build = {});

  [[nodiscard]] ClueIndexStat stat() const;
  /// Reads everything: all blocks have their hashes, all texts and names can be read, ids and anchors are in order, and texts that the
  /// index refers to are still in their sources. Throws Error{kInput} that names the first damaged file, or source and offset. Memory: 4
  /// bytes for each text of a segment, at most 256 MiB.
  void verify(uint32_t threads = 0) const;

 private:
  friend class ClueWriter;
  struct Impl;
  explicit ClueIndex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Adds many texts at once: they become one segment, in bounded memory. Questions see them after commit(); without it, nothing changes. The
/// index remains usable meanwhile and outlives the writer. After a commit() that threw, add() and commit() throw Error{kUsage}: retry with
/// a new object.
///
/// Most of the work is prepare(), which any number of threads may call at once:
///
///   writer.prepare(text, scratch, piece);     // in parallel
///   writer.add_prepared(name, piece);         // one at a time, in the order of the ids
class ClueWriter {
 public:
  explicit ClueWriter(ClueIndex& index, const ClueBuild& build = {});
  ~ClueWriter();
  ClueWriter(ClueWriter&&) noexcept;
  ClueWriter& operator=(ClueWriter&&) noexcept;

  /// Appends to `piece` what add_prepared() needs: the text and its anchors, in no stable format. Any bytes are a text; thread-safe. Throws
  /// Error{kUsage} if the index refers to texts.
  void prepare(std::string_view text, ClueScratch& scratch, std::string& piece) const;
  /// The same for an index that refers to texts; sets reference.hash. Throws Error{kUsage} if the index keeps texts, or for a length above
  /// that of TextReference.
  void prepare(std::string_view text, TextReference reference, ClueScratch& scratch, std::string& piece) const;
  /// Adds a text under the next id, which is returned. Names are any bytes and need not be unique. `piece`: exactly what prepare()
  /// appended.
  uint64_t add_prepared(std::string_view name, std::string_view piece);
  /// Both, with the first prepare().
  uint64_t add(std::string_view name, std::string_view text);

  [[nodiscard]] uint64_t size() const noexcept;  ///< texts added
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
