// Options: every knob of a run, and the table that names them.
//
// One knob has one name everywhere: the struct member `max_record_bytes` is `--max-record-bytes` on the command line and
// `"max_record_bytes"` in JSON. Each is one row of the table, in src/dedup/options/options.cc; the command line, its help and
// docs/options.md follow from the row. parse_bytes() and format_bytes_exactly() are in src/dedup/options/option_values.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/tools/reject_limit.h"
#include "neardup/tools/threshold.h"

namespace neardup {

enum class Search {
  kLsh,      ///< bands of a MinHash, or samples of features under kContainment; fingerprints by their distance, which misses nothing, in
             ///< addition or alone
  kExact,    ///< all pairs
  kHamming,  ///< only fingerprints by their distance, as with kLsh; a MinHash alone is an error
};
/// How candidate pairs are verified.
enum class Verify {
  kTrue,             ///< the measure of the recipe: Jaccard similarity of a MinHash recipe, Hamming distance of a fingerprint
  kFalse,            ///< nothing more
  kJaccard,          ///< the Jaccard similarity of the features
  kCosine,           ///< the cosine of the weighted features
  kWeightedJaccard,  ///< the Jaccard similarity of the weighted features
};
/// When two texts match.
enum class Measure {
  kJaccard,      ///< the similarity that Verify names reaches the threshold
  kContainment,  ///< the share of the features of one that the other has reaches it; directional
};
enum class Cluster { kScan, kComponents };
enum class InputFormat { kAuto, kJsonl, kText, kWarc, kParquet, kCsv, kTsv };

/// A field of a record with one value: FIELD=VALUE.
struct FieldValue {
  std::string field;  ///< dots lead into objects
  std::string value;  ///< a string, the digits of a number, true or false
  friend bool operator==(const FieldValue&, const FieldValue&) = default;
};

struct Options {
  // Which pairs count
  std::string recipe = "words-5";
  std::string clean;  ///< html, tags, none: cleaners of markup instead of those of the recipe (run_recipe.h); empty: those
  Threshold threshold = Threshold::from_millionths(800'000);
  Measure measure = Measure::kJaccard;
  uint32_t min_contained = 20;           ///< under kContainment: texts with fewer features are not contained in others
  std::optional<Threshold> min_jaccard;  ///< under kContainment: the two must also be so similar; nothing: 0
  Search search = Search::kLsh;
  Verify verify = Verify::kTrue;
  uint32_t max_distance = 3;                                       ///< of fingerprints, inclusive
  std::string also;                                                ///< another recipe whose sketch finds pairs too, or empty
  Threshold miss_probability = Threshold::from_millionths(2'000);  ///< planned, at the threshold itself
  uint32_t bands = 0;                                              ///< 0: planned
  uint32_t rows_per_band = 0;                                      ///< 0: planned
  std::string block_on;                                            ///< a field; only documents with equal values of it match; empty: all
  uint64_t min_length = 0;                                         ///< characters of a normalized text; shorter ones match copies only
  uint64_t max_candidates = 1000;                                  ///< verifications per document against one oversized group; 0: no cap
  // Which documents are kept
  std::string keep = "auto";  ///< a policy or several, comma separated; see KeepPolicy
  Cluster cluster = Cluster::kScan;
  std::vector<FieldValue> protect;  ///< documents with one of these are never removed, and ranked before others
  uint64_t batch = 0;               ///< minimum number of documents decided at a time; 0: all
  Threshold max_removed = Threshold::from_millionths(1'000'000);  ///< of the documents of a source; beyond, the run fails. 1: no bound
  uint64_t max_cluster = 0;                                       ///< documents of a cluster; beyond, the run fails. 0: no bound
  // Reading
  InputFormat format = InputFormat::kAuto;
  std::vector<std::string> text_field = {"text"};
  std::string id_field = "auto";  ///< "id" in files, "_id" in MongoDB, the key in SQL
  std::string where;              ///< which rows of a database; empty: all
  std::string key;                ///< the column by whose order a database is read; empty: its primary key
  std::string charset = "utf-8";  ///< of text files
  std::string duckdb_library;     ///< the file of the library that reads and writes tables; empty: searched for
  uint64_t max_record_bytes = 256u << 20;
  RejectLimit max_rejects;  ///< beyond: the run fails, and existing outputs stay as they are
  bool strict = false;
  // The machine
  uint64_t memory = 0;   ///< bytes; 0: half of the machine's memory
  uint32_t threads = 0;  ///< 0: all cores
  std::string temp_dir;  ///< empty: TMPDIR, else /tmp

  /// True if the features of all documents are joined, without sketches of pass 1.
  [[nodiscard]] bool joins_all() const noexcept { return search == Search::kExact || measure == Measure::kContainment; }
  /// True if pairs are verified by the weights of their features.
  [[nodiscard]] bool weighs_features() const noexcept { return verify == Verify::kCosine || verify == Verify::kWeightedJaccard; }
};

/// One row of the option table.
struct OptionRow {
  std::string_view name;      ///< as in JSON; the command line writes '-' for '_'
  std::string_view value;     ///< the form of the value, "" for a flag
  std::string_view preset;    ///< the default, as text
  std::string_view bounds;    ///< for people and for the bounds test
  std::string_view group;     ///< heading in the help
  std::string_view commands;  ///< blank-separated commands that take it
  std::string_view help;
  /// Throws Error{kUsage} naming option, bound and value.
  void (*set)(Options&, std::string_view value);
  std::string (*get)(const Options&);
  bool essential = false;  ///< shown by --help of its commands, which shows about ten options; --help-all shows all
};
std::span<const OptionRow> option_table();

/// "512M", "2GB" (powers of 1000), "512MiB", "2Gi" (powers of 1024), "300000" -> bytes; upper and lower case mean the same. Throws
/// Error{kUsage}.
uint64_t parse_bytes(std::string_view option, std::string_view text);
/// The inverse of parse_bytes, as short as possible: "64M", "256MiB", or the plain number when no unit divides it.
std::string format_bytes_exactly(uint64_t bytes);

}  // namespace neardup
