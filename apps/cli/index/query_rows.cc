#include "cli/index/query_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/compare/read_text.h"
#include "cli/compare/text_fingerprint.h"
#include "cli/index/block_options.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/reporter.h"
#include "cli/text_format.h"
#include "neardup/error.h"
#include "neardup/io.h"
#include "neardup/sketcher.h"
#include "neardup/tools/block_rows.h"
#include "neardup/tools/match_rows.h"
#include "neardup/tools/plan.h"

namespace neardup::cli {
namespace {

// Each once, in the order in which they were given.
std::vector<Fingerprint128> queries_of(const Invocation& invocation, const RowQuery& query) {
  const int kinds = int{invocation.has("fingerprint")} + int{invocation.has("text")} + int{invocation.has("file")};
  if (kinds != 1) throw Error(ErrorCode::kUsage, "give exactly one query: --fingerprint, --text or --file");
  if (invocation.has("text") || invocation.has("file")) {
    const Recipe recipe = Recipe::load(invocation.options.recipe);
    check_blocks(query.blocks, recipe);
    if (invocation.has("text")) return {fingerprint_of(invocation.value("text"), "--text", recipe)};
    const std::string path = invocation.value("file");
    return {fingerprint_of(to_utf8(read_text(path), invocation.options.charset), fmt::format("'{}'", path), recipe)};
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

}  // namespace

void add_row_options(std::vector<LocalOption>& options) {
  constexpr std::string_view kRows = "Rows of a database";
  options.insert(
      options.end(),
      {
          {"--from-rows", "", kRows, "read candidate rows, of ROWS or standard input, and print those that are neighbours"},
          {"--blocks", "MxW", kRows, "the blocks that were looked up, as in neardup sketch; they serve distances up to M - 1 [4x16]"},
          {"--fingerprint-format", kFingerprintForms, kRows, "how the rows, and --fingerprint, hold fingerprints [hex]"},
      });
}

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
  query.queries = queries_of(invocation, query);
  const std::string output = invocation.value("output", "-");
  if (output == "-" && !invocation.has("rejects")) end_by_interrupts();  // nothing can be left half done
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
  if (!invocation.options.strict || matches.rejected == 0) return kDone;
  return kRejectedRecords;
}

}  // namespace neardup::cli
