// StagedRun: dedup() in stages, as several machines run it: texts in tasks of any size and order, blobs shuffled between the stages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/document.h"
#include "neardup/texts.h"
#include "neardup/tools/rank_filter.h"
#include "neardup/tools/stages.h"

namespace neardup::testing {

struct StagedShape {
  uint64_t seed = 1;
  uint32_t tasks = 3;  ///< that read texts
  uint32_t parts = 4;
  bool narrow = true;
  uint64_t memory = 256'000'000;         ///< of the reduces
  uint64_t decide_memory = 256'000'000;  ///< of decide and match
  bool stars = false;                    ///< components by rounds
};

class StagedRun {
 public:
  using Blobs = std::vector<Blob>;

  StagedRun(const Options& options, StagedShape shape) : stages(options), shape_(shape), random_(shape.seed) {}

  /// The rank of text i: in the order of i, with gaps; negative, too, unless narrow.
  [[nodiscard]] int64_t rank_of(size_t i) const { return static_cast<int64_t>(i) * 3 + (shape_.narrow ? 5 : -1000); }
  [[nodiscard]] size_t text_of(int64_t rank) const { return static_cast<size_t>((rank - (shape_.narrow ? 5 : -1000)) / 3); }

  Blobs pack(const std::vector<std::string_view>& texts) {
    std::vector<size_t> order(texts.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::shuffle(order, random_);
    std::vector<std::unique_ptr<PackStage>> tasks;
    for (uint32_t i = 0; i < shape_.tasks; ++i) tasks.push_back(stages.pack(shape_.parts, shape_.narrow));
    Blobs blobs;
    for (const size_t i : order) {
      PackStage& task = *tasks[random_() % tasks.size()];
      task.add({.rank = rank_of(i), .text = texts[i]});
      if (random_() % 16 == 0) task.take(blobs);
    }
    for (const auto& task : tasks) task->finish(blobs);
    return shuffled(std::move(blobs));
  }

  static std::vector<std::string_view> of_kind(const Blobs& blobs, BlobKind kind) {
    std::vector<std::string_view> found;
    for (const Blob& blob : blobs) {
      if (blob.kind == kind) found.push_back(blob.bytes);
    }
    return found;
  }

  /// One reduce task a part. Blobs of other kinds are passed on.
  template <typename Make>
  Blobs reduce(const Blobs& blobs, const std::set<BlobKind>& kinds, const Make& make) {
    Blobs made;
    for (uint32_t part = 0; part < shape_.parts; ++part) {
      const auto stage = make();
      for (const Blob& blob : blobs) {
        if (blob.part != part) continue;
        if (kinds.contains(blob.kind)) {
          stage->add(blob.bytes);
        } else {
          made.push_back(blob);
        }
      }
      while (auto blob = stage->next()) made.push_back(std::move(*blob));
    }
    return shuffled(std::move(made));
  }
  Blobs collapse(const Blobs& blobs) {
    return reduce(blobs, {BlobKind::kDocuments, BlobKind::kShortDocuments, BlobKind::kIds},
                  [&] { return stages.collapse(shape_.parts, space()); });
  }
  Blobs link(const Blobs& blobs) {
    return reduce(blobs, {BlobKind::kKeys}, [&] { return stages.link(space()); });
  }

  std::map<int64_t, int64_t> components(const Blobs& blobs) {
    if (shape_.stars) return star_components(blobs);
    std::map<int64_t, int64_t> made;
    const auto stage = stages.components(space());
    for (const std::string_view blob : of_kind(blobs, BlobKind::kEdges)) stage->add(blob);
    take_roots(*stage, made);
    return made;
  }

  std::vector<StoredRow> candidates(const Blobs& blobs, const std::map<int64_t, int64_t>& roots,
                                    const std::vector<std::string_view>& texts) {
    std::vector<StoredRow> rows;
    if (!stages.facts().second_scan) {
      for (StoredRow& row : stages.code_rows(of_kind(blobs, BlobKind::kCodes))) {
        row.root = roots.at(row.rank);
        rows.push_back(std::move(row));
      }
      return rows;
    }
    RankFilter filter(RankFilter::bytes_for(roots.size()));
    for (const auto& [rank, root] : roots) filter.add(rank);
    const auto maker = stages.candidates();
    for (size_t i = 0; i < texts.size(); ++i) {
      if (!filter.has(rank_of(i))) continue;
      auto payload = maker->payload(texts[i]);
      const auto root = roots.find(rank_of(i));
      if (root != roots.end()) rows.push_back({root->second, rank_of(i), std::move(payload.value())});
    }
    return rows;
  }

  /// Decides, in rounds where groups are larger than the memory.
  std::map<int64_t, RankRemoval> decide(std::vector<StoredRow> rows) {
    std::map<int64_t, RankRemoval> decided;
    while (!rows.empty()) {
      ++rounds;
      std::vector<RankRemoval> removals;
      std::vector<StoredRow> kept;
      std::vector<StoredRow> later;
      std::ranges::sort(rows, {}, [](const StoredRow& row) { return std::pair(row.root, row.rank); });
      // Two tasks, by the parity of the root.
      for (const int64_t task : {0, 1}) {
        const auto stage = stages.decide(shape_.decide_memory);
        for (const StoredRow& row : rows) {
          if ((row.root & 1) != task) continue;
          if (!stage->add({row.root, row.rank, row.payload})) later.push_back(row);
          if (random_() % 8 == 0) stage->take(removals);
        }
        stage->finish();
        stage->take(removals);
        stage->take_kept(kept);
        capped += stage->stats().capped;
        verifications += stage->stats().verifications;
      }
      rows = later.empty() ? std::vector<StoredRow>() : match(kept, std::move(later), removals);
      for (const RankRemoval& removal : removals) {
        if (!decided.emplace(removal.rank, removal).second) doubles = true;
      }
    }
    return decided;
  }

  std::vector<TextVerdict> run(const std::vector<std::string_view>& texts) {
    const Blobs packed = pack(texts);
    counts = stages.counts(of_kind(packed, BlobKind::kCounts));
    const Blobs linked = link(collapse(packed));
    const auto removals = decide(candidates(linked, components(linked), texts));
    std::vector<TextVerdict> verdicts(texts.size());
    const auto [copies, firsts] = stages.ranks(BlobKind::kCopies, of_kind(linked, BlobKind::kCopies));
    std::map<int64_t, int64_t> copy_of;
    for (size_t i = 0; i < copies.size(); ++i) copy_of[copies[i]] = firsts[i];
    std::set<size_t> shorts;
    for (const int64_t rank : stages.ranks(BlobKind::kShorts, of_kind(linked, BlobKind::kShorts)).first) shorts.insert(text_of(rank));
    std::set<size_t> keepers;
    for (size_t i = 0; i < texts.size(); ++i) {
      TextVerdict& verdict = verdicts[i];
      const auto copied = copy_of.find(rank_of(i));
      const int64_t first = copied == copy_of.end() ? rank_of(i) : copied->second;
      const auto removal = removals.find(first);
      if (removal == removals.end() && copied == copy_of.end()) continue;
      verdict.decision = Decision::kRemove;
      verdict.keeper = text_of(removal == removals.end() ? first : removal->second.keeper);
      verdict.similarity = removal == removals.end() ? 1 : stages.similarity(removal->second.overlap);
      verdict.reason = removal == removals.end()          ? Reason::kExactCopy
                       : removal->second.connected        ? Reason::kConnected
                       : stages.facts().measure == "none" ? Reason::kUnverified
                                                          : Reason::kNearDuplicate;
      keepers.insert(verdict.keeper);
    }
    for (size_t i = 0; i < texts.size(); ++i) {
      if (verdicts[i].decision == Decision::kRemove) continue;
      verdicts[i].reason = keepers.contains(i) ? Reason::kKeeper : shorts.contains(i) ? Reason::kShort : Reason::kUnique;
    }
    return verdicts;
  }

  Blobs shuffled(Blobs blobs) {
    std::ranges::shuffle(blobs, random_);
    return blobs;
  }
  [[nodiscard]] StageSpace space() const { return {.memory = shape_.memory, .temp_dir = {}}; }

  const Stages stages;
  StageCounts counts;
  uint64_t capped = 0;
  uint64_t verifications = 0;
  uint32_t rounds = 0;       ///< of decide()
  uint32_t star_rounds = 0;  ///< of components()
  bool doubles = false;      ///< a document was removed twice

 private:
  std::vector<StoredRow> match(const std::vector<StoredRow>& kept, std::vector<StoredRow> later, std::vector<RankRemoval>& removals) {
    std::vector<CandidateRow> given;
    for (const StoredRow& row : kept) given.push_back({row.root, row.rank, row.payload});
    std::ranges::shuffle(given, random_);
    std::ranges::shuffle(later, random_);
    std::vector<StoredRow> left;
    for (size_t task = 0; task < 3; ++task) {
      const auto stage = stages.match(given, shape_.decide_memory);
      for (size_t i = task; i < later.size(); i += 3) stage->add({later[i].root, later[i].rank, later[i].payload});
      stage->finish();
      stage->take(removals);
      stage->take_left(left);
      capped += stage->stats().capped;
    }
    return left;
  }

  std::map<int64_t, int64_t> star_components(const Blobs& blobs) {
    Blobs halves = stages.split_edges(shape_.parts, of_kind(blobs, BlobKind::kEdges));
    std::optional<Stages::Tally> before;
    for (;;) {
      ++star_rounds;
      halves = reduce(halves, {BlobKind::kHalves}, [&] { return stages.large_star(shape_.parts, space()); });
      halves = reduce(halves, {BlobKind::kHalves}, [&] { return stages.small_star(shape_.parts, space()); });
      const Stages::Tally tally = stages.tally(of_kind(halves, BlobKind::kTally));
      std::erase_if(halves, [](const Blob& blob) { return blob.kind == BlobKind::kTally; });
      if (before && *before == tally) break;
      before = tally;
    }
    std::map<int64_t, int64_t> made;
    for (uint32_t part = 0; part < shape_.parts; ++part) {
      const auto stage = stages.star_roots(space());
      for (const Blob& blob : halves) {
        if (blob.part == part) stage->add(blob.bytes);
      }
      take_roots(*stage, made);
    }
    return made;
  }
  void take_roots(RootStage& stage, std::map<int64_t, int64_t>& made) {
    for (Roots some = stage.next(); !some.ranks.empty(); some = stage.next()) {
      for (size_t i = 0; i < some.ranks.size(); ++i) {
        if (!made.emplace(some.ranks[i], some.roots[i]).second) doubles = true;
      }
    }
  }

  const StagedShape shape_;
  std::mt19937_64 random_;
};

}  // namespace neardup::testing
