#include "neardup/tools/match_rows.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/files/text_lines.h"
#include "io/fingerprints/block_rows.h"
#include "io/json/field_text.h"
#include "neardup/error.h"
#include "neardup/tools/reject_limit.h"

namespace neardup {
namespace {

constexpr size_t kMaxRowBytes = 1u << 20;
constexpr std::string_view kRowField = "the fingerprint or id";

class RowMatcher {
 public:
  RowMatcher(const RowQuery& query, const std::string& path, const std::string& rejects)
      : query_(query), lines_(path, kMaxRowBytes), parser_(query.blocks, query.fingerprints) {
    if (!rejects.empty()) rejects_.emplace(rejects);
  }

  RowMatches go() {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() == 1 && line.starts_with(kUtf8Mark)) line.remove_prefix(kUtf8Mark.size());
      if (is_blank(line)) continue;
      if (!begun_ && begin(line)) continue;
      read(line);
    }
    RejectTotals totals = rejected_.totals(matches_.rows);
    totals.unit = "row";
    totals.field = kRowField;
    check_rejects(query_.max_rejects, totals);
    if (rejects_) rejects_->commit();
    matches_.rejected = rejected_.total();
    matches_.rejected_by_kind = rejected_.by_kind();
    matches_.neighbours.assign(found_.begin(), found_.end());
    warn_of_versions();
    return std::move(matches_);
  }

 private:
  // True if the line is a header, and not a row.
  bool begin(std::string_view line) {
    begun_ = true;
    if (line[line.find_first_not_of(" \t\r")] == '{') return false;
    try {
      parser_.set_header(line);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}:{}: {}", lines_.name(), lines_.number(), error.what()));
    }
    header_ = line;
    return true;
  }

  void read(std::string_view line) {
    ++matches_.rows;
    const Problem problem = lines_.cut() ? Problem{fmt::format("longer than the {} bytes of a row", kMaxRowBytes), RejectKind::kTooLong}
                                         : parser_.parse(line, row_);
    if (!problem.empty()) {
      reject(line, problem);
      return;
    }
    for (uint32_t i = 0; i < query_.queries.size(); ++i) {
      const uint32_t distance = hamming_distance(query_.queries[i], row_.fingerprint);
      if (distance <= query_.max_distance) found_.insert({i, distance, row_.id, row_.fingerprint});
    }
  }

  void reject(std::string_view line, const Problem& problem) {
    rejected_.add(fmt::format("{}:{}", lines_.name(), lines_.number()), problem.kind, problem.text, matches_.warnings);
    if (!rejects_) return;
    // With the header, so that the repaired file can be read.
    if (rejected_.total() == 1 && !header_.empty()) rejects_->append(header_ + "\n");
    rejects_->append(line);
    rejects_->append("\n");
  }

  // An id with several fingerprints had a text that changed, and rows of the older one are still there.
  void warn_of_versions() {
    std::set<std::string_view> ids;
    uint64_t count = 0;
    uint32_t query = 0;
    for (const RowNeighbour& neighbour : matches_.neighbours) {
      if (neighbour.query != query) ids.clear();
      query = neighbour.query;
      if (ids.insert(neighbour.id).second || count++ >= kMaxWarnings) continue;
      matches_.warnings.push_back(
          fmt::format("id '{}' has more than one fingerprint: are rows of an older version of it still stored?", neighbour.id));
    }
  }

  const RowQuery& query_;
  TextLines lines_;
  BlockRowParser parser_;
  RejectLog rejected_;
  std::optional<OutputFile> rejects_;
  std::string header_;
  bool begun_ = false;
  BlockRow row_;
  std::set<RowNeighbour> found_;  // ordered, and each once
  RowMatches matches_;
};

}  // namespace

RowMatches match_rows(const RowQuery& query, const std::string& path, const std::string& rejects) {
  if (query.max_distance > query.blocks.radius()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("distance {} is too large for blocks '{}', which cover at most {}: a fingerprint that differs in {} bits may differ in "
                    "every block, and then no lookup finds it; {} blocks would cover it",
                    query.max_distance, query.blocks.text(), query.blocks.radius(), query.max_distance, query.max_distance + 1));
  }
  return RowMatcher(query, path, rejects).go();
}

void write_neighbours(const std::string& path, const RowQuery& query, std::span<const RowNeighbour> neighbours) {
  const bool json = has_ending(without_compression_suffix(path), ".jsonl");
  OutputFile file(path);
  std::string line = json ? "" : "query\tid\tfingerprint\tdistance\n";
  for (const RowNeighbour& neighbour : neighbours) {
    line += json ? "{\"query\":\"" : "";
    append_fingerprint(query.fingerprints, query.blocks.bits(), query.queries[neighbour.query], line);
    line += json ? "\",\"id\":" : "\t";
    json ? append_json_string(neighbour.id, line) : append_tsv_cell(neighbour.id, line);
    line += json ? ",\"fingerprint\":\"" : "\t";
    append_fingerprint(query.fingerprints, query.blocks.bits(), neighbour.fingerprint, line);
    line += json ? "\",\"distance\":" : "\t";
    append_number(neighbour.distance, line);
    line += json ? "}\n" : "\n";
    file.append(line);
    line.clear();
  }
  file.append(line);
  file.commit();
}

}  // namespace neardup
