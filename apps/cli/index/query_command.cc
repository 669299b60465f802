#include <fmt/format.h>

#include <initializer_list>
#include <limits>

#include "cli/check_invocation.h"
#include "cli/commands/commands.h"
#include "cli/index/query_index.h"
#include "cli/index/query_rows.h"
#include "neardup/error.h"
#include "neardup/hamming_store.h"

namespace neardup::cli {
namespace {

// Options of the one way do not silently mean nothing in the other.
void refuse(const Invocation& invocation, std::string_view way, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} cannot be combined with {}", name, way));
  }
}

int run(const Invocation& invocation, Reporter& reporter) {
  if (invocation.has("from-rows")) {
    refuse(invocation, "--from-rows",
           {"limit", "count", "jsonl", "from-fingerprints", "summary", "format", "text-field", "id-field", "max-record-bytes", "threads"});
    return query_rows(invocation, reporter);
  }
  refuse(invocation, "an index", {"blocks"});
  constexpr std::string_view kWhere = "INDEX is a folder that neardup index build made; --from-rows reads candidate rows of a database";
  if (invocation.arguments.empty()) throw Error(ErrorCode::kUsage, fmt::format("where to look: {}", kWhere));
  const std::string& folder = invocation.arguments.front();
  if (find_hamming_store(folder) == HammingStorePlace::kFile)
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is a file: {}", folder, kWhere));
  return query_index(invocation, reporter);
}

std::vector<LocalOption> query_options() {
  constexpr std::string_view kQuery = "What is looked for";
  std::vector<LocalOption> options{
      {"--fingerprint", "HEX", kQuery, "a fingerprint", true},
      {"--text", "TEXT", kQuery, "the fingerprint of this text, by the recipe of the index, or by --recipe"},
      {"--file", "FILE", kQuery, "that of the text in this file; - is standard input"},
  };
  add_index_options(options);
  add_row_options(options);
  options.insert(
      options.end(),
      {
          {"-o,--output", "FILE", "Outputs", "the neighbours: a table, or JSON Lines if the name ends in .jsonl [-]", false, kTableEndings},
          {"--rejects", "FILE", "Outputs", "rows, records or lines that could not be read, as they are", false, kReportEndings},
          {"--summary", "FILE", "Report", "the summary as JSON; of an index", false, kReportEndings},
          {"--log-format", "text|json", "Report", "what standard error gets [text]"},
          {"-q,--quiet", "", "Report", "say nothing but errors"},
      });
  return options;
}

}  // namespace

const Command& query_command() {
  static const Command command{
      .name = "query",
      .sentence = "find what has a fingerprint within a Hamming distance of a text's: in an index, or in rows of a database",
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
          "Lines of standard input, which are answered as they come, and those that come together, together. Answers stand in the order\n"
          "of the queries, the neighbours of one by distance, then in the order in which they were added: query, id, distance. A query is\n"
          "named by its id, or SOURCE:ROW, or its fingerprint. Without --max-distance, it is the largest that the index was built for.\n"
          "--from-rows: rows that neardup sketch --blocks wrote and a database gave back by (block, value): JSON Lines, or a table with a\n"
          "header, which needs the columns fingerprint and id; block and value are checked if they are there. Neighbours are printed once\n"
          "each, by distance, then id: query, id, fingerprint, distance. docs/own-database.md has the schema and the lookups.",
      .least_arguments = 0,
      .most_arguments = std::numeric_limits<size_t>::max(),
      .options = query_options(),
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
