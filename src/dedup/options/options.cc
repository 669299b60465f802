#include "neardup/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/limits.h"
#include "base/percent.h"
#include "dedup/corpus/keep_policy.h"
#include "dedup/options/option_values.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::string_view kMatching = "Which texts match";
constexpr std::string_view kKeeping = "Which documents are kept";
constexpr std::string_view kReading = "Reading";
constexpr std::string_view kMachine = "The machine";
constexpr bool kEssential = true;
constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();

uint64_t bounded_bytes(std::string_view option, std::string_view text, uint64_t min, uint64_t max) {
  const uint64_t bytes = parse_bytes(option, text);
  if (bytes < min || bytes > max) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: expected {} to {} bytes, not '{}'", option, format_bytes_exactly(min), format_bytes_exactly(max), text));
  }
  return bytes;
}

// 0 stands for a default that depends on the machine.
uint64_t memory_bytes(std::string_view text) {
  const uint64_t bytes = parse_bytes("memory", text);
  if (bytes != 0 && bytes < limits::kMinMemory) {
    throw Error(ErrorCode::kUsage,
                fmt::format("memory: expected 0 or at least {}, not '{}'", format_bytes_exactly(limits::kMinMemory), text));
  }
  return bytes;
}

uint32_t small_number(std::string_view option, std::string_view text, uint32_t max) {
  return static_cast<uint32_t>(parse_number(option, text, 0, max));
}

// "0", "0.0", ".00".
bool is_zero(std::string_view text) {
  return text.find('0') != std::string_view::npos && text.find_first_not_of("0.") == std::string_view::npos &&
         std::ranges::count(text, '.') <= 1;
}

std::string flag_text(bool value) {
  return value ? "true" : "false";
}

constexpr auto kRows = std::to_array<OptionRow>({
    {"recipe", "PRESET|FILE", "words-5", "a preset or a JSON file", kMatching,
     "dedup pairs compare explain evaluate sketch index query plan clean lines idf store",
     "how a text becomes features; neardup recipe --list shows the presets",
     [](Options& options, std::string_view text) {
       if (text.empty()) throw Error(ErrorCode::kUsage, "recipe: expected the name of a preset or a file, not ''");
       options.recipe = text;
     },
     [](const Options& options) { return options.recipe; }, kEssential},
    {"clean", "html|tags|none", "", "html, tags, none", kMatching,
     "dedup pairs compare explain evaluate sketch index query clean lines idf",
     "how markup is removed: html: only the visible text of pages; tags: <...>; none: not at all; default: the recipe's cleaners",
     [](Options& options, std::string_view text) {
       constexpr std::array<std::string_view, 3> kNames{"html", "tags", "none"};
       options.clean = kNames[parse_choice("clean", text, {"html", "tags", "none"})];
     },
     [](const Options& options) { return options.clean; }},
    {"threshold", "T", "0.8", "above 0, at most 1", kMatching, "dedup pairs compare explain evaluate search plan store",
     "minimum similarity (Jaccard, or see --measure) of two matching texts; at most six decimals",
     [](Options& options, std::string_view text) { options.threshold = parse_fraction("threshold", text, "0.8"); },
     [](const Options& options) { return format_fraction(options.threshold); }, kEssential},
    {"measure", "jaccard|containment", "jaccard", "jaccard, containment", kMatching, "dedup pairs compare explain evaluate",
     "jaccard: both texts are alike; containment: one has the share --threshold of the other's features (--keep auto, which puts "
     "containers first, makes sense)",
     [](Options& options, std::string_view text) {
       options.measure = parse_choice("measure", text, {"jaccard", "containment"}) == 0 ? Measure::kJaccard : Measure::kContainment;
     },
     [](const Options& options) { return std::string(options.measure == Measure::kJaccard ? "jaccard" : "containment"); }},
    {"min_contained", "N", "20", "1 to 4294967295", kMatching, "dedup pairs compare explain evaluate",
     "under --measure containment: a text with fewer features (such as 5-grams) counts as contained only in its exact copies",
     [](Options& options, std::string_view text) {
       options.min_contained = static_cast<uint32_t>(parse_number("min_contained", text, 1, kMax32));
     },
     [](const Options& options) { return fmt::format("{}", options.min_contained); }},
    {"min_jaccard", "T", "0", "0 to 1", kMatching, "dedup pairs compare explain evaluate",
     "under --measure containment: minimum Jaccard similarity of the two texts, too; 0: any size. Raise it if texts share a template",
     [](Options& options, std::string_view text) {
       options.min_jaccard = is_zero(text) ? std::nullopt : std::optional(parse_fraction("min_jaccard", text, "0.4"));
     },
     [](const Options& options) { return options.min_jaccard ? format_fraction(*options.min_jaccard) : std::string("0"); }},
    {"search", "lsh|exact|hamming", "lsh", "lsh, exact, hamming", kMatching, "dedup pairs explain evaluate plan",
     "lsh: fast, misses a few pairs (--miss-probability); exact: slower, misses none; hamming: for fingerprints, which use it under lsh, "
     "too",
     [](Options& options, std::string_view text) {
       constexpr std::array kChoices{Search::kLsh, Search::kExact, Search::kHamming};
       options.search = kChoices[parse_choice("search", text, {"lsh", "exact", "hamming"})];
     },
     [](const Options& options) {
       constexpr std::array<std::string_view, 3> kNames{"lsh", "exact", "hamming"};
       return std::string(kNames[static_cast<size_t>(options.search)]);
     }},
    {"verify", "true|false|jaccard|cosine|weighted-jaccard", "true", "true, false, jaccard, cosine, weighted-jaccard", kMatching,
     "dedup pairs explain evaluate",
     "how pairs are verified: true: by the recipe's measure; jaccard: by features; cosine, weighted-jaccard: by weighted features (TF-IDF "
     "of the corpus for a MinHash); false: not, which removes texts below the threshold, too",
     [](Options& options, std::string_view text) {
       constexpr std::array kChoices{Verify::kTrue, Verify::kFalse, Verify::kJaccard, Verify::kCosine, Verify::kWeightedJaccard};
       options.verify = kChoices[parse_choice("verify", text, {"true", "false", "jaccard", "cosine", "weighted-jaccard"})];
     },
     [](const Options& options) {
       constexpr std::array<std::string_view, 5> kNames{"true", "false", "jaccard", "cosine", "weighted-jaccard"};
       return std::string(kNames[static_cast<size_t>(options.verify)]);
     }},
    {"max_distance", "K", "3", "0 to 128", kMatching, "dedup pairs compare explain evaluate index query plan store",
     "maximum number of different bits of two matching fingerprints; fingerprint recipes only",
     [](Options& options, std::string_view text) { options.max_distance = small_number("max_distance", text, 128); },
     [](const Options& options) { return fmt::format("{}", options.max_distance); }, kEssential},
    {"also", "PRESET|FILE", "", "a preset or a file", kMatching, "dedup pairs explain evaluate",
     "second recipe of the other kind (MinHash, fingerprint); pairs of either are verified by Jaccard similarity under --recipe",
     [](Options& options, std::string_view text) { options.also = text; }, [](const Options& options) { return options.also; }},
    {"miss_probability", "P", "0.002", "above 0, at most 1", kMatching, "dedup pairs compare explain evaluate plan store",
     "highest accepted probability that --search lsh misses a pair exactly at the threshold",
     [](Options& options, std::string_view text) { options.miss_probability = parse_fraction("miss_probability", text, "0.002"); },
     [](const Options& options) { return format_fraction(options.miss_probability); }},
    {"bands", "N", "0", "0 to 4096", kMatching, "dedup pairs compare explain evaluate plan store",
     "bands of the LSH search; requires --rows-per-band; 0: planned",
     [](Options& options, std::string_view text) { options.bands = small_number("bands", text, limits::kMaxLanes); },
     [](const Options& options) { return fmt::format("{}", options.bands); }},
    {"rows_per_band", "N", "0", "0 to 4096", kMatching, "dedup pairs compare explain evaluate plan store",
     "permutations (lanes) in a band; requires --bands; 0: planned",
     [](Options& options, std::string_view text) { options.rows_per_band = small_number("rows_per_band", text, limits::kMaxLanes); },
     [](const Options& options) { return fmt::format("{}", options.rows_per_band); }},
    {"block_on", "FIELD", "", "a name, dots lead into objects", kMatching, "dedup pairs explain evaluate",
     "compare only documents with the same string or number in FIELD, as the recipe normalizes it; those without one form one block",
     [](Options& options, std::string_view text) {
       if (text.find("[*]") != std::string_view::npos)
         throw Error(ErrorCode::kUsage, fmt::format("block_on: '{}' names elements of an array; a document is in one block", text));
       options.block_on = text;
     },
     [](const Options& options) { return options.block_on; }},
    {"min_length", "N", "0", "0 to 4294967295", kMatching, "dedup pairs evaluate store",
     "a text with fewer characters, as the recipe normalizes it, matches only its exact copies: short texts are alike by chance",
     [](Options& options, std::string_view text) { options.min_length = parse_number("min_length", text, 0, kMax32); },
     [](const Options& options) { return fmt::format("{}", options.min_length); }},
    {"max_candidates", "N", "1000", "0 to 4294967295", kMatching, "dedup pairs evaluate",
     "maximum comparisons of a document within one very large group, after which it counts as capped; 0: unlimited",
     [](Options& options, std::string_view text) { options.max_candidates = parse_number("max_candidates", text, 0, kMax32); },
     [](const Options& options) { return fmt::format("{}", options.max_candidates); }},

    {"keep", "POLICY[,POLICY...]", "auto", "auto, first, last, longest, shortest, source-order, max:FIELD, min:FIELD", kKeeping,
     "dedup evaluate", "which match is kept; later policies break ties; auto: first, or largest (--measure)",
     [](Options& options, std::string_view text) {
       static_cast<void>(KeepPolicy::parse(text));
       options.keep = text;
     },
     [](const Options& options) { return options.keep; }, kEssential},
    {"cluster", "scan|components", "scan", "scan, components", kKeeping, "dedup evaluate",
     "scan removes a document only if it matches a kept one itself; components keeps one of each connected group",
     [](Options& options, std::string_view text) {
       options.cluster = parse_choice("cluster", text, {"scan", "components"}) == 0 ? Cluster::kScan : Cluster::kComponents;
     },
     [](const Options& options) { return std::string(options.cluster == Cluster::kScan ? "scan" : "components"); }},
    {"protect", "FIELD=VALUE[,FIELD=VALUE...]", "", "fields with a string, a number, true or false", kKeeping, "dedup",
     "never remove a document whose FIELD is VALUE, and rank it before others, so that their copies of it go",
     [](Options& options, std::string_view text) { options.protect = parse_field_values("protect", text); },
     [](const Options& options) {
       std::string text;
       for (const FieldValue& rule : options.protect) text += fmt::format("{}{}={}", text.empty() ? "" : ",", rule.field, rule.value);
       return text;
     }},
    {"batch", "N", "0", "0 to 4294967295", kKeeping, "dedup",
     "work in slices of N documents: same result, but disk use grows with kept documents only; requires --keep auto or first; 0: one slice",
     [](Options& options, std::string_view text) { options.batch = parse_number("batch", text, 0, kMax32); },
     [](const Options& options) { return fmt::format("{}", options.batch); }},
    {"max_removed", "P%", "100%", "0% to 100%", kKeeping, "dedup",
     "fail before any output appears if more of the documents of one input would be removed; look why, or accept it",
     [](Options& options, std::string_view text) { options.max_removed = parse_share("max_removed", text); },
     [](const Options& options) { return percent_text(options.max_removed.millionths()); }},
    {"max_cluster", "N", "0", "0 to 4294967295", kKeeping, "dedup",
     "fail before any output appears if a kept document and those removed for it would be more than N documents; 0: any number",
     [](Options& options, std::string_view text) { options.max_cluster = parse_number("max_cluster", text, 0, kMax32); },
     [](const Options& options) { return fmt::format("{}", options.max_cluster); }},

    {"format", "auto|jsonl|text|warc|parquet|csv|tsv", "auto", "auto, jsonl, text, warc, parquet, csv, tsv", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "auto: by the ending of the file name; text: every file is one document",
     [](Options& options, std::string_view text) {
       options.format = static_cast<InputFormat>(parse_choice("format", text, {"auto", "jsonl", "text", "warc", "parquet", "csv", "tsv"}));
     },
     [](const Options& options) {
       // In the order of InputFormat.
       constexpr std::array<std::string_view, 7> kNames{"auto", "jsonl", "text", "warc", "parquet", "csv", "tsv"};
       return std::string(kNames[static_cast<size_t>(options.format)]);
     }},
    {"text_field", "FIELD[,FIELD...]", "text", "names, dots lead into objects, [*] into arrays", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "field of a record that holds the text; several fields, and elements of an array (messages[*].content), are joined by newlines",
     [](Options& options, std::string_view text) { options.text_field = parse_list("text_field", text); },
     [](const Options& options) { return fmt::format("{}", fmt::join(options.text_field, ",")); }, kEssential},
    {"id_field", "FIELD", "auto", "a name, dots lead into objects", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "field of a record that holds the id, a string or number; auto: id in files, _id in MongoDB, the key in SQL",
     [](Options& options, std::string_view text) { options.id_field = text; }, [](const Options& options) { return options.id_field; }},
    {"where", "CONDITION", "", "in the language of the database", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "which documents of a database to read: a MongoDB filter in JSON, or an SQL condition (without WHERE); default: all",
     [](Options& options, std::string_view text) { options.where = text; }, [](const Options& options) { return options.where; }},
    {"key", "COLUMN", "", "a column with unique values", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "column that orders the rows of a table or query; default: the primary key",
     [](Options& options, std::string_view text) { options.key = text; }, [](const Options& options) { return options.key; }},
    {"charset", "NAME", "utf-8", "auto, utf-8, gb18030, big5, utf-16le, ...", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "encoding of text files that do not declare it by a byte order mark or in HTML; auto detects it; JSON Lines is always UTF-8",
     [](Options& options, std::string_view text) {
       if (text.empty()) throw Error(ErrorCode::kUsage, "charset: expected auto or the name of a charset, not ''");
       options.charset = text;
     },
     [](const Options& options) { return options.charset; }},
    {"duckdb_library", "FILE", "", "the file of DuckDB's C library", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf doctor store",
     "libduckdb.so, which reads and writes Parquet, CSV and TSV; default: NEARDUP_DUCKDB, else where it is usually installed; "
     "neardup doctor --fetch-duckdb gets it",
     [](Options& options, std::string_view text) { options.duckdb_library = text; },
     [](const Options& options) { return options.duckdb_library; }},
    {"max_record_bytes", "SIZE", "256MiB", "1 to 256MiB", kReading,
     "dedup pairs quotes compare explain tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "longer lines and text files are rejected; SIZE as for --memory",
     [](Options& options, std::string_view text) {
       options.max_record_bytes = bounded_bytes("max_record_bytes", text, 1, limits::kMaxTextBytes);
     },
     [](const Options& options) { return format_bytes_exactly(options.max_record_bytes); }},
    {"max_rejects", "N|P%", "auto", "auto, a number of records, 0% to 100%", kReading,
     "dedup pairs quotes tune evaluate generate sketch index query search clean lines tokenize keywords idf store",
     "fail if more records are rejected; auto: 1%, from 1,000 records on; 100%: accept everything, even damaged files",
     [](Options& options, std::string_view text) { options.max_rejects = RejectLimit::parse(text); },
     [](const Options& options) { return options.max_rejects.to_text(); }},
    {"strict", "", "false", "", kReading,
     "dedup pairs quotes tune generate sketch index query search clean lines tokenize keywords idf store",
     "exit with code 3 if records were rejected; the outputs are still written",
     [](Options& options, std::string_view text) { options.strict = parse_flag("strict", text); },
     [](const Options& options) { return flag_text(options.strict); }},

    {"memory", "SIZE", "0", "0, or at least 64M", kMachine, "dedup pairs quotes tune evaluate sketch index plan task lines idf store",
     "memory budget, such as 8G (8 * 10^9 bytes) or 8GiB (8 * 2^30); larger data go to --temp-dir; 0: half of the machine's memory",
     [](Options& options, std::string_view text) { options.memory = memory_bytes(text); },
     [](const Options& options) { return format_bytes_exactly(options.memory); }},
    {"threads", "N", "0", "0 to 1024", kMachine,
     "dedup pairs quotes tune evaluate generate sketch index query search plan task clean lines tokenize keywords idf store serve",
     "number of threads; it does not change the result; 0: all cores",
     [](Options& options, std::string_view text) { options.threads = small_number("threads", text, limits::kMaxThreads); },
     [](const Options& options) { return fmt::format("{}", options.threads); }, kEssential},
    {"temp_dir", "DIR", "", "a folder", kMachine,
     "dedup pairs quotes tune evaluate generate sketch index query search task clean lines tokenize keywords idf doctor store",
     "folder for data that exceed the memory; its files vanish with the program; default: TMPDIR, else /tmp",
     [](Options& options, std::string_view text) { options.temp_dir = text; }, [](const Options& options) { return options.temp_dir; }},
});

}  // namespace

std::span<const OptionRow> option_table() {
  return kRows;
}

}  // namespace neardup
