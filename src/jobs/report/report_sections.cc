#include "jobs/report/report_sections.h"

#include "jobs/report/text_parts.h"

namespace neardup {
namespace {

struct ShownDocument {
  DocumentId where;
  std::string_view id;
  bool has_id = false;
};

ShownDocument removed_of(const RunRecord::Entry& entry) {
  return {entry.where, entry.id, entry.has_id};
}

ShownDocument keeper_of(const RunRecord::Entry& entry) {
  return {entry.keeper, entry.keeper_id, entry.keeper_has_id};
}

// The members id, source and row of the open object.
void write_document(const RunRecord& record, const ShownDocument& document, JsonWriter& json) {
  json.key("id");
  if (document.has_id) {
    write_name(document.id, json);
  } else {
    json.null();
  }
  json.key("source");
  write_name(record.source_name(document.where.source), json);
  json.key("row").whole(document.where.row);
}

// The members reason, similarity, distance and parts.
void write_removal(const ReportContents& contents, const ReportRow& row, Reason reason, JsonWriter& json) {
  json.key("reason").text(to_string(reason)).key("similarity").number(row.similarity / 1e6).key("distance");
  if (contents.by_distance && !row.exact_copy) {
    json.whole(contents.tally.histogram.distance(row.similarity));
  } else {
    json.null();
  }
  json.key("parts");
  const ReportTexts::Text* const removed = contents.texts.find(row.where);
  const ReportTexts::Text* const keeper = contents.texts.find(row.keeper);
  if (removed != nullptr && keeper != nullptr) {
    write_text_parts(removed->text, keeper->text, json);
  } else {
    json.null();
  }
}

}  // namespace

void write_sources(const ReportContents& contents, JsonWriter& json) {
  const SourceTable table = contents.tally.sources.table(ReportLimits::kSources, ReportLimits::kLosses);
  json.key("sources").begin_array();
  for (const SourceTable::Row& row : table.rows) {
    json.begin_object().key("name");
    write_name(contents.record.source_name(row.source), json);
    json.key("documents");
    if (row.reference) {
      json.null();
    } else {
      json.whole(row.counts.documents);
    }
    json.key("kept").whole(row.counts.kept).key("exact").whole(row.counts.exact).key("near").whole(row.counts.near);
    json.key("wins").whole(row.counts.wins).end_object();
  }
  json.end_array().key("losses").begin_array();
  for (const SourceTable::Loss& loss : table.losses) {
    json.begin_array().whole(loss.loser).whole(loss.winner).whole(loss.documents).end_array();
  }
  json.end_array().key("sources_left_out");
  if (table.sources_left_out == 0 && table.losses_left_out == 0) {
    json.null();
    return;
  }
  json.begin_object().key("sources").whole(table.sources_left_out).key("documents").whole(table.left_out.documents);
  json.key("kept").whole(table.left_out.kept).key("exact").whole(table.left_out.exact).key("near").whole(table.left_out.near);
  json.key("losses").whole(table.losses_left_out).end_object();
}

void write_cluster_sizes(const ReportContents& contents, JsonWriter& json) {
  json.key("cluster_sizes").begin_array();
  for (const auto& [size, clusters] : contents.tally.cluster_sizes.sizes()) {
    json.begin_array().whole(size).whole(clusters).end_array();
  }
  json.end_array();
}

void write_least_similar(const ReportContents& contents, JsonWriter& json) {
  json.key("least_similar").begin_array();
  for (const ReportRow& row : contents.tally.least_similar.rows()) {
    const RunRecord::Entry entry = contents.record.entry(row.number);
    json.begin_object().key("removed").begin_object();
    write_document(contents.record, removed_of(entry), json);
    json.end_object().key("keeper").begin_object();
    write_document(contents.record, keeper_of(entry), json);
    json.end_object();
    write_removal(contents, row, entry.reason, json);
    json.end_object();
  }
  json.end_array();
}

void write_clusters(const ReportContents& contents, JsonWriter& json) {
  json.key("clusters").begin_array();
  const RunTally& tally = contents.tally;
  for (size_t i = 0; i < tally.clusters.size(); ++i) {
    const std::vector<ReportRow>& members = tally.members[i];  // at least one: the cluster was found by it
    json.begin_object().key("keeper").begin_object();
    write_document(contents.record, keeper_of(contents.record.entry(members.front().number)), json);
    json.end_object().key("size").whole(tally.clusters[i].size).key("excerpt");
    if (const ReportTexts::Text* const keeper = contents.texts.find(tally.clusters[i].keeper)) {
      write_excerpt(keeper->text, json);
    } else {
      json.null();
    }
    json.key("members").begin_array();
    for (const ReportRow& row : members) {
      const RunRecord::Entry entry = contents.record.entry(row.number);
      json.begin_object();
      write_document(contents.record, removed_of(entry), json);
      write_removal(contents, row, entry.reason, json);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_passages(const ReportPassages& passages, JsonWriter& json) {
  json.key("passage_sample").begin_object().key("documents").whole(passages.documents);
  json.key("removals").whole(passages.removals).end_object();
  json.key("passages").begin_array();
  for (size_t i = 0; i < passages.passages.size(); ++i) {
    const CommonPassage& passage = passages.passages[i];
    json.begin_object().key("text");
    write_excerpt(passage.text, json);
    json.key("documents").whole(passage.documents).key("sampled").whole(passages.documents).key("removals");
    if (passages.effects.empty()) {
      json.null().key("without").null();
    } else {
      json.whole(passages.effects[i].removals).key("without").whole(passages.effects[i].without);
    }
    json.end_object();
  }
  json.end_array();
}

std::vector<DocumentId> places_to_show(const RunTally& tally) {
  std::vector<DocumentId> places;
  const auto add = [&](const ReportRow& row) {
    places.push_back(row.where);
    places.push_back(row.keeper);
  };
  for (const ReportRow& row : tally.least_similar.rows()) add(row);
  for (const auto& members : tally.members) {
    for (const ReportRow& row : members) add(row);
  }
  return places;
}

}  // namespace neardup
