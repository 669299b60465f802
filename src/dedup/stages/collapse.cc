#include "dedup/stages/collapse.h"

#include <fmt/format.h>

#include <array>
#include <compare>
#include <cstring>
#include <vector>

#include "base/external_sort.h"
#include "base/hash.h"
#include "base/spill_file.h"
#include "dedup/stages/part_blobs.h"
#include "index/lsh/band_keys.h"
#include "neardup/error.h"

namespace neardup {
namespace {

constexpr uint64_t kNoSketch = ~uint64_t{0};

struct HashedDocument {
  uint64_t high;
  uint64_t low;
  int64_t rank;
  uint64_t place;  // of its sketch; kNoSketch
  friend auto operator<=>(const HashedDocument&, const HashedDocument&) = default;
};

// The first document of each hash stands for all: it alone has keys. Its sketch waits in the order of arrival, because sorting sketches
// would move ten times as many bytes.
class Collapse final : public ReduceStage {
 public:
  Collapse(const StageSettings& settings, uint32_t parts, const StageSpace& space)
      : settings_(settings),
        parts_(parts),
        documents_(space.memory / 4, space.temp_dir),
        ids_(space.memory / 16, space.temp_dir),
        sketches_(space.memory / 4, space.temp_dir),
        blob_memory_(space.memory / 8) {}

  void add(std::string_view bytes) override {
    constexpr std::array kTaken{BlobKind::kDocuments, BlobKind::kShortDocuments, BlobKind::kIds};
    const BlobView blob = open_blob(settings_, bytes, kTaken);
    if (blob.records == 0) return;
    width_.note(blob);
    blob.kind == BlobKind::kIds ? add_ids(blob) : add_documents(blob);
  }

  std::optional<Blob> next() override {
    if (!started_) start();
    for (;;) {
      if (auto blob = take()) return blob;
      if (!step()) return std::nullopt;
    }
  }

 private:
  enum class Phase { kGroups, kKeys, kDone };

  void add_ids(const BlobView& blob) {
    std::vector<int64_t> ranks(blob.records);
    for (uint32_t i = 0; i < blob.records; ++i) ranks[i] = blob.rank_at(blob.record(i));
    ids_.add(ranks);
  }

  void add_documents(const BlobView& blob) {
    const bool sketched = blob.kind == BlobKind::kDocuments;
    std::vector<HashedDocument> documents(blob.records);
    for (uint32_t i = 0; i < blob.records; ++i) {
      const uint8_t* const record = blob.record(i);
      HashedDocument& document = documents[i];
      std::memcpy(&document.high, record, sizeof document.high);
      std::memcpy(&document.low, record + sizeof document.high, sizeof document.low);
      const uint8_t* const rank = record + 2 * sizeof(uint64_t);
      document.rank = blob.rank_at(rank);
      document.place = sketched ? stored_++ : kNoSketch;
      // The rank stays before its sketch.
      if (sketched) sketches_.append({reinterpret_cast<const char*>(rank), width_.bytes() + settings_.sketch_bytes()});
    }
    documents_.add(documents);
  }

  void start() {
    started_ = true;
    check_ids();
    first_.assign((stored_ + 63) / 64, 0);
    if (!width_.known()) {
      phase_ = Phase::kDone;  // nothing came
      return;
    }
    copies_.emplace(settings_, BlobKind::kCopies, parts_, width_.bytes(), blob_memory_);
    shorts_.emplace(settings_, BlobKind::kShorts, parts_, width_.bytes(), blob_memory_);
    keys_.emplace(settings_, BlobKind::kKeys, parts_, width_.bytes(), blob_memory_);
  }

  void check_ids() {
    int64_t before = 0;
    uint64_t times = 0;
    while (const int64_t* const rank = ids_.next()) {
      times = times > 0 && *rank == before ? times + 1 : 1;
      before = *rank;
      if (times == 1) continue;
      while (const int64_t* const more = ids_.next()) {
        if (*more != before) break;
        ++times;
      }
      throw Error(ErrorCode::kInput, fmt::format("id {} is given to {} documents; ids must be unique", before, times));
    }
  }

  std::optional<Blob> take() {
    for (auto* const kind : {&copies_, &shorts_, &keys_}) {
      if (!*kind) continue;
      if (auto blob = (*kind)->take()) return blob;
    }
    return std::nullopt;
  }

  // Does some work. False: there is no more.
  bool step() {
    switch (phase_) {
      case Phase::kGroups:
        step_groups();
        return true;
      case Phase::kKeys:
        step_keys();
        return true;
      case Phase::kDone:
        break;
    }
    return false;
  }

  void step_groups() {
    const HashedDocument* const document = documents_.next();
    if (document == nullptr) {
      rows_ = sketches_.bytes();
      phase_ = Phase::kKeys;
      return;
    }
    if (has_first_ && document->high == first_document_.high && document->low == first_document_.low) {
      uint8_t* const copy = copies_->add(part_of(document->high, parts_));
      store_rank(document->rank, width_.bytes(), copy);
      store_rank(first_document_.rank, width_.bytes(), copy + width_.bytes());
      return;
    }
    first_document_ = *document;
    has_first_ = true;
    if (document->place == kNoSketch) {
      store_rank(document->rank, width_.bytes(), shorts_->add(part_of(document->high, parts_)));
    } else {
      first_[document->place / 64] |= uint64_t{1} << (document->place % 64);
    }
  }

  void step_keys() {
    if (place_ == stored_) {
      for (auto* const kind : {&copies_, &shorts_, &keys_}) (*kind)->finish();
      phase_ = Phase::kDone;
      return;
    }
    const uint64_t place = place_++;
    if ((first_[place / 64] >> (place % 64) & 1) == 0) return;
    const size_t row_bytes = width_.bytes() + settings_.sketch_bytes();
    const auto* const rank = reinterpret_cast<const uint8_t*>(rows_.data()) + place * row_bytes;
    const uint8_t* const sketch = rank + width_.bytes();
    settings_.rule().bits != 0 ? add_code(sketch, rank) : add_band_keys(sketch, rank);
  }

  void add_band_keys(const uint8_t* keys, const uint8_t* rank) {
    for (uint32_t band = 0; band < settings_.sections(); ++band) {
      const uint8_t* const key = keys + band * BandKeys::kKeyBytes;
      add_key(band, BandKeys::load(key), {key, BandKeys::kKeyBytes}, rank);
    }
  }
  void add_code(const uint8_t* bytes, const uint8_t* rank) {
    const Fingerprint128 code = load_code(bytes, settings_.key_bytes());
    for (uint32_t block = 0; block < settings_.sections(); ++block)
      add_key(block, settings_.blocks().key(code, block), {bytes, settings_.key_bytes()}, rank);
  }
  void add_key(uint32_t section, uint64_t key, std::span<const uint8_t> bytes, const uint8_t* rank) {
    uint8_t* const record = keys_->add(part_of(mix64(splitmix64(0, section) ^ key), parts_), section);
    std::memcpy(record, bytes.data(), bytes.size());
    std::memcpy(record + bytes.size(), rank, width_.bytes());
  }

  const StageSettings& settings_;
  const uint32_t parts_;
  ExternalSorter<HashedDocument> documents_;
  ExternalSorter<int64_t> ids_;
  SpillFile sketches_;  // ranks and sketches
  const uint64_t blob_memory_;
  RankWidth width_;
  uint64_t stored_ = 0;  // sketches

  bool started_ = false;
  Phase phase_ = Phase::kGroups;
  bool has_first_ = false;
  HashedDocument first_document_{};
  std::vector<uint64_t> first_;  // a bit for each sketch: it is that of the first document with its text
  std::string_view rows_;        // of sketches_
  uint64_t place_ = 0;
  std::optional<PartBlobs> copies_;
  std::optional<PartBlobs> shorts_;
  std::optional<PartBlobs> keys_;
};

}  // namespace

std::unique_ptr<ReduceStage> make_collapse(const StageSettings& settings, uint32_t parts, const StageSpace& space) {
  return std::make_unique<Collapse>(settings, parts, space);
}

}  // namespace neardup
