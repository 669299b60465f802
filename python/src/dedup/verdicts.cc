#include "dedup/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "neardup/io.h"

namespace neardup::python {
namespace {

// What format() passes to append(), followed by the bytes of both ids.
struct Packed {
  DocumentId where;
  DocumentId cluster;
  uint64_t cluster_size;
  double similarity;
  uint32_t id_bytes;
  uint32_t keeper_id_bytes;
  Reason reason;
  bool removed;
  bool has_id;
  bool keeper_has_id;
};

// The number that a file has, with six decimals.
double as_written(double similarity) {
  char digits[32];
  const auto written = fmt::format_to_n(digits, sizeof digits, "{:.6f}", similarity);
  double number = 0;
  std::from_chars(digits, digits + written.size, number);
  return number;
}

// Arrow strings are UTF-8, whatever a source gave.
std::string valid_utf8(std::string_view text) {
  const bool ascii = std::ranges::all_of(text, [](unsigned char byte) { return byte < 0x80; });
  return ascii ? std::string(text) : to_utf8(text, "utf-8");
}

std::vector<std::string> reason_names() {
  std::vector<std::string> names;
  for (size_t reason = 0; reason <= static_cast<size_t>(kLastReason); ++reason) names.emplace_back(to_string(static_cast<Reason>(reason)));
  return names;
}

std::vector<std::string> valid_names(const std::vector<std::string>& names) {
  std::vector<std::string> valid;
  for (const std::string& name : names) valid.push_back(valid_utf8(name));
  return valid;
}

template <typename To, typename From>
std::vector<To> converted(const std::vector<From>& values) {
  std::vector<To> result;
  result.reserve(values.size());
  for (const From value : values) result.push_back(static_cast<To>(value));
  return result;
}

}  // namespace

std::string_view Verdicts::id(size_t entry) const noexcept {
  const auto begin = static_cast<size_t>(entry == 0 ? 0 : id_ends[entry - 1]);
  return std::string_view(id_bytes).substr(begin, static_cast<size_t>(id_ends[entry]) - begin);
}

int64_t Verdicts::find(const DocumentId& where) const noexcept {
  const auto sources = std::ranges::equal_range(source, where.source);
  const auto first = row.begin() + (sources.begin() - source.begin());
  const auto end = row.begin() + (sources.end() - source.begin());
  const auto found = std::lower_bound(first, end, where.row);
  return found != end && *found == where.row ? found - row.begin() : -1;
}

std::vector<int64_t> Verdicts::keepers() const {
  std::vector<int64_t> entries(size());
  for (size_t i = 0; i < size(); ++i) entries[i] = removed[i] != 0 ? find({keeper_source[i], keeper_row[i]}) : static_cast<int64_t>(i);
  return entries;
}

std::shared_ptr<const Table> Verdicts::table() const {
  auto table = std::make_shared<Table>(size());
  const std::vector<std::string> sources = valid_names(source_names);
  const std::vector<int64_t> keeper = keepers();
  std::vector<bool> is_removed(size());
  std::vector<bool> keeper_has_id(size());
  std::string keeper_ids;
  std::vector<int64_t> keeper_id_ends;
  std::string clusters;
  std::vector<int64_t> cluster_ends;
  keeper_id_ends.reserve(size());
  cluster_ends.reserve(size());
  for (size_t i = 0; i < size(); ++i) {
    is_removed[i] = removed[i] != 0;
    if (is_removed[i] && keeper[i] >= 0) {
      const auto entry = static_cast<size_t>(keeper[i]);
      keeper_has_id[i] = has_id[entry];
      keeper_ids += id(entry);
    } else if (const auto found = reference_ids.find(i); found != reference_ids.end()) {
      keeper_has_id[i] = true;
      keeper_ids += found->second;
    }
    keeper_id_ends.push_back(static_cast<int64_t>(keeper_ids.size()));
    fmt::format_to(std::back_inserter(clusters), "{}:{}", sources[keeper_source[i]], keeper_row[i]);
    cluster_ends.push_back(static_cast<int64_t>(clusters.size()));
  }
  table->add("id", id_bytes, id_ends, has_id);
  table->add("source", sources, converted<int32_t>(source));
  table->add("row", converted<int64_t>(row));
  table->add("verdict", {std::string(to_string(Decision::kKeep)), std::string(to_string(Decision::kRemove))}, converted<int32_t>(removed));
  table->add("reason", reason_names(), converted<int32_t>(reason));
  table->add("keeper_id", std::move(keeper_ids), std::move(keeper_id_ends), keeper_has_id);
  table->add("keeper_source", sources, converted<int32_t>(keeper_source), is_removed);
  table->add("keeper_row", converted<int64_t>(keeper_row), is_removed);
  table->add("similarity", similarity, is_removed);
  table->add("cluster_id", std::move(clusters), std::move(cluster_ends));
  table->add("cluster_size", converted<int64_t>(cluster_size));
  return table;
}

std::shared_ptr<const Table> Verdicts::rejected_table() const {
  auto table = std::make_shared<Table>(rejected.size());
  std::vector<int32_t> sources;
  std::vector<int64_t> rows;
  std::string kinds;
  std::vector<int64_t> kind_ends;
  std::string problems;
  std::vector<int64_t> problem_ends;
  for (const Rejected& each : rejected) {
    sources.push_back(static_cast<int32_t>(each.where.source));
    rows.push_back(static_cast<int64_t>(each.where.row));
    kinds += each.kind;
    kind_ends.push_back(static_cast<int64_t>(kinds.size()));
    problems += valid_utf8(each.problem);
    problem_ends.push_back(static_cast<int64_t>(problems.size()));
  }
  table->add("source", valid_names(source_names), std::move(sources));
  table->add("row", std::move(rows));
  table->add("kind", std::move(kinds), std::move(kind_ends));
  table->add("problem", std::move(problems), std::move(problem_ends));
  return table;
}

void VerdictSink::format(const Record& record, const Verdict& verdict, std::string& out) const {
  const bool removed = verdict.decision == Decision::kRemove;
  // The ids of other keepers are those of their own entries.
  const bool reference = removed && verdict.keeper_has_id && verdict.keeper.source < verdicts_.reference_sources;
  const std::string id = valid_utf8(record.id);
  const std::string keeper_id = reference ? valid_utf8(verdict.keeper_id) : std::string();
  Packed packed;
  std::memset(static_cast<void*>(&packed), 0, sizeof packed);
  packed.where = record.where;
  packed.cluster = removed ? verdict.keeper : record.where;
  packed.cluster_size = verdict.cluster_size;
  packed.similarity = removed ? as_written(verdict.similarity) : 0;
  packed.id_bytes = static_cast<uint32_t>(id.size());
  packed.keeper_id_bytes = static_cast<uint32_t>(keeper_id.size());
  packed.reason = verdict.reason;
  packed.removed = removed;
  packed.has_id = record.has_id;
  packed.keeper_has_id = reference;
  out.append(reinterpret_cast<const char*>(&packed), sizeof packed);
  out += id;
  out += keeper_id;
}

void VerdictSink::append(uint32_t, std::string_view bytes) {
  Verdicts& to = verdicts_;
  while (!bytes.empty()) {
    Packed packed;
    std::memcpy(static_cast<void*>(&packed), bytes.data(), sizeof packed);
    bytes.remove_prefix(sizeof packed);
    to.source.push_back(packed.where.source);
    to.row.push_back(packed.where.row);
    to.reason.push_back(packed.reason);
    to.removed.push_back(static_cast<uint8_t>(packed.removed));
    to.keeper_source.push_back(packed.cluster.source);
    to.keeper_row.push_back(packed.cluster.row);
    to.similarity.push_back(packed.similarity);
    to.cluster_size.push_back(packed.cluster_size);
    to.id_bytes.append(bytes.substr(0, packed.id_bytes));
    to.id_ends.push_back(static_cast<int64_t>(to.id_bytes.size()));
    to.has_id.push_back(packed.has_id);
    bytes.remove_prefix(packed.id_bytes);
    if (packed.keeper_has_id) to.reference_ids[to.size() - 1] = bytes.substr(0, packed.keeper_id_bytes);
    bytes.remove_prefix(packed.keeper_id_bytes);
  }
}

void RejectCollector::append(const Record& record) {
  verdicts_.rejected.push_back({record.where, std::string(to_string(record.reject_kind)), std::string(record.problem)});
}

void PairCollector::append(const End& end, Side& side) {
  side.names += end.has_id ? valid_utf8(end.id) : fmt::format("{}:{}", source_.source_name(end.where.source), end.where.row);
  side.ends.push_back(static_cast<int64_t>(side.names.size()));
  side.sources.push_back(static_cast<int32_t>(end.where.source));
  side.rows.push_back(static_cast<int64_t>(end.where.row));
}

void PairCollector::append(const End& a, const End& b, double similarity) {
  append(a, a_);
  append(b, b_);
  similarities_.push_back(as_written(similarity));
}

std::shared_ptr<const Table> PairCollector::table(bool containment) {
  std::vector<std::string> sources;
  for (uint32_t i = 0; i < source_.source_count(); ++i) sources.emplace_back(source_.source_name(i));
  sources = valid_names(sources);
  auto table = std::make_shared<Table>(similarities_.size());
  table->add(containment ? "contained" : "id_a", std::move(a_.names), std::move(a_.ends));
  table->add(containment ? "container" : "id_b", std::move(b_.names), std::move(b_.ends));
  table->add(containment ? "containment" : "similarity", std::move(similarities_));
  table->add("source_a", sources, std::move(a_.sources));
  table->add("row_a", std::move(a_.rows));
  table->add("source_b", sources, std::move(b_.sources));
  table->add("row_b", std::move(b_.rows));
  return table;
}

}  // namespace neardup::python
