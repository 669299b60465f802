#include "jobs/report/tally/source_tally.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace neardup {
namespace {

constexpr uint32_t kNotListed = std::numeric_limits<uint32_t>::max();

}  // namespace

void SourceTally::add(const ReportRow& row) {
  SourceCounts& counts = counts_[row.where.source];
  ++counts.documents;
  if (!row.removed) {
    ++counts.kept;
    return;
  }
  ++(row.exact_copy ? counts.exact : counts.near);
  ++counts_[row.keeper.source].wins;
  ++losses_[uint64_t{row.where.source} << 32 | row.keeper.source];
}

SourceTable SourceTally::table(size_t max_sources, size_t max_losses) const {
  SourceTable table;
  for (uint32_t source = 0; source < counts_.size(); ++source) {
    const SourceCounts& counts = counts_[source];
    if (counts.documents > 0 || counts.wins > 0) table.rows.push_back({source, counts.documents == 0, counts});
  }
  const auto listed = table.rows.begin() + static_cast<std::ptrdiff_t>(std::min(max_sources, table.rows.size()));
  const auto size = [](const SourceTable::Row& row) { return std::max(row.counts.documents, row.counts.wins); };
  std::ranges::nth_element(table.rows, listed, [&](const SourceTable::Row& a, const SourceTable::Row& b) {
    return std::tuple(size(b), a.source) < std::tuple(size(a), b.source);
  });
  for (auto row = listed; row != table.rows.end(); ++row) {
    ++table.sources_left_out;
    table.left_out.documents += row->counts.documents;
    table.left_out.kept += row->counts.kept;
    table.left_out.exact += row->counts.exact;
    table.left_out.near += row->counts.near;
    table.left_out.wins += row->counts.wins;
  }
  table.rows.erase(listed, table.rows.end());
  std::ranges::sort(table.rows, {}, &SourceTable::Row::source);

  std::vector<uint32_t> index(counts_.size(), kNotListed);
  for (size_t i = 0; i < table.rows.size(); ++i) index[table.rows[i].source] = static_cast<uint32_t>(i);
  for (const auto& [pair, documents] : losses_) {
    const uint32_t loser = index[pair >> 32];
    const uint32_t winner = index[static_cast<uint32_t>(pair)];
    if (loser == kNotListed || winner == kNotListed) {
      table.losses_left_out += documents;
    } else {
      table.losses.push_back({loser, winner, documents});
    }
  }
  const auto by_size = [](const SourceTable::Loss& a, const SourceTable::Loss& b) {
    return std::tuple(b.documents, a.loser, a.winner) < std::tuple(a.documents, b.loser, b.winner);
  };
  std::ranges::sort(table.losses, by_size);
  for (size_t i = max_losses; i < table.losses.size(); ++i) table.losses_left_out += table.losses[i].documents;
  table.losses.resize(std::min(max_losses, table.losses.size()));
  std::ranges::sort(table.losses, {}, [](const SourceTable::Loss& loss) { return std::tuple(loss.loser, loss.winner); });
  return table;
}

}  // namespace neardup
