#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/index/query_index.h"
#include "cli/interrupt.h"
#include "cli/options/check_invocation.h"
#include "cli/options/fingerprint_options.h"
#include "cli/read_text.h"
#include "cli/terminal/reporter.h"
#include "cli/terminal/text_format.h"
#include "neardup/error.h"
#include "neardup/hamming_store.h"
#include "neardup/io.h"
#include "neardup/sketcher.h"
#include "neardup/tools/block_rows.h"
#include "neardup/tools/match_rows.h"
#include "neardup/tools/plan.h"
#include "neardup/tools/run_recipe.h"

namespace neardup::cli {
namespace {

// Each once, in the given order.
std::vector<Fingerprint128> queries_of(const Invocation& invocation, const RowQuery& query, Reporter& reporter) {
  const int kinds = int{invocation.has("fingerprint")} + int{invocation.has("text")} + int{invocation.has("file")};
  if (kinds != 1) throw Error(ErrorCode::kUsage, "give exactly one query: --fingerprint, --text or --file");
  if (invocation.has("text") || invocation.has("file")) {
    const Recipe recipe = run_recipe(invocation.options);
    check_blocks(query.blocks, recipe);
    if (invocation.has("text")) return {fingerprint_of(invocation.value("text"), "--text", recipe)};
    const std::string path = invocation.value("file");
    return {fingerprint_of(read_utf8(path, invocation.options.charset, reporter), fmt::format("'{}'", path), recipe)};
  }
  std::vector<Fingerprint128> queries;
  for (const std::string& text : invocation.values("fingerprint")) {
    const auto fingerprint = parse_fingerprint(query.fingerprints, query.blocks.bits(), text);
    if (!fingerprint) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("--fingerprint: expected {} (of blocks {}), not '{}'",
                              describe_fingerprint_text(query.fingerprints, query.blocks.bits()), query.blocks.text(), text));
    }
    if (std::ranges::find(queries, *fingerprint) == queries.end()) queries.push_back(*fingerprint);
  }
  return queries;
}

// --from-rows: finds the neighbours among rows from a database.
int query_rows(const Invocation& invocation, Reporter& reporter) {
  if (invocation.arguments.size() > 1)
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is one argument too many: --from-rows reads one file of rows", invocation.arguments[1]));
  const std::string rows = invocation.arguments.empty() ? "-" : invocation.arguments.front();
  if (rows == "-" && invocation.value("file") == "-") throw Error(ErrorCode::kUsage, "standard input cannot be both --file and the rows");
  RowQuery query;
  query.blocks = blocks_option(invocation);
  query.fingerprints = fingerprint_text_option("fingerprint-format", invocation.value("fingerprint-format", "hex"));
  check_fingerprint_text(query.fingerprints, query.blocks.bits());
  query.max_distance = invocation.options.max_distance;
  query.max_rejects = invocation.options.max_rejects;
  query.queries = queries_of(invocation, query, reporter);
  const std::string output = invocation.value("output", "-");
  if (output == "-" && !invocation.has("rejects")) end_by_interrupts();  // nothing can be left incomplete
  std::vector outputs{output};
  if (invocation.has("rejects")) outputs.push_back(invocation.value("rejects"));
  check_outputs(outputs, std::vector{rows, invocation.value("file")});
  const RowMatches matches = match_rows(query, rows, invocation.value("rejects"));
  for (const std::string& warning : matches.warnings) reporter.warning(warning);
  write_neighbours(output, query, matches.neighbours);
  if (matches.rejected > 0) reporter.note(fmt::format("rejected: {}", matches.rejected_by_kind.to_text("the fingerprint or id")));
  reporter.note(fmt::format("{}, {} rejected, {} within {} of {}", counted(matches.rows, "row"), grouped(matches.rejected),
                            counted(matches.neighbours.size(), "neighbour"), query.max_distance,
                            query.queries.size() == 1 ? "the fingerprint" : counted(query.queries.size(), "fingerprint")));
  if (!invocation.options.strict || matches.rejected == 0) return kExitOk;
  return kExitRejects;
}

// Options of one mode are errors in the other, not ignored.
void refuse_options(const Invocation& invocation, std::string_view way, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} cannot be combined with {}", name, way));
  }
}

int run_query(const Invocation& invocation, Reporter& reporter) {
  if (invocation.has("from-rows")) {
    refuse_options(
        invocation, "--from-rows",
        {"limit", "count", "jsonl", "from-fingerprints", "summary", "format", "text-field", "id-field", "max-record-bytes", "threads"});
    return query_rows(invocation, reporter);
  }
  refuse_options(invocation, "an index", {"blocks"});
  constexpr std::string_view kWhere = "INDEX is a folder that neardup index build made; --from-rows reads candidate rows of a database";
  if (invocation.arguments.empty()) throw Error(ErrorCode::kUsage, fmt::format("no index is named: {}", kWhere));
  const std::string& folder = invocation.arguments.front();
  if (find_hamming_store(folder) == HammingStorePlace::kFile)
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is a file: {}", folder, kWhere));
  return query_index(invocation, reporter);
}

// What --from-rows needs besides the options of the table.
void add_row_options(std::vector<LocalOption>& options) {
  constexpr std::string_view kRows = "Rows of a database";
  options.insert(options.end(),
                 {
                     essential({"--from-rows", "", kRows, "read candidate rows from ROWS or standard input, and print the neighbours"}),
                     {"--blocks", "MxW", kRows, "the blocks that were looked up, as in neardup sketch; for distances up to M - 1 [4x16]"},
                     {"--fingerprint-format", kFingerprintForms, kRows, "how fingerprints are written in rows and in --fingerprint [hex]"},
                 });
}

std::vector<LocalOption> query_options() {
  constexpr std::string_view kQuery = "Query";
  std::vector<LocalOption> options{
      essential({"--fingerprint", "HEX", kQuery, "a fingerprint", true}),
      essential({"--text", "TEXT", kQuery, "a text; its fingerprint is made by the recipe of the index, or by --recipe"}),
      essential({"--file", "FILE", kQuery, "a file with a text; - is standard input"}),
  };
  add_index_options(options);
  add_row_options(options);
  options.insert(options.end(),
                 {
                     essential({"-o,--output", "FILE", "Outputs", "the neighbours: a table, or JSON Lines if the name ends in .jsonl [-]",
                                false, kTableEndings}),
                     {"--rejects", "FILE", "Outputs", "unreadable rows, records or lines, unchanged", false, kReportEndings},
                     {"--summary", "FILE", "Report", "the summary as JSON; for an index", false, kReportEndings},
                     {"--log-format", "text|json", "Report", "messages as text or JSON [text]"},
                     {"-q,--quiet", "", "Report", "print only errors"},
                 });
  return options;
}

}  // namespace

const Command& query_command() {
  static const Command command{
      .name = "query",
      .sentence = "find the neighbours of texts or fingerprints by Hamming distance, in an index or in database rows",
      .usage = "INDEX [INPUT...] | INDEX|--from-rows [ROWS] (--fingerprint HEX | --text TEXT | --file FILE) [options]",
      .examples =
          "neardup query seen --text \"have I seen this before\"\n"
          "neardup query seen new.jsonl -o near.tsv --max-distance 2 --limit 10\n"
          "tail -f incoming.jsonl | neardup query seen --jsonl\n"
          "neardup query seen --fingerprint 9f3c2b1a00ff1234 --count\n"
          "sqlite3 -header -tabs rows.db \"$LOOKUP\" | neardup query --from-rows --fingerprint 9f3c2b1a00ff1234\n"
          "neardup query --from-rows rows.jsonl --blocks 8x16 --max-distance 7 --recipe simhash-wide.json --file page.txt -o near.jsonl",
      .details =
          "INDEX is a folder that neardup index build made. INPUT is documents, as for neardup dedup, or fingerprints; without any, JSON\n"
          "Lines of standard input, which are answered as they arrive, in batches if several arrive together. Answers are in the order\n"
          "of the queries, the neighbours of each by distance, then in the order of addition: query, id, distance. A query is\n"
          "named by its id, or SOURCE:ROW, or its fingerprint. The default of --max-distance is the largest that the index was built for.\n"
          "--from-rows: rows of neardup sketch --blocks that a database returned by (block, value): JSON Lines, or a table with a\n"
          "header, which needs the columns fingerprint and id; block and value are checked if present. Neighbours are printed once\n"
          "each, by distance, then id: query, id, fingerprint, distance. docs/own-database.md has the schema and the lookups.",
      .min_arguments = 0,
      .max_arguments = std::numeric_limits<size_t>::max(),
      .options = query_options(),
      .run = run_query,
  };
  return command;
}

}  // namespace neardup::cli
