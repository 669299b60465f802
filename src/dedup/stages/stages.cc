#include "neardup/tools/stages.h"

#include <utility>

#include "dedup/stages/blob_format.h"
#include "dedup/stages/collapse.h"
#include "dedup/stages/components.h"
#include "dedup/stages/decide.h"
#include "dedup/stages/link.h"
#include "dedup/stages/pack.h"
#include "dedup/stages/payload.h"
#include "dedup/stages/stage_counts.h"
#include "dedup/stages/stage_settings.h"
#include "dedup/stages/stage_space.h"

namespace neardup {

struct Stages::Impl {
  explicit Impl(const Options& options) : settings(options) {}
  const StageSettings settings;
};

Stages::Stages(const Options& options) : impl_(std::make_unique<const Impl>(options)) {}
Stages::~Stages() = default;

Stages::Facts Stages::facts() const {
  const StageSettings& settings = impl_->settings;
  const PairRule& rule = settings.rule();
  return {.recipe = settings.sketcher().recipe().name,
          .recipe_id = settings.stamp().recipe,
          .measure = measure_name(settings.strategy()),
          .bands = rule.lsh.bands,
          .rows_per_band = rule.lsh.rows,
          .predicted_miss = rule.lsh.bands == 0 ? 0 : rule.lsh.miss_probability(settings.options().threshold.value()),
          .fingerprint_bits = rule.bits,
          .max_distance = rule.max_distance,
          .second_scan = settings.second_scan(),
          .keys = settings.sections()};
}

size_t Stages::record_bytes(BlobKind kind, bool narrow) const {
  return impl_->settings.record_bytes(kind, narrow ? kNarrowRank : kWideRank);
}

const Options& Stages::options() const noexcept {
  return impl_->settings.options();
}

std::unique_ptr<PackStage> Stages::pack(uint32_t parts, bool narrow) const {
  check_parts(parts);
  return make_pack(impl_->settings, parts, narrow);
}

std::unique_ptr<ReduceStage> Stages::collapse(uint32_t parts, const StageSpace& space) const {
  check_parts(parts);
  return make_collapse(impl_->settings, parts, checked_space(space));
}

std::unique_ptr<ReduceStage> Stages::link(const StageSpace& space) const {
  return make_link(impl_->settings, checked_space(space));
}

std::unique_ptr<ReduceStage> Stages::large_star(uint32_t parts, const StageSpace& space) const {
  check_parts(parts);
  return make_large_star(impl_->settings, parts, checked_space(space));
}

std::unique_ptr<ReduceStage> Stages::small_star(uint32_t parts, const StageSpace& space) const {
  check_parts(parts);
  return make_small_star(impl_->settings, parts, checked_space(space));
}

std::unique_ptr<RootStage> Stages::star_roots(const StageSpace& space) const {
  return make_star_roots(impl_->settings, checked_space(space));
}

std::unique_ptr<DecideStage> Stages::decide(uint64_t memory) const {
  return make_decide(impl_->settings, checked_memory(memory));
}

std::unique_ptr<MatchStage> Stages::match(std::vector<CandidateRow> kept, uint64_t memory) const {
  return make_match(impl_->settings, std::move(kept), checked_memory(memory));
}

StageCounts Stages::counts(Blobs blobs) const {
  return sum_counts(impl_->settings, blobs);
}

uint64_t Stages::count_records(Blobs blobs) const {
  uint64_t records = 0;
  for (const std::string_view bytes : blobs) records += open_blob(impl_->settings, bytes).records;
  return records;
}

std::pair<std::vector<int64_t>, std::vector<int64_t>> Stages::ranks(BlobKind kind, Blobs blobs) const {
  std::pair<std::vector<int64_t>, std::vector<int64_t>> ranks;
  for (const std::string_view bytes : blobs) {
    const BlobView blob = open_blob(impl_->settings, bytes, kind);
    for (uint32_t i = 0; i < blob.records; ++i) {
      const uint8_t* const record = blob.record(i);
      ranks.first.push_back(blob.rank_at(record));
      if (kind != BlobKind::kShorts) ranks.second.push_back(blob.rank_at(record + blob.rank_bytes));
    }
  }
  return ranks;
}

std::unique_ptr<RootStage> Stages::components(const StageSpace& space) const {
  return make_components(impl_->settings, checked_space(space));
}

std::vector<Blob> Stages::split_edges(uint32_t parts, Blobs edges) const {
  check_parts(parts);
  return neardup::split_edges(impl_->settings, parts, edges);
}

Stages::Tally Stages::tally(Blobs blobs) const {
  return add_tallies(impl_->settings, blobs);
}

std::vector<StoredRow> Stages::code_rows(Blobs blobs) const {
  return make_code_rows(impl_->settings, blobs);
}

std::unique_ptr<Stages::Candidates> Stages::candidates() const {
  return make_candidates(impl_->settings);
}

double Stages::similarity(const Overlap& overlap) const {
  return impl_->settings.measure().similarity(overlap);
}

}  // namespace neardup
