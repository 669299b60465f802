// Sources and sinks for files and databases. open_source() reads JSON Lines, text files and pages, crawl archives (WARC), tables (Parquet,
// CSV, TSV), MongoDB collections and tables of SQL databases; the sinks write JSON Lines, tables, collections and reports. docs/sources.md
// says what is read and written.
//
// Implemented in src/io/: open_source.cc, source_sequence.cc, document_sinks.cc, report_sinks.cc, check_outputs.cc; make_sketch_sink() in
// fingerprints/sketch_sink.cc, copied_fields() in json/field_projection.cc, to_utf8() in files/charset.cc, names and URIs in
// bytes/name_ending.cc and bytes/uri.cc, remove_partial_outputs() in bytes/output_file.cc, make_referred_texts() in
// files/referred_texts.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/options.h"
#include "neardup/recipe.h"
#include "neardup/sink.h"
#include "neardup/source.h"
#include "neardup/tools/fingerprint_text.h"
#include "neardup/tools/sketch_sink.h"

namespace neardup {

inline constexpr std::string_view kAutoIdField = "auto";  ///< "id" in files, "_id" in MongoDB, the key in SQL

struct SourceOptions {
  InputFormat format = InputFormat::kAuto;
  std::vector<std::string> text_field = {"text"};
  std::string id_field = "auto";    ///< kAutoIdField, or empty for none
  std::string rank_field;           ///< the FIELD of max:FIELD or min:FIELD, or empty
  std::string block_field;          ///< the field of Record::block, or empty
  std::vector<FieldValue> protect;  ///< Record::is_protected: the record has one of these values
  std::string where;                ///< which rows of a database: a condition in its own language; empty: all
  bool exact_types = false;         ///< rows keep the types of their database: MongoDB gives canonical Extended JSON
  std::string key;                  ///< the column or field by whose order a database is read; empty: its primary key
  std::string charset = "utf-8";    ///< of text files; JSON Lines is always UTF-8 (docs/cleaning.md)
  std::string duckdb_library;       ///< the file of DuckDB's C library, which reads tables; empty: searched for
  uint64_t memory = 0;              ///< of the run, which sizes buffers of libraries; 0: their own defaults
  uint64_t max_record_bytes = 256u << 20;
  uint64_t batch_bytes = 4u << 20;
  std::string temp_dir;  ///< standard input is spooled here, because a run reads its input more than once
  /// For a run that reads its input once and answers immediately: nothing is spooled, and each read of standard input or a pipe is a batch,
  /// cut after its last line. A second reading of it throws Error{kInput}.
  bool once = false;
  /// Which fields that options name must occur in the first records of JSON Lines and MongoDB collections (field_check.h); else opening the
  /// source throws Error{kInput} that lists the fields that do. kText: only those of the text and of blocks.
  enum class FieldChecks { kNone, kText, kAll };
  FieldChecks field_checks = FieldChecks::kAll;
  std::vector<std::string> required_fields;  ///< in addition to those of text, id and rank: the fields that TargetOptions::fields copies
  /// Called while the inputs are opened, with warnings: files of a folder that are left out. May be empty.
  std::function<void(const std::string&)> warn;
};

/// The fields of records that TargetOptions::fields copies. Throws Error{kUsage}.
std::vector<std::string> copied_fields(std::string_view fields);

/// Opens files, directories, globs, "-" for standard input, and URIs of databases as one source.
///
/// Order: as given; inside a directory (recursively) and among the matches of a glob by the bytes of the path, tables after other files. A
/// glob is matched only when no file has exactly that name. Under InputFormat::kAuto, names ending in .jsonl, .ndjson or .json are JSON
/// Lines, names ending in .txt, .text, .md, .html, .htm or .xhtml are one document each, and .warc or .wet are crawl archives, all also
/// followed by .gz, .zst or .bz2 (archives: not .bz2), and .parquet, .csv or .tsv are tables with a document a row; standard input and a
/// file given by name with another ending are JSON Lines. A directory gives the files with these endings, and of files without an ending
/// those that hold JSON, WARC or Parquet; under another format those whose names do not say another kind, and only tables with the ending
/// of the format or, under kParquet, without an ending but with the bytes of Parquet. Under kText every regular file is one document, its
/// id is its path. Compression is detected by content, not by name.
///
/// Throws Error{kInput} when an input does not exist, is unreadable, or gives no file at all.
std::unique_ptr<DocumentSource> open_source(const std::vector<std::string>& inputs, const SourceOptions& options);

/// `reference`, then `inputs`, as one source. DedupRun::reference_sources is then the number of sources of `reference`, whose documents no
/// sink writes. Both may be of any kind: from open_source(), name_sources(), or your own.
std::unique_ptr<DocumentSource> concatenate(std::unique_ptr<DocumentSource> reference, std::unique_ptr<DocumentSource> inputs);

/// `first`, then `more`; neither is a reference corpus.
std::unique_ptr<DocumentSource> append_source(std::unique_ptr<DocumentSource> first, std::unique_ptr<DocumentSource> more);

/// Sources without documents, which only name the matches in verdicts: those of DedupRun::reference_indexes.
std::unique_ptr<DocumentSource> name_sources(std::vector<std::string> names);

/// The bytes of a text file in a charset as SourceOptions::charset names it, as UTF-8, as a run reads them. Adds the number of U+FFFD
/// that replace malformed bytes to `malformed`, if given. Throws Error{kUsage} for an unknown charset.
std::string to_utf8(std::string_view bytes, const std::string& charset, uint64_t* malformed = nullptr);

/// Reads the texts of references to uncompressed JSON Lines and text files.
std::unique_ptr<ReferredTexts> make_referred_texts();

/// Which documents a document sink writes.
enum class Which { kKept, kRemoved };

/// How a sink writes to a target that is not a file, named by a URI or another ending (docs/sources.md).
struct TargetOptions {
  enum class Existing {
    kRefuse,   ///< Error{kOutput} when the target has contents
    kAppend,   ///< keeps existing contents
    kReplace,  ///< replaces existing contents when the new ones are complete
  };
  enum class Lines { kDocuments, kAnnotated, kVerdicts };
  Existing existing = Existing::kRefuse;
  Lines lines = Lines::kDocuments;         ///< set by the functions that make sinks
  const DocumentSource* source = nullptr;  ///< of the run; for targets that write back to where the documents came from
  std::string fields;                      ///< of document sinks: NAME=VALUE,... (docs/mongodb.md); empty: the whole document
  const Recipe* recipe = nullptr;          ///< of the run, for `fields`; not owned
  std::string key;                         ///< the column that identifies rows of SQL tables; empty: the primary key
  std::string temp_dir;
  std::string duckdb_library;  ///< as in SourceOptions, for writing tables
  uint64_t memory = 0;
  std::function<bool()> stop;  ///< asked from any thread before each attempt and wait; true ends them
};

/// JSON Lines: the input's own bytes for a record of a JSON Lines source; {"id": path, "text": ...} for a text file.
/// ".gz", ".zst", ".bz2" at the end of the path compress. "-" is standard output.
std::unique_ptr<Sink> make_document_sink(const std::string& target, Which which, const DocumentSource& source,
                                         const TargetOptions& options = {});

/// All documents, with the fields neardup_verdict, neardup_reason, neardup_keeper_id, neardup_keeper_source,
/// neardup_keeper_row, neardup_similarity, neardup_cluster_id, neardup_cluster_size added at the end of the object.
std::unique_ptr<Sink> make_annotate_sink(const std::string& target, const DocumentSource& source, const TargetOptions& options = {});

/// One line a document: id, source, row, verdict, reason, keeper_id, keeper_source, keeper_row, similarity, cluster_id, cluster_size. JSON
/// Lines, or tab-separated with a header when the path ends in .tsv (before a compression suffix). In TSV, tab, newline and carriage
/// return inside a value become a blank, and an absent value is empty. cluster_id is SOURCE:ROW of Verdict::cluster.
std::unique_ptr<Sink> make_verdict_sink(const std::string& target, const DocumentSource& source, const TargetOptions& options = {});

/// One output per input with the same name under `directory` (the part below the longest common folder). Kept documents only.
std::unique_ptr<Sink> make_directory_sink(const std::string& directory, const DocumentSource& source, const TargetOptions& options = {});

/// Rejected records, unchanged. For JSON Lines the line itself, so that the file can be repaired and read again.
std::unique_ptr<RejectSink> make_reject_sink(const std::string& path, const DocumentSource& source);

/// Header "id_a<TAB>id_b<TAB>similarity", similarity with six decimals; JSON Lines when the path ends in .jsonl.
/// A document without an id is named SOURCE:ROW. Of Measure::kContainment the columns are contained, container, containment.
std::unique_ptr<PairSink> make_pair_sink(const std::string& path, const DocumentSource& source, Measure measure = Measure::kJaccard);

/// Removes the hidden files that killed runs left next to an output. Call it only if no run can be writing it.
void remove_partial_outputs(const std::string& path);
/// The same for all outputs of make_directory_sink().
void remove_partial_outputs(const std::string& directory, const DocumentSource& source);
/// True for "scheme://...", which is not a file.
bool is_uri(std::string_view name) noexcept;
/// True for a URI of MongoDB.
bool is_mongodb(std::string_view name) noexcept;
/// The name of an output for messages: a URI without its credentials, anything else as it is.
std::string shown_output(const std::string& output);

/// The ending of the name of an output, without that of a compression: ".jsonl" for "kept.jsonl.gz". Empty for names without a format:
/// without a dot, or with only digits after the last one; for "-" and for URIs. In lower case: K.JSONL counts as k.jsonl.
std::string format_ending(std::string_view output);

/// Throws Error{kUsage} when an output is also an input (same file, by device and inode), two outputs are the same, or one is inside an
/// index folder.
void check_outputs(const std::vector<std::string>& outputs, const DocumentSource& source);
/// The same for inputs given by their paths.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Writes the pieces unchanged. The path as in make_document_sink().
std::unique_ptr<PieceSink> make_piece_sink(const std::string& path);

/// The end of the path selects the format; otherwise as in make_document_sink(). `source` is not owned.
///   JSON Lines  recipe_id (16 hexadecimal digits), source, row, id (a string or null), exact (32 hexadecimal digits), features, too_short;
///               then signature (an array of numbers), or fingerprint (a string); null when too_short
///   .tsv        a table: id, source, row, and fingerprint, or signature with commas between the lanes; empty when too_short
///   .npy        an array for NumPy (format 1.0): fingerprints as uint64 of shape (n,), or (n, 2) for 128 bits, the low half first;
///               signatures as uint32 of shape (n, lanes). Neither compressed nor to standard output
///   .bin        the bytes of that array without its header
/// In arrays row i is the i-th document that was not rejected, and a text that is too short has a row of zeros.
std::unique_ptr<SketchSink> make_sketch_sink(const std::string& path, const DocumentSource& source,
                                             FingerprintText fingerprints = FingerprintText::kHex);

}  // namespace neardup
