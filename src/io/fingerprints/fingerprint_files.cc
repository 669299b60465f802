#include "neardup/tools/fingerprint_files.h"

#include <utility>

#include "io/bytes/compression.h"
#include "io/bytes/name_ending.h"
#include "io/fingerprints/fingerprint_part.h"
#include "neardup/error.h"

namespace neardup {

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
      part_ = is_fingerprint_array(path) ? make_fingerprint_array(path, format_) : make_fingerprint_lines(path, format_);
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
