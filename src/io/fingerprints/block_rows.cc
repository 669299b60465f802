#include "io/fingerprints/block_rows.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/format.h"
#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/bytes/output_file.h"
#include "io/json/field_text.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr std::array<std::string_view, 4> kBlockColumns{"block", "value", "fingerprint", "id"};

std::optional<uint64_t> whole_number(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// Before append() a piece has a first byte that is set if the id is in its rows. Otherwise the rows need a place that only append() knows,
// and the piece has only the beginnings of the rows, one per line.
constexpr char kWhole = 'w';
constexpr char kWithoutId = 'i';

class BlockRowSink final : public SketchSink {
 public:
  BlockRowSink(const std::string& path, const DocumentSource& source, const FingerprintBlocks& blocks, FingerprintText form)
      : source_(source), blocks_(blocks), form_(form), table_(has_ending(without_compression_suffix(path), ".tsv")), file_(path) {}

  void begin(const Recipe& recipe) override {
    check_blocks(blocks_, recipe);
    check_fingerprint_text(form_, blocks_.bits());
    if (table_) file_.append("block\tvalue\tfingerprint\tid\n");
  }

  void format(const DocumentSketch& sketch, std::string& out) const override {
    if (sketch.too_short) return;
    const bool named = sketch.has_id && !sketch.id.empty();
    out.push_back(named ? kWhole : kWithoutId);
    for (uint32_t block = 0; block < blocks_.size(); ++block) {
      const uint64_t value = blocks_.value(sketch.fingerprint, block);
      if (table_) {
        append_format(out, "{}\t{}\t", block, value);
      } else {
        append_format(out, R"({{"block":{},"value":{},"fingerprint":")", block, value);
      }
      append_fingerprint(form_, blocks_.bits(), sketch.fingerprint, out);
      out += table_ ? "\t" : "\",\"id\":";
      if (named) append_id(sketch.id, out);
      out.push_back('\n');
    }
  }

  void append(const DocumentId& where, std::string_view formatted) override {
    if (formatted.empty()) return;
    const std::string_view rows = formatted.substr(1);
    if (formatted.front() == kWhole) {
      file_.append(rows);
      return;
    }
    id_.clear();
    append_id(fmt::format("{}:{}", source_.source_name(where.source), where.row), id_);
    id_.push_back('\n');
    for (size_t at = 0; at < rows.size();) {
      const size_t end = rows.find('\n', at);
      file_.append(rows.substr(at, end - at));
      file_.append(id_);
      at = end + 1;
    }
  }

  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }

 private:
  // The end of a row.
  void append_id(std::string_view id, std::string& out) const {
    if (table_) {
      append_tsv_cell(id, out);
    } else {
      append_json_string(id, out);
      out.push_back('}');
    }
  }

  const DocumentSource& source_;
  const FingerprintBlocks blocks_;
  const FingerprintText form_;
  const bool table_;
  OutputFile file_;
  std::string id_;
};

}  // namespace

BlockRowParser::BlockRowParser(const FingerprintBlocks& blocks, FingerprintText form)
    : blocks_(blocks), form_(form), cells_(kBlockColumns, RowCells::Null::kProblem) {}

void BlockRowParser::set_header(std::string_view line) {
  cells_.set_header(line);
  for (const size_t needed : {kFingerprint, kId}) {
    if (!cells_.has(needed)) {
      throw Error(ErrorCode::kInput,
                  fmt::format("the header has no column '{}'; expected a table with the columns block, value, fingerprint, "
                              "id and tabs between them, or JSON Lines, not {}",
                              kBlockColumns[needed], shown_cell(line)));
    }
  }
}

Problem BlockRowParser::block_problem(Fingerprint128 fingerprint) const {
  const auto wrong = [](std::string what) { return Problem{std::move(what), RejectKind::kInvalidValue}; };
  if (!cells_[kBlock]) return {};
  const auto block = whole_number(*cells_[kBlock]);
  if (!block || *block >= blocks_.size())
    return wrong(
        fmt::format("block: expected 0 to {} (of blocks {}), not {}", blocks_.size() - 1, blocks_.text(), shown_cell(*cells_[kBlock])));
  if (!cells_[kValue]) return {};
  const uint64_t expected = blocks_.value(fingerprint, static_cast<uint32_t>(*block));
  if (whole_number(*cells_[kValue]) == expected) return {};
  return wrong(fmt::format("value: expected {}, which block {} of fingerprint {} has (of blocks {}), not {}", expected, *block,
                           shown_cell(*cells_[kFingerprint]), blocks_.text(), shown_cell(*cells_[kValue])));
}

Problem BlockRowParser::parse(std::string_view line, BlockRow& row) {
  Problem problem = cells_.split(line);
  if (!problem.empty()) return problem;
  for (const size_t needed : {kFingerprint, kId}) {
    if (!cells_[needed] || cells_[needed]->empty()) return {fmt::format("{} is missing", kBlockColumns[needed]), RejectKind::kMissingField};
  }
  const auto fingerprint = parse_fingerprint(form_, blocks_.bits(), *cells_[kFingerprint]);
  if (!fingerprint)
    return {fmt::format("fingerprint: expected {}, not {}", describe_fingerprint_text(form_, blocks_.bits()),
                        shown_cell(*cells_[kFingerprint])),
            RejectKind::kInvalidValue};
  problem = block_problem(*fingerprint);
  row = {*fingerprint, std::move(*cells_[kId])};
  return problem;
}

void check_blocks(const FingerprintBlocks& blocks, const Recipe& recipe) {
  if (!recipe.fingerprints()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("blocks '{}' are cut from fingerprints, but recipe '{}' makes MinHash signatures", blocks.text(), recipe.name));
  }
  if (recipe.bits != blocks.bits()) {
    throw Error(ErrorCode::kUsage, fmt::format("blocks '{}' have {} bits, but recipe '{}' makes fingerprints of {}", blocks.text(),
                                               blocks.bits(), recipe.name, recipe.bits));
  }
}

std::unique_ptr<SketchSink> make_block_row_sink(const std::string& path, const DocumentSource& source, const FingerprintBlocks& blocks,
                                                FingerprintText fingerprints) {
  return std::make_unique<BlockRowSink>(path, source, blocks, fingerprints);
}

}  // namespace neardup
