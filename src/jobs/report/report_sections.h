// The sections of the report's JSON: each writes one member, name and value, of the open object.
#pragma once

#include <span>
#include <vector>

#include "jobs/report/json_writer.h"
#include "jobs/report/passages/common_passages.h"
#include "jobs/report/passages/passage_effects.h"
#include "jobs/report/report_texts.h"
#include "jobs/report/tally/run_tally.h"
#include "neardup/tools/run_record.h"

namespace neardup {

struct ReportLimits {
  static constexpr size_t kSources = 1000;
  static constexpr size_t kLosses = 20'000;
};

/// The record and the texts of the documents that the tally chose. Not owned.
struct ReportContents {
  const RunRecord& record;
  const RunTally& tally;
  const ReportTexts& texts;
  bool by_distance = false;  ///< fingerprints were judged by their distance
};

/// "sources", "losses" and what is left out of both.
void write_sources(const ReportContents& contents, JsonWriter& json);
void write_cluster_sizes(const ReportContents& contents, JsonWriter& json);
void write_least_similar(const ReportContents& contents, JsonWriter& json);
void write_clusters(const ReportContents& contents, JsonWriter& json);

/// The passages that sampled documents share, and what they change.
struct ReportPassages {
  uint64_t documents = 0;  ///< sampled
  uint64_t removals = 0;   ///< sampled
  std::vector<CommonPassage> passages;
  std::vector<PassageEffect> effects;  ///< of each; empty: unknown
};
void write_passages(const ReportPassages& passages, JsonWriter& json);

/// The places whose texts write_least_similar() and write_clusters() show.
std::vector<DocumentId> places_to_show(const RunTally& tally);

}  // namespace neardup
