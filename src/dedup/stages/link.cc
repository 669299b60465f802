#include "dedup/stages/link.h"

#include <compare>
#include <optional>
#include <vector>

#include "base/external_sort.h"
#include "dedup/stages/near_codes.h"
#include "dedup/stages/part_blobs.h"
#include "dedup/stages/unique_sorter.h"
#include "index/lsh/band_keys.h"

namespace neardup {
namespace {

constexpr uint32_t kKeyShift = 48;  // the section stands above the key

struct BandRecord {
  uint64_t key;  // with the band
  int64_t rank;
  friend auto operator<=>(const BandRecord&, const BandRecord&) = default;
};

struct BlockRecord {
  uint64_t key;  // with the block
  Fingerprint128 code;
  int64_t rank;
  friend auto operator<=>(const BlockRecord&, const BlockRecord&) = default;
};

struct RankedCode {
  int64_t rank;
  Fingerprint128 code;
  friend auto operator<=>(const RankedCode&, const RankedCode&) = default;
};

// What both kinds of links have in common: they read keys, and write edges and codes.
class Link : public ReduceStage {
 public:
  Link(const StageSettings& settings, const StageSpace& space)
      : settings_(settings), edges_(space.memory / 8, space.temp_dir), codes_(space.memory / 8, space.temp_dir) {}

  void add(std::string_view bytes) final {
    const BlobView blob = open_blob(settings_, bytes, BlobKind::kKeys);
    if (blob.records == 0) return;
    width_.note(blob);
    uint32_t record = 0;
    for (uint32_t section = 0; section < settings_.sections(); ++section) {
      for (const uint32_t end = record + blob.section_records(section); record < end; ++record) {
        const uint8_t* const key = blob.record(record);
        add_key(section, key, blob.rank_at(key + settings_.key_bytes()));
      }
    }
    end_blob();
  }

  std::optional<Blob> next() final {
    if (!width_.known()) return std::nullopt;  // nothing came
    if (!out_edges_) {
      connect();
      out_edges_.emplace(settings_, BlobKind::kEdges, 1, width_.bytes(), kOutMemory);
      out_codes_.emplace(settings_, BlobKind::kCodes, 1, width_.bytes(), kOutMemory);
    }
    for (;;) {
      if (auto blob = out_edges_->take()) return blob;
      if (auto blob = out_codes_->take()) return blob;
      if (done_) return std::nullopt;
      step();
    }
  }

 protected:
  virtual void add_key(uint32_t section, const uint8_t* key, int64_t rank) = 0;
  virtual void end_blob() = 0;
  // Fills edges and codes.
  virtual void connect() = 0;

  const StageSettings& settings_;
  UniqueSorter<RankEdge> edges_;  // the later document, then the first
  UniqueSorter<RankedCode> codes_;

 private:
  static constexpr uint64_t kOutMemory = 1 << 20;

  void step() {
    if (const RankEdge* const edge = edges_.next()) {
      uint8_t* const record = out_edges_->add(0);
      store_rank(edge->rank, width_.bytes(), record);
      store_rank(edge->other, width_.bytes(), record + width_.bytes());
      return;
    }
    if (const RankedCode* const ranked = codes_.next()) {
      uint8_t* const record = out_codes_->add(0);
      store_rank(ranked->rank, width_.bytes(), record);
      store_code(ranked->code, settings_.key_bytes(), record + width_.bytes());
      return;
    }
    out_edges_->finish();
    out_codes_->finish();
    done_ = true;
  }

  RankWidth width_;
  bool done_ = false;
  std::optional<PartBlobs> out_edges_;
  std::optional<PartBlobs> out_codes_;
};

class BandLink final : public Link {
 public:
  BandLink(const StageSettings& settings, const StageSpace& space) : Link(settings, space), keys_(space.memory / 2, space.temp_dir) {}

 private:
  void add_key(uint32_t section, const uint8_t* key, int64_t rank) override {
    waiting_.push_back({uint64_t{section} << kKeyShift | BandKeys::load(key), rank});
  }
  void end_blob() override {
    keys_.add(waiting_);
    waiting_.clear();
  }
  void connect() override {
    std::optional<BandRecord> first;
    while (const BandRecord* const record = keys_.next()) {
      if (!first || first->key != record->key) {
        first = *record;
      } else if (record->rank != first->rank) {
        edges_.add({record->rank, first->rank});
      }
    }
  }

  ExternalSorter<BandRecord> keys_;
  std::vector<BandRecord> waiting_;
};

class BlockLink final : public Link {
 public:
  BlockLink(const StageSettings& settings, const StageSpace& space)
      : Link(settings, space), near_(settings, space.memory / 4, space.temp_dir), keys_(space.memory / 4, space.temp_dir) {}

 private:
  void add_key(uint32_t section, const uint8_t* key, int64_t rank) override {
    const Fingerprint128 code = load_code(key, settings_.key_bytes());
    waiting_.push_back({uint64_t{section} << kKeyShift | settings_.blocks().key(code, section), code, rank});
  }
  void end_blob() override {
    keys_.add(waiting_);
    waiting_.clear();
  }

  // Equal fingerprints are equal in every block: the first block connects them, and in the others the first of them stands for all.
  void connect() override {
    std::optional<BlockRecord> first;  // of its code in its bucket
    while (const BlockRecord* const record = keys_.next()) {
      if (first && first->key == record->key && first->code == record->code) {
        if (record->key >> kKeyShift == 0 && record->rank != first->rank)
          add_edge({record->rank, record->code}, {first->rank, first->code});
        continue;
      }
      if (first && first->key != record->key) end_bucket(static_cast<uint32_t>(first->key >> kKeyShift));
      first = *record;
      near_.add(record->code, record->rank);
    }
    if (first) end_bucket(static_cast<uint32_t>(first->key >> kKeyShift));
  }
  void end_bucket(uint32_t block) {
    near_.connect(block, [this](const NearCodes::Member& later, const NearCodes::Member& earlier) {
      add_edge({later.rank, later.code}, {earlier.rank, earlier.code});
    });
  }
  void add_edge(const RankedCode& later, const RankedCode& first) {
    edges_.add({later.rank, first.rank});
    if (settings_.second_scan()) return;
    codes_.add(later);
    codes_.add(first);
  }

  NearCodes near_;
  ExternalSorter<BlockRecord> keys_;
  std::vector<BlockRecord> waiting_;
};

}  // namespace

std::unique_ptr<ReduceStage> make_link(const StageSettings& settings, const StageSpace& space) {
  if (settings.rule().bits != 0) return std::make_unique<BlockLink>(settings, space);
  return std::make_unique<BandLink>(settings, space);
}

}  // namespace neardup
