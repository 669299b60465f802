#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/external_sort.h"
#include "base/hash.h"
#include "dedup/stages/components.h"
#include "dedup/stages/part_blobs.h"
#include "dedup/stages/unique_sorter.h"

namespace neardup {
namespace {

uint64_t edge_hash(int64_t rank, int64_t other) noexcept {
  return mix64(splitmix64(1, static_cast<uint64_t>(rank)) ^ splitmix64(2, static_cast<uint64_t>(other)));
}

// Halves sorted by their document, then by the other end, each once.
class SortedHalves {
 public:
  SortedHalves(const StageSettings& settings, const StageSpace& space) : settings_(settings), halves_(space.memory / 2, space.temp_dir) {}

  void add(std::string_view bytes) {
    const BlobView blob = open_blob(settings_, bytes, BlobKind::kHalves);
    if (blob.records == 0) return;
    width_.note(blob);
    for (uint32_t i = 0; i < blob.records; ++i) halves_.add({blob.rank_at(blob.record(i)), blob.rank_at(blob.record(i) + blob.rank_bytes)});
  }
  const RankEdge* next() { return halves_.next(); }
  [[nodiscard]] const RankWidth& width() const noexcept { return width_; }

 private:
  const StageSettings& settings_;
  UniqueSorter<RankEdge> halves_;
  RankWidth width_;
};

// Both kinds of stars: halves come sorted, so the first one of a document names its least neighbour.
class Star final : public ReduceStage {
 public:
  enum class Which { kLarge, kSmall };
  Star(const StageSettings& settings, Which which, uint32_t parts, const StageSpace& space)
      : settings_(settings), large_(which == Which::kLarge), parts_(parts), space_(space), halves_(settings, space) {}

  void add(std::string_view bytes) override { halves_.add(bytes); }

  std::optional<Blob> next() override {
    if (!out_) {
      if (!halves_.width().known()) return last();
      out_.emplace(settings_, BlobKind::kHalves, parts_, halves_.width().bytes(), space_.memory / 4);
    }
    for (;;) {
      if (auto blob = out_->take()) return blob;
      if (done_) return last();
      if (const RankEdge* const half = halves_.next()) {
        take(*half);
      } else {
        end_document();
        out_->finish();
        done_ = true;
      }
    }
  }

 private:
  void take(const RankEdge& half) {
    if (!document_ || *document_ != half.rank) {
      end_document();
      document_ = half.rank;
      least_ = std::min(half.rank, half.other);
    }
    // A small star only gets neighbours below its document.
    if (large_ ? half.other > half.rank : half.other != least_) connect(half.other);
  }
  void end_document() {
    if (document_ && !large_ && *document_ != least_) connect(*document_);
  }
  void connect(int64_t rank) {
    if (rank == least_) return;
    put(rank, least_);
    if (large_) return;
    put(least_, rank);
    ++tally_.edges;
    tally_.hash += edge_hash(rank, least_);
  }
  void put(int64_t rank, int64_t other) {
    uint8_t* const record = out_->add(part_of_rank(rank, parts_));
    store_rank(rank, halves_.width().bytes(), record);
    store_rank(other, halves_.width().bytes(), record + halves_.width().bytes());
  }
  std::optional<Blob> last() {
    if (large_ || std::exchange(told_, true)) return std::nullopt;
    std::string body(reinterpret_cast<const char*>(&tally_), sizeof tally_);
    return Blob{0, BlobKind::kTally, make_blob(settings_.stamp(), BlobKind::kTally, kWideRank, 1, body)};
  }

  const StageSettings& settings_;
  const bool large_;
  const uint32_t parts_;
  const StageSpace space_;
  SortedHalves halves_;
  std::optional<PartBlobs> out_;
  std::optional<int64_t> document_;
  int64_t least_ = 0;
  Stages::Tally tally_;
  bool done_ = false;
  bool told_ = false;
};

class StarRoots final : public RootStage {
 public:
  StarRoots(const StageSettings& settings, const StageSpace& space) : halves_(settings, space) {}

  void add(std::string_view bytes) override { halves_.add(bytes); }

  Roots next() override {
    constexpr size_t kAtOnce = 1 << 16;
    Roots some;
    while (some.ranks.size() < kAtOnce) {
      const RankEdge* const half = halves_.next();
      if (half == nullptr) break;
      if (document_ && *document_ == half->rank) continue;
      document_ = half->rank;
      some.ranks.push_back(half->rank);
      some.roots.push_back(std::min(half->rank, half->other));
    }
    return some;
  }

 private:
  SortedHalves halves_;
  std::optional<int64_t> document_;
};

}  // namespace

std::vector<Blob> split_edges(const StageSettings& settings, uint32_t parts, std::span<const std::string_view> edges) {
  std::vector<Blob> made;
  std::optional<PartBlobs> out;
  size_t rank_bytes = 0;
  const auto finish = [&] {
    if (!out) return;
    out->finish();
    while (auto blob = out->take()) made.push_back(std::move(*blob));
  };
  for (const std::string_view bytes : edges) {
    const BlobView blob = open_blob(settings, bytes, BlobKind::kEdges);
    if (blob.rank_bytes != rank_bytes) {
      finish();
      rank_bytes = blob.rank_bytes;
      out.emplace(settings, BlobKind::kHalves, parts, rank_bytes, uint64_t{32} << 20);
    }
    for (uint32_t i = 0; i < blob.records; ++i) {
      const int64_t rank = blob.rank_at(blob.record(i));
      const int64_t other = blob.rank_at(blob.record(i) + rank_bytes);
      for (const auto& [from, to] : {std::pair(rank, other), std::pair(other, rank)}) {
        uint8_t* const record = out->add(part_of_rank(from, parts));
        store_rank(from, rank_bytes, record);
        store_rank(to, rank_bytes, record + rank_bytes);
      }
    }
  }
  finish();
  return made;
}

std::unique_ptr<ReduceStage> make_large_star(const StageSettings& settings, uint32_t parts, const StageSpace& space) {
  return std::make_unique<Star>(settings, Star::Which::kLarge, parts, space);
}

std::unique_ptr<ReduceStage> make_small_star(const StageSettings& settings, uint32_t parts, const StageSpace& space) {
  return std::make_unique<Star>(settings, Star::Which::kSmall, parts, space);
}

std::unique_ptr<RootStage> make_star_roots(const StageSettings& settings, const StageSpace& space) {
  return std::make_unique<StarRoots>(settings, space);
}

Stages::Tally add_tallies(const StageSettings& settings, std::span<const std::string_view> blobs) {
  Stages::Tally sum;
  for (const std::string_view bytes : blobs) {
    const BlobView blob = open_blob(settings, bytes, BlobKind::kTally);
    for (uint32_t i = 0; i < blob.records; ++i) {
      Stages::Tally one;
      std::memcpy(&one, blob.record(i), sizeof one);
      sum.edges += one.edges;
      sum.hash += one.hash;
    }
  }
  return sum;
}

}  // namespace neardup
