#include "dedup/stages/payload.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "base/byte_codec.h"
#include "base/limits.h"
#include "dedup/stages/blob_format.h"
#include "index/lsh/band_keys.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"

namespace neardup {
namespace {

constexpr uint8_t kPayloadVersion = 1;
constexpr size_t kPayloadHeader = 1 + sizeof(uint64_t) + sizeof(uint32_t);

[[noreturn]] void fail_payload(int64_t rank, const std::string& why) {
  throw Error(ErrorCode::kInput, fmt::format("the payload of the document of rank {} {}", rank, why));
}

std::string begin_payload(const StageStamp& stamp) {
  std::string payload;
  ByteWriter to(payload);
  to.value(kPayloadVersion);
  to.value(stamp.recipe);
  to.value(static_cast<uint32_t>(stamp.settings));
  return payload;
}

void check_header(const StageStamp& stamp, int64_t rank, std::string_view payload) {
  if (payload.size() < kPayloadHeader) fail_payload(rank, fmt::format("is truncated: {} bytes", payload.size()));
  ByteReader from(payload, "a payload");
  const auto version = from.value<uint8_t>();
  if (version != kPayloadVersion) {
    fail_payload(rank, fmt::format("has format {}, and this version of neardup reads format {}: all machines need the same version",
                                   version, kPayloadVersion));
  }
  const auto recipe = from.value<uint64_t>();
  if (recipe != stamp.recipe)
    fail_payload(rank, fmt::format("was made by recipe {:016x}, and this run has recipe {:016x}", recipe, stamp.recipe));
  if (from.value<uint32_t>() != static_cast<uint32_t>(stamp.settings))
    fail_payload(rank, fmt::format("was made with other options than those of this run (recipe {:016x} in both)", recipe));
}

void check_features(int64_t rank, std::string_view features) {
  if (features.empty() || features.size() % sizeof(uint64_t) != 0)
    fail_payload(rank, fmt::format("is truncated: {} bytes of features", features.size()));
  uint64_t before = 0;
  for (size_t at = 0; at < features.size(); at += sizeof(uint64_t)) {
    uint64_t feature = 0;
    std::memcpy(&feature, features.data() + at, sizeof feature);
    if (at > 0 && feature <= before) fail_payload(rank, "is damaged: its features are not in order");
    before = feature;
  }
}

class PayloadMaker final : public Stages::Candidates {
 public:
  explicit PayloadMaker(const StageSettings& settings) : settings_(settings), sketch_(settings.sketcher().sketch_words()) {}

  std::optional<std::string> payload(std::string_view text) override {
    if (text.size() > limits::kMaxTextBytes) return std::nullopt;
    const bool too_short = settings_.sketcher().sketch(text, scratch_, sketch_).too_short;
    if (too_short || !SketcherAccess::has_length(scratch_, settings_.options().min_length)) return std::nullopt;
    std::string made = begin_payload(settings_.stamp());
    const PairRule& rule = settings_.rule();
    if (rule.lsh.bands != 0) {
      rows_.clear();
      BandKeys::append_row(rule.lsh, sketch_, rows_);
      rule.filter.append_row(sketch_, rows_);
      made.append(reinterpret_cast<const char*>(rows_.data()), rows_.size());
    }
    made.append(reinterpret_cast<const char*>(sketch_.data()), rule.bits / 8);
    if (settings_.strategy().reads_features()) {
      const auto features = settings_.sketcher().features(text, scratch_);
      made.append(reinterpret_cast<const char*>(features.data()), features.size_bytes());
    }
    return made;
  }

 private:
  const StageSettings& settings_;
  Sketcher::Scratch scratch_;
  std::vector<uint32_t> sketch_;
  std::vector<uint8_t> rows_;
};

}  // namespace

PayloadView open_payload(const StageSettings& settings, int64_t rank, std::string_view payload) {
  check_header(settings.stamp(), rank, payload);
  payload.remove_prefix(kPayloadHeader);
  const PairRule& rule = settings.rule();
  const size_t key_bytes = BandKeys::row_bytes(rule.lsh);
  const size_t fixed = key_bytes + rule.filter.row_bytes() + rule.bits / 8;
  const bool features = settings.strategy().reads_features();
  if (features ? payload.size() < fixed : payload.size() != fixed)
    fail_payload(rank, fmt::format("is damaged: its sketch has {} bytes, not {}", payload.size(), fixed));
  const auto* const bytes = reinterpret_cast<const uint8_t*>(payload.data());
  PayloadView view{.keys = bytes, .filter = bytes + key_bytes, .code = {}, .features = payload.substr(fixed)};
  if (rule.bits != 0) view.code = load_code(bytes, rule.bits / 8);
  if (features) check_features(rank, view.features);
  return view;
}

std::unique_ptr<Stages::Candidates> make_candidates(const StageSettings& settings) {
  return std::make_unique<PayloadMaker>(settings);
}

std::vector<StoredRow> make_code_rows(const StageSettings& settings, std::span<const std::string_view> blobs) {
  const std::string header = begin_payload(settings.stamp());
  std::vector<StoredRow> rows;
  for (const std::string_view bytes : blobs) {
    const BlobView blob = open_blob(settings, bytes, BlobKind::kCodes);
    for (uint32_t i = 0; i < blob.records; ++i) {
      const uint8_t* const record = blob.record(i);
      StoredRow& row = rows.emplace_back(StoredRow{.root = 0, .rank = blob.rank_at(record), .payload = header});
      row.payload.append(reinterpret_cast<const char*>(record + blob.rank_bytes), blob.record_bytes - blob.rank_bytes);
    }
  }
  return rows;
}

}  // namespace neardup
