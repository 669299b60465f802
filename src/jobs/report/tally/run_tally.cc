#include "jobs/report/tally/run_tally.h"

#include "base/hash.h"
#include "neardup/tools/threshold.h"

namespace neardup {
namespace {

constexpr uint64_t kRowsBetweenStops = 1 << 16;

ReportRow row_of(const RunRecord& record, uint64_t number) {
  const RunRecord::Entry entry = record.entry(number);
  return {.number = number,
          .where = entry.where,
          .removed = entry.removed(),
          .exact_copy = entry.reason == Reason::kExactCopy,
          .verified = entry.reason == Reason::kNearDuplicate,
          .similarity = entry.similarity_millionths,
          .keeper = entry.keeper,
          .cluster_size = entry.cluster_size};
}

template <typename Visit>
void visit_rows(const RunRecord& record, const StopFunction& stop, const Visit& visit) {
  for (uint64_t number = 0; number < record.size(); ++number) {
    if (number % kRowsBetweenStops == 0) check_stop(stop);
    visit(row_of(record, number));
  }
}

// A number for any document, also of the reference corpus, whose documents are not numbered.
uint64_t number_of(const DocumentId& place) {
  return splitmix64(mix64(place.source), place.row);
}

}  // namespace

RunTally::RunTally(uint32_t source_count, uint32_t bits, uint32_t bands, uint32_t rows_per_band, const TallyLimits& limits)
    : sources(source_count),
      histogram(bits),
      least_similar(limits.least_similar),
      documents(limits.documents),
      removals(limits.removals),
      missed(bands, rows_per_band),
      limits_(limits) {}

void RunTally::read(const RunRecord& record, const StopFunction& stop) {
  LargestClusters largest(limits_.clusters);
  visit_rows(record, stop, [&](const ReportRow& row) {
    sources.add(row);
    histogram.add(row);
    cluster_sizes.add(row);
    least_similar.add(row);
    largest.add(row);
    if (!row.exact_copy) documents.add(row);
    if (!row.near()) return;
    removals.add(row);
    if (row.verified && row.similarity > 0) missed.add({number_of(row.where), number_of(row.keeper), row.similarity / 1e6});
  });
  clusters = largest.clusters();
  ClusterMembers chosen(clusters, limits_.members);
  if (!clusters.empty()) visit_rows(record, stop, [&](const ReportRow& row) { chosen.add(row); });
  members = chosen.members();
}

}  // namespace neardup
