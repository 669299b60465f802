// Fingerprints as an array of numbers: NumPy's formats 1.0 to 3.0, or the numbers alone.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "io/bytes/byte_stream.h"
#include "io/bytes/compression.h"
#include "io/bytes/decompress.h"
#include "io/bytes/name_ending.h"
#include "io/fingerprints/fingerprint_part.h"
#include "io/fingerprints/row_cells.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr size_t kBufferBytes = 1u << 18;  // whole rows
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostShown = 200;
constexpr uint64_t kUnknown = ~uint64_t{0};

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
    constexpr size_t kMostHeader = 1u << 16;
    std::string header(std::min(length, kMostHeader), '\0');
    if (length > kMostHeader || decompressor_->read(header.data(), header.size()) != header.size()) refuse("the header is cut off");
    const std::vector<uint64_t> shape = shape_of(header);
    const bool words = header.find("'<u8'") != std::string::npos || header.find("'<i8'") != std::string::npos;
    const bool order = header.find("'fortran_order': False") != std::string::npos || shape.size() == 1;
    const uint64_t columns = shape.size() == 1 ? 1 : shape.size() == 2 ? shape[1] : 0;
    if (!words || !order || columns != bits / 64) {
      header.erase(header.find_last_not_of(" \n") + 1);
      refuse(fmt::format("fingerprints of {} bits are uint64 of shape {}; the array is {}", bits, bits == 64 ? "(n,)" : "(n, 2)",
                         shown_cell(header, kMostShown)));
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
      if (expected_ != kUnknown && rows != expected_) refuse(fmt::format("{} rows; its header says {}", rows, expected_));
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

std::unique_ptr<FingerprintReader::Part> make_fingerprint_array(const std::string& path, const FingerprintFormat& format) {
  return std::make_unique<FingerprintArray>(path, format);
}

}  // namespace neardup
