#include "dedup/stages/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "dedup/stages/row_groups.h"
#include "neardup/error.h"

namespace neardup {
namespace {

// Small groups are decided together: each decision has a cost of its own.
constexpr uint64_t kTogether = 4 << 20;

class Decide final : public DecideStage {
 public:
  Decide(const StageSettings& settings, uint64_t memory)
      : settings_(settings), max_group_(memory / 2), together_(std::min(kTogether, memory / 4)) {}

  bool add(const CandidateRow& row) override {
    check_order(row);
    if (before_ && before_->root == row.root && before_->rank == row.rank) return add_again(row);
    const bool new_group = !before_ || before_->root != row.root;
    before_ = {row.root, row.rank, {}};
    if (new_group) {
      end_group();
    } else if (cut_) {
      return false;
    } else if (group_bytes_ + RowBuffer::bytes_of(row) > max_group_) {
      cut_group(row);
      return false;
    }
    rows_.add(row);
    group_bytes_ += RowBuffer::bytes_of(row);
    return true;
  }

  void finish() override {
    end_group();
    decide();
  }
  void take(std::vector<RankRemoval>& removals) override {
    removals.insert(removals.end(), removals_.begin(), removals_.end());
    removals_.clear();
  }
  void take_kept(std::vector<StoredRow>& kept) override {
    std::ranges::move(kept_, std::back_inserter(kept));
    kept_.clear();
  }
  [[nodiscard]] const DecideStats& stats() const noexcept override { return stats_; }

 private:
  void check_order(const CandidateRow& row) const {
    if (!before_ || std::pair(before_->root, before_->rank) <= std::pair(row.root, row.rank)) return;
    throw Error(ErrorCode::kInput, fmt::format("rows are not in order: root {}, rank {} comes after root {}, rank {}", row.root, row.rank,
                                               before_->root, before_->rank));
  }
  // The same row may come from several blocks of bits.
  bool add_again(const CandidateRow& row) const {
    if (!cut_ && rows_.row(rows_.size() - 1).payload != row.payload)
      throw Error(ErrorCode::kInput, fmt::format("the document of rank {} has two payloads", row.rank));
    return true;
  }

  [[nodiscard]] size_t open_begin() const noexcept { return begin_.empty() ? 0 : begin_.back(); }

  void end_group() {
    close_group();
    cut_ = false;
    if (rows_.bytes() >= together_) decide();
  }
  void close_group() {
    group_bytes_ = 0;
    const size_t size = rows_.size() - open_begin();
    if (size == 0) return;
    begin_.push_back(static_cast<uint32_t>(rows_.size()));
    ++stats_.groups;
    stats_.documents += size;
    stats_.largest_group = std::max<uint64_t>(stats_.largest_group, size);
  }

  // `next` is the first row that does not fit.
  void cut_group(const CandidateRow& next) {
    if (settings_.options().cluster == Cluster::kComponents) {
      throw Error(
          ErrorCode::kResource,
          fmt::format("cluster 'components': the group of root {} has more than {} bytes of payloads, half of the memory of a task; "
                      "give tasks more memory, or use cluster 'scan', which has no such limit",
                      next.root, max_group_));
    }
    const size_t block = open_begin();
    close_group();
    decide(block);
    cut_ = true;
  }

  // Decides all rows. Those from `block` on are a block: what it keeps is kept here, too.
  void decide(std::optional<size_t> block = std::nullopt) {
    if (rows_.size() == 0) return;
    std::vector<CandidateRow> rows;
    rows.reserve(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) rows.push_back(rows_.row(i));
    begin_.insert(begin_.begin(), 0);
    GroupStats stats;
    std::vector<bool> removed(rows.size());
    for (const RowRemoval& removal : decide_rows(settings_, rows, begin_, stats)) {
      removals_.push_back({rows[removal.document].rank, rows[removal.keeper].rank, removal.overlap, removal.connected});
      removed[removal.document] = true;
    }
    stats_.verifications += stats.verifications;
    stats_.capped += stats.capped_documents;
    stats_.just_below += stats.just_below;
    for (size_t i = block.value_or(rows.size()); i < rows.size(); ++i) {
      if (!removed[i]) kept_.push_back({rows[i].root, rows[i].rank, std::string(rows[i].payload)});
    }
    rows_.clear();
    begin_.clear();
  }

  const StageSettings& settings_;
  const uint64_t max_group_;
  const uint64_t together_;
  RowBuffer rows_;               // whole groups, then the open one
  std::vector<uint32_t> begin_;  // where each whole group ends
  uint64_t group_bytes_ = 0;     // of the open group
  bool cut_ = false;             // its block is decided
  std::optional<CandidateRow> before_;
  std::vector<RankRemoval> removals_;
  std::vector<StoredRow> kept_;
  DecideStats stats_;
};

class Match final : public MatchStage {
 public:
  Match(const StageSettings& settings, std::vector<CandidateRow> kept, uint64_t memory)
      : settings_(settings), kept_(std::move(kept)), together_(memory / 4) {
    std::ranges::sort(kept_, {}, [](const CandidateRow& row) { return std::pair(row.root, row.rank); });
  }

  void add(const CandidateRow& row) override {
    rows_.add(row);
    if (rows_.bytes() >= together_) match();
  }
  void finish() override { match(); }
  void take(std::vector<RankRemoval>& removals) override {
    removals.insert(removals.end(), removals_.begin(), removals_.end());
    removals_.clear();
  }
  void take_left(std::vector<StoredRow>& left) override {
    std::ranges::move(left_, std::back_inserter(left));
    left_.clear();
  }
  [[nodiscard]] const DecideStats& stats() const noexcept override { return stats_; }

 private:
  // The kept rows of each root, then those that came; root by root.
  void match() {
    std::vector<CandidateRow> rows;
    rows.reserve(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) rows.push_back(rows_.row(i));
    std::ranges::sort(rows, {}, [](const CandidateRow& row) { return std::pair(row.root, row.rank); });
    for (auto begin = rows.begin(); begin != rows.end();) {
      const auto end = std::ranges::find_if(begin, rows.end(), [&](const CandidateRow& row) { return row.root != begin->root; });
      match_root({begin, end});
      begin = end;
    }
    rows_.clear();
  }

  void match_root(std::span<const CandidateRow> later) {
    const auto of_root = std::ranges::equal_range(kept_, later.front().root, {}, &CandidateRow::root);
    std::vector<CandidateRow> group(of_root.begin(), of_root.end());
    const auto kept = static_cast<uint32_t>(group.size());
    group.insert(group.end(), later.begin(), later.end());
    std::vector<bool> removed(group.size());
    if (kept > 0) {
      GroupStats stats;
      for (const RowRemoval& removal : match_rows(settings_, group, kept, stats)) {
        removals_.push_back({group[removal.document].rank, group[removal.keeper].rank, removal.overlap, false});
        removed[removal.document] = true;
      }
      stats_.verifications += stats.verifications;
      stats_.capped += stats.capped_documents;
    }
    for (size_t i = kept; i < group.size(); ++i) {
      if (!removed[i]) left_.push_back({group[i].root, group[i].rank, std::string(group[i].payload)});
    }
  }

  const StageSettings& settings_;
  std::vector<CandidateRow> kept_;  // by root, then rank
  const uint64_t together_;
  RowBuffer rows_;
  std::vector<RankRemoval> removals_;
  std::vector<StoredRow> left_;
  DecideStats stats_;
};

}  // namespace

std::unique_ptr<DecideStage> make_decide(const StageSettings& settings, uint64_t memory) {
  return std::make_unique<Decide>(settings, memory);
}

std::unique_ptr<MatchStage> make_match(const StageSettings& settings, std::vector<CandidateRow> kept, uint64_t memory) {
  return std::make_unique<Match>(settings, std::move(kept), memory);
}

}  // namespace neardup
