// Fingerprints in lines: JSON Lines, or a table with a header.
#include <fmt/format.h>

#include <array>

#include "io/files/text_lines.h"
#include "io/fingerprints/fingerprint_part.h"
#include "io/fingerprints/row_cells.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kMaxLineBytes = 1u << 20;
enum Column : size_t { kFingerprint, kId, kSource, kRow, kRecipe };
constexpr std::array<std::string_view, 5> kNames{"fingerprint", "id", "source", "row", "recipe_id"};

bool is_blank(std::string_view line) noexcept {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class FingerprintLines final : public FingerprintReader::Part {
 public:
  FingerprintLines(const std::string& path, FingerprintFormat& format)
      : path_(path), format_(format), lines_(path, kMaxLineBytes), cells_(kNames, RowCells::Null::kNoCell) {}

  Outcome next(FingerprintEntry& entry) override {
    while (lines_.next(line_)) {
      bytes_ += line_.size() + 1;
      if (lines_.number() == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
      if (is_blank(line_)) continue;
      if (!begun_) {
        begun_ = true;
        if (line_.find_first_not_of(" \t\r") != line_.find('{')) {
          set_header();
          continue;
        }
      }
      problem_ = parse(entry);
      return problem_.empty() ? Outcome::kEntry : Outcome::kRejected;
    }
    return Outcome::kEnd;
  }
  [[nodiscard]] bool waiting() const override { return lines_.waiting(); }
  [[nodiscard]] uint64_t bytes() const noexcept override { return bytes_; }
  [[nodiscard]] std::string place() const override { return fmt::format("{}:{}", path_, lines_.number()); }

 private:
  void set_header() {
    try {
      cells_.set_header(line_);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("'{}': {}", path_, error.what()));
    }
    if (!cells_.has(kFingerprint)) {
      throw Error(ErrorCode::kInput, fmt::format("'{}': the header has no column 'fingerprint'; expected a table with tabs between its "
                                                 "columns, or JSON Lines, not {}",
                                                 path_, shown_cell(line_)));
    }
  }

  Problem parse(FingerprintEntry& entry) {
    if (lines_.cut()) return {fmt::format("the line has more than {} bytes", kMaxLineBytes), RejectKind::kTooLong};
    Problem problem = cells_.split(line_);
    if (!problem.empty()) return problem;
    if (cells_[kRecipe]) check_recipe(*cells_[kRecipe]);
    name(entry);
    // Null is not a cell, and so is a member that is not there: told apart by the word.
    entry.too_short = !cells_[kFingerprint] || cells_[kFingerprint]->empty();
    if (entry.too_short) {
      const bool missing = line_.find(kNames[kFingerprint]) == std::string_view::npos && begins_object();
      return {missing ? "fingerprint is missing" : "", RejectKind::kMissingField};
    }
    const auto code = parse_fingerprint(format_.text, format_.bits, *cells_[kFingerprint]);
    if (!code) {
      return {fmt::format("fingerprint: expected {}, not {}", describe_fingerprint_text(format_.text, format_.bits),
                          shown_cell(*cells_[kFingerprint])),
              RejectKind::kInvalidValue};
    }
    entry.code = *code;
    return {};
  }

  [[nodiscard]] bool begins_object() const noexcept { return line_.find_first_not_of(" \t") == line_.find('{'); }

  void name(FingerprintEntry& entry) const {
    if (cells_[kId] && !cells_[kId]->empty()) {
      entry.name = *cells_[kId];
    } else if (cells_[kSource] && cells_[kRow]) {
      entry.name = fmt::format("{}:{}", *cells_[kSource], *cells_[kRow]);
    } else {
      entry.name = place();
    }
  }

  void check_recipe(const std::string& text) {
    const auto id = fingerprint64_from_hex(text);
    if (!id)
      throw Error(ErrorCode::kInput, fmt::format("{}: recipe_id: expected 16 hexadecimal digits, not {}", place(), shown_cell(text)));
    if (format_.recipe_id == 0) format_.recipe_id = id->low;
    if (format_.recipe_id != id->low) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{}: a fingerprint of recipe {}, where recipe {:016x} is expected", place(), text, format_.recipe_id));
    }
  }

  const std::string path_;
  FingerprintFormat& format_;
  TextLines lines_;
  RowCells cells_;
  uint64_t bytes_ = 0;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<FingerprintReader::Part> make_fingerprint_lines(const std::string& path, FingerprintFormat& format) {
  return std::make_unique<FingerprintLines>(path, format);
}

}  // namespace neardup
