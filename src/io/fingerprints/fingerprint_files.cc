// A FingerprintReader reads its inputs one after the other, each by a Part of its kind: lines or an array.
#include "neardup/tools/fingerprint_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/bytes/decompress.h"
#include "io/bytes/name_ending.h"
#include "io/files/text_lines.h"
#include "io/fingerprints/row_cells.h"
#include "io/json/problem.h"
#include "neardup/error.h"

namespace neardup {

// The fingerprints of one input. The format given to a part outlives it; the constructors throw Error{kInput}.
class FingerprintReader::Part {
 public:
  virtual ~Part() = default;
  enum class Outcome { kEntry, kRejected, kEnd };
  // kEntry fills the entry; kRejected sets problem() and line(). Throws as FingerprintReader::next().
  virtual Outcome next(FingerprintEntry& entry) = 0;
  [[nodiscard]] virtual bool waiting() const { return false; }
  [[nodiscard]] virtual uint64_t bytes() const noexcept = 0;
  // The place of the last one, "FILE:ROW".
  [[nodiscard]] virtual std::string place() const = 0;

  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  [[nodiscard]] std::string_view line() const noexcept { return line_; }

 protected:
  Problem problem_;
  std::string_view line_;
};

namespace {

constexpr size_t kMaxLineBytes = 1u << 20;
constexpr size_t kBufferBytes = 1u << 18;  // of an array: whole rows
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxShown = 200;
constexpr uint64_t kUnknown = ~uint64_t{0};

enum Column : size_t { kFingerprint, kId, kSource, kRow, kRecipe };
constexpr std::array<std::string_view, 5> kFingerprintColumns{"fingerprint", "id", "source", "row", "recipe_id"};

// JSON Lines, or a table with a header, whose recipe it sets in the format.
class FingerprintLines final : public FingerprintReader::Part {
 public:
  FingerprintLines(const std::string& path, FingerprintFormat& format)
      : path_(path), format_(format), lines_(path, kMaxLineBytes), cells_(kFingerprintColumns, RowCells::Null::kNoCell) {}

  Outcome next(FingerprintEntry& entry) override {
    while (lines_.next(line_)) {
      bytes_ += line_.size() + 1;
      if (lines_.number() == 1 && line_.starts_with(kUtf8Mark)) line_.remove_prefix(kUtf8Mark.size());
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
    // Neither null nor a missing member is a cell: distinguished by the word.
    entry.too_short = !cells_[kFingerprint] || cells_[kFingerprint]->empty();
    if (entry.too_short) {
      const bool missing = line_.find(kFingerprintColumns[kFingerprint]) == std::string_view::npos && begins_object();
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

uint64_t load_little(const char* at) noexcept {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof value; ++i) value |= uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  return value;
}

// "(3, 2)" -> 3, 2; nothing else.
std::vector<uint64_t> shape_of(std::string_view header) {
  std::vector<uint64_t> shape;
  const size_t name = header.find("'shape'");
  if (name == std::string_view::npos) return shape;
  const size_t open = header.find('(', name);
  const size_t close = header.find(')', name);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return shape;
  const char* at = header.data() + open + 1;
  const char* const end = header.data() + close;
  while (at < end) {
    uint64_t value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc()) {
      ++at;
      continue;
    }
    shape.push_back(value);
    at = after;
  }
  return shape;
}

// An array of numbers: NumPy's formats 1.0 to 3.0, or the numbers alone.
class FingerprintArray final : public FingerprintReader::Part {
 public:
  FingerprintArray(const std::string& path, const FingerprintFormat& format)
      : path_(path), names_(format.names), row_bytes_(format.bits / 8), stream_(path, {}, true), buffer_(kBufferBytes, '\0') {
    char head[kSniffBytes];
    size_t got = 0;
    while (const size_t more = got < sizeof head ? stream_.read(head + got, sizeof head - got) : 0) got += more;
    stream_.rewind();
    decompressor_ = make_decompressor(sniff_compression({head, got}), stream_);
    if (has_ending(without_compression_suffix(path), ".npy")) read_header(format.bits);
  }

  Outcome next(FingerprintEntry& entry) override {
    if (at_ == end_ && !fill()) return Outcome::kEnd;
    const char* const row = buffer_.data() + at_;
    entry.code = {.high = row_bytes_ == 16 ? load_little(row + 8) : 0, .low = load_little(row)};
    at_ += row_bytes_;
    bytes_ += row_bytes_;
    entry.too_short = entry.code == Fingerprint128{};
    if (names_) entry.name = fmt::format("{}:{}", path_, rows_);
    ++rows_;
    return Outcome::kEntry;
  }
  [[nodiscard]] uint64_t bytes() const noexcept override { return bytes_; }
  [[nodiscard]] std::string place() const override { return fmt::format("{}:{}", path_, rows_); }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw Error(ErrorCode::kInput, fmt::format("'{}': {}", path_, what)); }

  void read_header(uint32_t bits) {
    char lead[12];
    if (decompressor_->read(lead, 10) != 10 || std::string_view(lead, kMagic.size()) != kMagic) refuse("no NumPy array begins here");
    const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(lead[i])); };
    size_t length = byte(8) | byte(9) << 8;
    if (byte(6) != 1) {
      if (byte(6) > 3 || decompressor_->read(lead + 10, 2) != 2) refuse(fmt::format("an array of version {}", byte(6)));
      length |= byte(10) << 16 | byte(11) << 24;
    }
    constexpr size_t kMaxHeader = 1u << 16;
    std::string header(std::min(length, kMaxHeader), '\0');
    if (length > kMaxHeader || decompressor_->read(header.data(), header.size()) != header.size()) refuse("the header is cut off");
    const std::vector<uint64_t> shape = shape_of(header);
    const bool words = header.find("'<u8'") != std::string::npos || header.find("'<i8'") != std::string::npos;
    const bool order = header.find("'fortran_order': False") != std::string::npos || shape.size() == 1;
    const uint64_t columns = shape.size() == 1 ? 1 : shape.size() == 2 ? shape[1] : 0;
    if (!words || !order || columns != bits / 64) {
      header.erase(header.find_last_not_of(" \n") + 1);
      refuse(fmt::format("fingerprints of {} bits are uint64 of shape {}; the array is {}", bits, bits == 64 ? "(n,)" : "(n, 2)",
                         shown_cell(header, kMaxShown)));
    }
    expected_ = shape[0];
  }

  bool fill() {
    at_ = 0;
    end_ = decompressor_->read(buffer_.data(), buffer_.size());
    if (end_ < buffer_.size()) {
      if (!decompressor_->damage().empty()) refuse(decompressor_->damage());
      if (end_ % row_bytes_ != 0) refuse(fmt::format("cut off: {} bytes after the last whole row of {}", end_ % row_bytes_, row_bytes_));
      const uint64_t rows = rows_ + end_ / row_bytes_;
      if (expected_ != kUnknown && rows != expected_) refuse(fmt::format("{} rows, but its header says {}", rows, expected_));
    }
    return end_ > 0;
  }

  const std::string path_;
  const bool names_;
  const size_t row_bytes_;
  SpooledStream stream_;
  std::unique_ptr<Decompressor> decompressor_;
  std::string buffer_;
  size_t at_ = 0;
  size_t end_ = 0;
  uint64_t rows_ = 0;
  uint64_t expected_ = kUnknown;
  uint64_t bytes_ = 0;
};

}  // namespace

bool is_fingerprint_array(std::string_view path) noexcept {
  const std::string_view name = without_compression_suffix(path);
  return has_ending(name, ".npy") || has_ending(name, ".bin");
}

FingerprintReader::FingerprintReader(std::vector<std::string> inputs, const FingerprintFormat& format, Reject reject)
    : inputs_(std::move(inputs)), format_(format), reject_(std::move(reject)) {
  check_fingerprint_text(format_.text, format_.bits);
  if (inputs_.empty()) throw Error(ErrorCode::kInput, "no input is given");
}

FingerprintReader::~FingerprintReader() = default;

void FingerprintReader::look_ahead() {
  if (ahead_) return;
  any_ahead_ = next(entry_ahead_);
  ahead_ = true;
}

bool FingerprintReader::next(FingerprintEntry& entry) {
  if (ahead_) {
    ahead_ = false;
    entry = entry_ahead_;
    return any_ahead_;
  }
  for (;;) {
    if (!part_) {
      if (next_input_ == inputs_.size()) return false;
      const std::string& path = inputs_[next_input_++];
      if (is_fingerprint_array(path)) {
        part_ = std::make_unique<FingerprintArray>(path, format_);
      } else {
        part_ = std::make_unique<FingerprintLines>(path, format_);
      }
    }
    switch (part_->next(entry)) {
      case Part::Outcome::kEntry:
        ++read_;
        return true;
      case Part::Outcome::kRejected:
        ++read_;
        rejects_.add(part_->place(), part_->problem().kind, part_->problem().text, warnings_);
        if (reject_) reject_(part_->line());
        break;
      case Part::Outcome::kEnd:
        bytes_before_ += part_->bytes();
        part_.reset();
        break;
    }
  }
}

bool FingerprintReader::waiting() const {
  return !ahead_ && part_ && part_->waiting();
}

RejectTotals FingerprintReader::reject_totals() const noexcept {
  RejectTotals totals = rejects_.totals(read_);
  totals.unit = "line";
  totals.field = kFingerprintField;
  return totals;
}

uint64_t FingerprintReader::input_bytes() const noexcept {
  return bytes_before_ + (part_ ? part_->bytes() : 0);
}

}  // namespace neardup
