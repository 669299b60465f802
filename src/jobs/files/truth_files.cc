#include "neardup/tools/truth_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "io/files/text_lines.h"
#include "io/fingerprints/row_cells.h"
#include "neardup/error.h"
#include "neardup/tools/map_documents.h"

namespace neardup {
namespace {

constexpr size_t kMaxTruthLine = 1u << 20;
constexpr std::array<std::string_view, 3> kPairColumns{"id_a", "id_b", "similarity"};
constexpr std::array<std::string_view, 2> kLabelColumns{"id", "label"};
enum VerdictColumn : size_t { kDocument, kSource, kRow, kVerdict, kKeeperSource, kKeeperRow, kSimilarity };
constexpr std::array<std::string_view, 7> kVerdictColumns{"id", "source", "row", "verdict", "keeper_source", "keeper_row", "similarity"};

// Reads a file row by row. All messages name the file and the line.
class TruthRows {
 public:
  TruthRows(const std::string& path, std::span<const std::string_view> columns, size_t needed)
      : columns_(columns), needed_(needed), lines_(path, kMaxTruthLine), cells_(columns, RowCells::Null::kNoCell) {}

  // The next row; false at the end.
  bool next() {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() == 1 && line.starts_with(kUtf8Mark)) line.remove_prefix(kUtf8Mark.size());
      if (is_blank(line)) continue;
      if (!begun_ && begin(line)) continue;
      if (lines_.cut()) fail(fmt::format("longer than the {} bytes of a row", kMaxTruthLine));
      if (const Problem problem = cells_.split(line); !problem.empty()) fail(problem.text);
      for (size_t i = 0; i < needed_; ++i) {
        if (!cells_[i]) fail(fmt::format("{} is missing", columns_[i]));
      }
      return true;
    }
    return false;
  }

  [[nodiscard]] const std::optional<std::string>& operator[](size_t column) const { return cells_[column]; }

  // A similarity from 0 to 1, in millionths; an empty cell is none.
  [[nodiscard]] std::optional<uint32_t> millionths(size_t column) const {
    const std::optional<std::string>& text = cells_[column];
    if (!text || text->empty()) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() || !(value >= 0 && value <= 1)) {
      fail(fmt::format("{}: expected a number from 0 to 1, not {}", columns_[column], shown_cell(*text)));
    }
    return static_cast<uint32_t>(std::llround(value * 1e6));
  }
  [[nodiscard]] uint64_t row_number(size_t column) const {
    const std::string text = cells_[column].value_or("");
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(fmt::format("{}: expected a whole number, not {}", columns_[column], shown_cell(text)));
    }
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kInput, fmt::format("{}:{}: {}", lines_.name(), lines_.number(), what));
  }

 private:
  // True if the line is a header. A table without one has the columns in their order, the optional ones as far as the first line has them.
  bool begin(std::string_view line) {
    begun_ = true;
    if (line[line.find_first_not_of(" \t\r")] == '{') return false;
    std::string names;
    size_t cells = 0;
    bool header = false;
    for (size_t at = 0; at <= line.size(); ++cells) {
      const size_t tab = std::min(line.find_first_of("\t\r", at), line.size());
      header = header || line.substr(at, tab - at) == columns_.front();
      at = tab + 1;
    }
    if (line.ends_with('\r')) --cells;
    if (!header && (cells < needed_ || cells > columns_.size())) {
      fail(fmt::format("expected a table with the columns {} and tabs between them, or JSON Lines, not {}", column_list(),
                       shown_cell(line)));
    }
    for (size_t i = 0; i < cells && i < columns_.size(); ++i) names += (i == 0 ? "" : "\t") + std::string(columns_[i]);
    try {
      cells_.set_header(header ? line : names);
    } catch (const Error& error) {
      fail(error.what());
    }
    for (size_t i = 0; i < needed_; ++i) {
      if (!cells_.has(i)) fail(fmt::format("the header has no column '{}'; expected {}", columns_[i], column_list()));
    }
    return header;
  }
  [[nodiscard]] std::string column_list() const {
    std::string list;
    for (const std::string_view name : columns_) list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
  }

  std::span<const std::string_view> columns_;
  const size_t needed_;
  TextLines lines_;
  RowCells cells_;
  bool begun_ = false;
};

[[noreturn]] void fail_unknown(const std::string& path, const std::string& example) {
  throw Error(ErrorCode::kInput,
              example.empty() ? fmt::format("{}: there are no rows", path)
                              : fmt::format("{}: no row names documents of the corpus; the first names {}: are these its ids (--id-field)?",
                                            path, shown_cell(example)));
}

// Pieces are 'l' and the label, or empty.
class LabelSink final : public PieceSink {
 public:
  LabelSink(const DecisionTable& table, Truth& truth) : table_(table), truth_(truth) {}
  void append(const DocumentId& where, std::string_view piece) override {
    if (piece.empty()) return;
    if (const auto document = table_.find(where)) {
      truth_.label(*document, piece.substr(1));
      ++labels;
    }
  }
  void commit() override {}
  void withdraw() noexcept override {}

  uint64_t labels = 0;

 private:
  const DecisionTable& table_;
  Truth& truth_;
};

}  // namespace

void read_truth_pairs(const std::string& path, const DecisionTable& table, Truth& truth) {
  TruthRows rows(path, kPairColumns, 2);
  std::string first;
  uint64_t known = 0;
  while (rows.next()) {
    if (first.empty()) first = *rows[0];
    const auto a = table.find(*rows[0]);
    const auto b = table.find(*rows[1]);
    const auto similarity = rows.millionths(2);
    if (!a || !b) {
      truth.unknown();
      continue;
    }
    truth.pair(*a, *b, similarity);
    ++known;
  }
  if (known == 0) fail_unknown(path, first);
}

void read_truth_clusters(const std::string& path, const DecisionTable& table, Truth& truth) {
  TruthRows rows(path, kLabelColumns, 2);
  std::string first;
  uint64_t known = 0;
  while (rows.next()) {
    if (first.empty()) first = *rows[0];
    const auto document = table.find(*rows[0]);
    if (!document) {
      truth.unknown();
      continue;
    }
    truth.label(*document, *rows[1]);
    ++known;
  }
  if (known == 0) fail_unknown(path, first);
}

void read_truth_field(const RunHooks& run, uint32_t threads, const std::string& field, const DecisionTable& table, Truth& truth) {
  LabelSink sink(table, truth);
  const auto map = [](uint32_t, const Record& record, std::string& out) {
    if (!record.block.empty()) (out += 'l') += record.block;
    return false;
  };
  MapRun job{run, &sink, {}};
  job.max_rejects = RejectLimit::parse("100%");  // the run has judged them
  job.rejects = nullptr;
  map_documents("labels", threads, map, job);
  if (sink.labels == 0) {
    throw Error(ErrorCode::kInput, fmt::format("--label-field: no document has a string or number in the field '{}'", field));
  }
}

bool is_verdict_file(const std::string& path) {
  TextLines lines(path, kMaxTruthLine);
  std::string_view line;
  if (!lines.next(line)) return false;
  if (line.starts_with("id\tsource\trow\tverdict\treason\t")) return true;
  if (!line.starts_with("{\"id\":")) return false;
  RowCells cells(kVerdictColumns, RowCells::Null::kNoCell);
  return cells.split(line).empty() && cells[kSource] && cells[kRow] && (cells[kVerdict] == "keep" || cells[kVerdict] == "remove");
}

void read_verdicts(const std::string& path, DecisionTable& table) {
  TruthRows rows(path, kVerdictColumns, 0);
  std::map<std::string, uint32_t> sources;
  const auto source_number = [&sources](const std::string& name) {
    return sources.try_emplace(name, static_cast<uint32_t>(sources.size())).first->second;
  };
  std::string place;
  while (rows.next()) {
    for (const size_t column : {kSource, kRow, kVerdict}) {
      if (!rows[column]) rows.fail(fmt::format("{} is missing: expected a file that dedup --verdicts wrote", kVerdictColumns[column]));
    }
    const bool removed = rows[kVerdict] == "remove";
    if (!removed && rows[kVerdict] != "keep")
      rows.fail(fmt::format("verdict: expected keep or remove, not {}", shown_cell(*rows[kVerdict])));
    DecisionTable::Row row{.where = {source_number(*rows[kSource]), rows.row_number(kRow)}, .name = {}, .removed = removed, .keeper = {}};
    // An absent id is null in JSON, an empty cell in a table.
    place = rows[kDocument] && !rows[kDocument]->empty() ? *rows[kDocument] : fmt::format("{}:{}", *rows[kSource], *rows[kRow]);
    row.name = place;
    if (removed) {
      if (!rows[kKeeperSource]) rows.fail("keeper_source is missing");
      row.keeper = {source_number(*rows[kKeeperSource]), rows.row_number(kKeeperRow)};
      row.similarity_millionths = rows.millionths(kSimilarity).value_or(0);
    }
    table.add(row);
  }
  table.finish();
  if (table.size() == 0) throw Error(ErrorCode::kInput, fmt::format("{}: there are no verdicts", path));
}

}  // namespace neardup
