#include <fmt/format.h>

#include "commands.h"
#include "neardup/error.h"
#include "query_rows.h"

namespace neardup::cli {
namespace {

int run(const Invocation& invocation, Reporter& reporter) {
  if (invocation.has("from-rows")) return query_rows(invocation, reporter);
  throw Error(ErrorCode::kUsage, "where to look: --from-rows reads candidate rows of a database");
}

std::vector<LocalOption> query_options() {
  constexpr std::string_view kQuery = "What is looked for";
  std::vector<LocalOption> options{
      {"--fingerprint", "HEX", kQuery, "a fingerprint", true},
      {"--text", "TEXT", kQuery, "the fingerprint of this text, by --recipe"},
      {"--file", "FILE", kQuery, "that of the text in this file; - is standard input"},
  };
  add_row_options(options);
  options.insert(options.end(),
                 {
                     {"-o,--output", "FILE", "Outputs", "the neighbours: a table, or JSON Lines if the name ends in .jsonl [-]"},
                     {"--rejects", "FILE", "Outputs", "rows that could not be read, as they are"},
                     {"--log-format", "text|json", "Report", "what standard error gets [text]"},
                     {"-q,--quiet", "", "Report", "say nothing but errors"},
                 });
  return options;
}

}  // namespace

const Command& query_command() {
  static const Command command{
      .name = "query",
      .sentence = "find the fingerprints within a Hamming distance of one that is given",
      .usage = "--from-rows [ROWS] (--fingerprint HEX | --text TEXT | --file FILE) [options]",
      .examples =
          "sqlite3 -header -tabs rows.db \"$LOOKUP\" | neardup query --from-rows --fingerprint 9f3c2b1a00ff1234\n"
          "neardup query --from-rows rows.jsonl --blocks 8x16 --max-distance 7 --recipe simhash-wide.json --file page.txt -o near.jsonl",
      .details =
          "--from-rows: rows that neardup sketch --blocks wrote and a database gave back by (block, value): JSON Lines, or a table with a\n"
          "header, which needs the columns fingerprint and id; block and value are checked if they are there. Neighbours are printed once\n"
          "each, by distance, then id: query, id, fingerprint, distance. docs/drawers.md has the schema and the lookups.",
      .least_arguments = 0,
      .most_arguments = 1,
      .options = query_options(),
      .run = run,
  };
  return command;
}

}  // namespace neardup::cli
