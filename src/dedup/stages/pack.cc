#include "dedup/stages/pack.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/limits.h"
#include "dedup/stages/part_blobs.h"
#include "dedup/stages/stage_counts.h"
#include "index/lsh/band_keys.h"
#include "neardup/error.h"
#include "sketch/sketcher_access.h"
#include "text/utf8/utf8.h"

namespace neardup {
namespace {

constexpr uint64_t kPackMemory = 32 << 20;  // for blobs that are not full, of each kind

class Pack final : public PackStage {
 public:
  Pack(const StageSettings& settings, uint32_t parts, bool narrow)
      : settings_(settings),
        parts_(parts),
        rank_bytes_(narrow ? kNarrowRank : kWideRank),
        documents_(settings, BlobKind::kDocuments, parts, rank_bytes_, kPackMemory),
        shorts_(settings, BlobKind::kShortDocuments, parts, rank_bytes_, kPackMemory),
        ids_(settings, BlobKind::kIds, parts, rank_bytes_, kPackMemory),
        sketch_(settings.sketcher().sketch_words()) {}

  void add(const RankedText& ranked) override {
    check_rank(ranked.rank);
    if (!ranked.text) return reject(ranked.rank, RejectKind::kMissingField, "the text is null");
    const std::string_view text = *ranked.text;
    if (text.size() > limits::kMaxTextBytes) {
      return reject(ranked.rank, RejectKind::kTooLong,
                    fmt::format("a text of {} bytes is above the limit of {}", text.size(), limits::kMaxTextBytes));
    }
    const Sketcher::Result result = settings_.sketcher().sketch(text, scratch_, sketch_);
    const bool is_short = result.too_short || !SketcherAccess::has_length(scratch_, settings_.options().min_length);
    // The hash is uniform; its upper half alone is enough to choose a part.
    const uint32_t part = part_of(result.exact.high, parts_);
    uint8_t* const record = (is_short ? shorts_ : documents_).add(part);
    std::memcpy(record, &result.exact.high, sizeof(uint64_t));
    std::memcpy(record + sizeof(uint64_t), &result.exact.low, sizeof(uint64_t));
    store_rank(ranked.rank, rank_bytes_, record + 2 * sizeof(uint64_t));
    if (!is_short) store_sketch(record + 2 * sizeof(uint64_t) + rank_bytes_);
    store_rank(ranked.rank, rank_bytes_, ids_.add(part_of_rank(ranked.rank, parts_)));
    ++counts_.documents;
    counts_.short_texts += static_cast<uint64_t>(is_short);
    counts_.text_bytes += text.size();
    counts_.repaired += static_cast<uint64_t>(!is_valid_utf8(text));
  }

  void take(std::vector<Blob>& blobs) override {
    for (PartBlobs* const kind : {&documents_, &shorts_, &ids_}) {
      while (auto blob = kind->take()) blobs.push_back(std::move(*blob));
    }
  }

  void finish(std::vector<Blob>& blobs) override {
    for (PartBlobs* const kind : {&documents_, &shorts_, &ids_}) kind->finish();
    take(blobs);
    blobs.push_back({0, BlobKind::kCounts, make_blob(settings_.stamp(), BlobKind::kCounts, rank_bytes_, 1, save_counts(counts_))});
  }

 private:
  void check_rank(int64_t rank) const {
    if (rank_bytes_ == kWideRank || (rank >= 0 && rank <= kMaxNarrowRank)) return;
    throw Error(ErrorCode::kInput, fmt::format("rank {} is not in 0 to {}, the range of narrow ranks", rank, kMaxNarrowRank));
  }
  // A rejected document has an id, too, which no other may have.
  void reject(int64_t rank, RejectKind kind, std::string problem) {
    store_rank(rank, rank_bytes_, ids_.add(part_of_rank(rank, parts_)));
    add_reject({.rank = rank, .kind = kind, .problem = std::move(problem)}, counts_);
  }
  void store_sketch(uint8_t* out) {
    const PairRule& rule = settings_.rule();
    if (rule.bits != 0) {
      std::memcpy(out, sketch_.data(), rule.bits / 8);
      return;
    }
    keys_.clear();
    BandKeys::append_row(rule.lsh, sketch_, keys_);
    std::memcpy(out, keys_.data(), keys_.size());
  }

  const StageSettings& settings_;
  const uint32_t parts_;
  const size_t rank_bytes_;
  PartBlobs documents_;
  PartBlobs shorts_;
  PartBlobs ids_;
  Sketcher::Scratch scratch_;
  std::vector<uint32_t> sketch_;
  std::vector<uint8_t> keys_;
  StageCounts counts_;
};

}  // namespace

std::unique_ptr<PackStage> make_pack(const StageSettings& settings, uint32_t parts, bool narrow) {
  return std::make_unique<Pack>(settings, parts, narrow);
}

}  // namespace neardup
