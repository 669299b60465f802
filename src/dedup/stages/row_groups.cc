#include "dedup/stages/row_groups.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>

#include "base/hash.h"
#include "dedup/corpus/document_table.h"
#include "dedup/corpus/feature_store.h"
#include "dedup/match/match_kept.h"
#include "dedup/match/solve_groups.h"
#include "dedup/match/solve_unverified.h"
#include "dedup/stages/payload.h"
#include "index/lsh/band_keys.h"

namespace neardup {
namespace {

constexpr uint64_t kAllInMemory = std::numeric_limits<uint64_t>::max();

// Documents of which nothing is known but their order.
void append_documents(size_t count, DocumentTable& table) {
  BatchDocuments batch;
  for (size_t i = 0; i < count; ++i) {
    Record record;
    record.where = {0, table.size() + i + 1};
    batch.add(record, 0, {});
  }
  table.append(batch, 0, count);
  table.finish();
}

// What the engine has in memory when it solves groups. The documents are the rows in the order of append().
struct RowCorpus {
  RowCorpus(const StageSettings& given, size_t rows)
      : settings(given), table(KeepPolicy::parse("first"), 0), features(kAllInMemory, {}), weights(0, {}), expected(rows) {
    const PairRule& rule = settings.rule();
    if (rule.lsh.bands == 0) return;
    candidates.key_rows = CandidateRows(BandKeys::row_bytes(rule.lsh), rows, kAllInMemory, {});
    candidates.filter_rows = CandidateRows(rule.filter.row_bytes(), rows, kAllInMemory, {});
  }

  void append(const CandidateRow& row) {
    const PayloadView payload = open_payload(settings, row.rank, row.payload);
    const PairRule& rule = settings.rule();
    if (rule.lsh.bands != 0) {
      candidates.key_rows.append(payload.keys);
      candidates.filter_rows.append(payload.filter);
    }
    if (rule.bits != 0) candidates.codes.push_back(payload.code);
    if (!settings.strategy().reads_features()) return;
    const size_t at = waiting.size();
    const size_t count = payload.features.size() / sizeof(uint64_t);
    waiting.resize(at + count);
    std::memcpy(waiting.data() + at, payload.features.data(), payload.features.size());
    sizes.push_back(static_cast<uint32_t>(count));
    if (waiting.size() >= kFeaturesAtOnce) flush();
  }

  void finish() {
    candidates.documents.resize(expected);
    std::iota(candidates.documents.begin(), candidates.documents.end(), 0U);
    if (settings.rule().lsh.bands != 0) {
      candidates.key_rows.finish();
      candidates.filter_rows.finish();
    }
    flush();
    features.finish();
  }

  // As the pass "decide" has them.
  [[nodiscard]] GroupInputs inputs() const {
    const Options& options = settings.options();
    GroupInputs in{{.table = table,
                    .candidates = candidates,
                    .features = features,
                    .weights = weights,
                    .strategy = settings.strategy(),
                    .threshold = options.threshold}};
    in.max_candidates = settings.strategy().judge == Judge::kHamming ? 0 : options.max_candidates;
    return in;
  }

  static constexpr size_t kFeaturesAtOnce = 1 << 17;
  const StageSettings& settings;
  DocumentTable table;
  Candidates candidates;
  FeatureStore features;
  FeatureStore weights;
  const size_t expected;
  std::vector<uint64_t> waiting;
  std::vector<uint32_t> sizes;

 private:
  void flush() {
    if (!sizes.empty()) features.append(waiting, sizes);
    waiting.clear();
    sizes.clear();
  }
};

struct BandKeyHash {
  size_t operator()(uint64_t key) const noexcept { return mix64(key); }
};

// A shared band is a match.
std::vector<RowRemoval> match_unverified(const StageSettings& settings, const std::vector<CandidateRow>& rows, uint32_t kept) {
  const LshPlan& plan = settings.rule().lsh;
  std::vector<std::unordered_map<uint64_t, uint32_t, BandKeyHash>> first_kept(plan.bands);
  const auto key = [](const uint8_t* keys, uint32_t band) { return BandKeys::load(keys + band * BandKeys::kKeyBytes); };
  std::vector<const uint8_t*> keys;
  keys.reserve(kept);
  for (uint32_t i = 0; i < kept; ++i) {
    keys.push_back(open_payload(settings, rows[i].rank, rows[i].payload).keys);
    for (uint32_t band = 0; band < plan.bands; ++band) first_kept[band].try_emplace(key(keys[i], band), i);
  }
  std::vector<RowRemoval> removals;
  for (uint32_t i = kept; i < rows.size(); ++i) {
    const uint8_t* const own = open_payload(settings, rows[i].rank, rows[i].payload).keys;
    uint32_t keeper = kept;
    for (uint32_t band = 0; band < plan.bands; ++band) {
      const auto at = first_kept[band].find(key(own, band));
      if (at != first_kept[band].end()) keeper = std::min(keeper, at->second);
    }
    if (keeper != kept) removals.push_back({i, keeper, {BandKeys::common_bands(plan, own, keys[keeper]), plan.bands, plan.bands}});
  }
  return removals;
}

}  // namespace

void RowBuffer::add(const CandidateRow& row) {
  roots_.push_back(row.root);
  ranks_.push_back(row.rank);
  payloads_ += row.payload;
  ends_.push_back(payloads_.size());
}

void RowBuffer::clear() noexcept {
  roots_.clear();
  ranks_.clear();
  ends_.clear();
  payloads_.clear();
}

CandidateRow RowBuffer::row(size_t number) const noexcept {
  const size_t begin = number == 0 ? 0 : ends_[number - 1];
  return {roots_[number], ranks_[number], std::string_view(payloads_).substr(begin, ends_[number] - begin)};
}

std::vector<RowRemoval> decide_rows(const StageSettings& settings, const std::vector<CandidateRow>& rows,
                                    const std::vector<uint32_t>& begin, GroupStats& stats) {
  RowCorpus corpus(settings, rows.size());
  append_documents(rows.size(), corpus.table);
  for (const CandidateRow& row : rows) corpus.append(row);
  corpus.finish();
  corpus.candidates.group_begin = begin;
  corpus.candidates.members = corpus.candidates.documents;
  const Cluster cluster = settings.options().cluster;
  if (settings.strategy().unverified) return solve_groups_unverified(corpus.table, corpus.candidates, settings.rule().lsh, cluster);
  return solve_groups(corpus.inputs(), cluster, stats);
}

std::vector<RowRemoval> match_rows(const StageSettings& settings, const std::vector<CandidateRow>& rows, uint32_t kept, GroupStats& stats) {
  if (settings.strategy().unverified) return match_unverified(settings, rows, kept);
  // Later rows come first, as decided documents: these are not compared with each other.
  const auto later = static_cast<uint32_t>(rows.size()) - kept;
  RowCorpus corpus(settings, rows.size());
  append_documents(later, corpus.table);
  corpus.table.close_slice();
  append_documents(kept, corpus.table);
  for (uint32_t i = kept; i < rows.size(); ++i) corpus.append(rows[i]);
  for (uint32_t i = 0; i < kept; ++i) corpus.append(rows[i]);
  corpus.finish();
  std::vector<uint32_t> group(rows.size());
  std::iota(group.begin(), group.begin() + kept, later);
  std::iota(group.begin() + kept, group.end(), 0U);
  const GroupInputs in = corpus.inputs();
  std::vector<RowRemoval> removals = match_kept(in, Matcher(in), group, kept, stats);
  for (RowRemoval& removal : removals) {
    removal.document += kept;
    removal.keeper -= later;
  }
  return removals;
}

}  // namespace neardup
