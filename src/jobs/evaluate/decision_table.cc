#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "base/hash.h"
#include "neardup/tools/evaluate.h"

namespace neardup {
namespace {

uint64_t name_hash(std::string_view name) {
  constexpr std::string_view kNoCell = "\t\r\n";
  if (name.find_first_of(kNoCell) == std::string_view::npos) return hash64(name);
  std::string cell(name);
  for (size_t at = 0; (at = cell.find_first_of(kNoCell, at)) != std::string::npos;) cell[at] = ' ';
  return hash64(cell);
}

}  // namespace

void DecisionTable::add(const Row& row) {
  names_.emplace_back(name_hash(row.name), size());
  where_.push_back(row.where);
  keepers_.push_back(row.removed ? row.keeper : row.where);
  kept_.push_back(row.removed ? 0 : 1);
  similarities_.push_back(row.removed ? row.similarity_millionths : 0);
  removed_ += row.removed;
}

void DecisionTable::finish() {
  by_place_.resize(size());
  std::iota(by_place_.begin(), by_place_.end(), 0u);
  if (!std::ranges::is_sorted(where_)) std::ranges::sort(by_place_, {}, [this](uint32_t d) { return where_[d]; });
  std::ranges::sort(names_);
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto rest = std::ranges::unique(names_, same_name);
  repeated_names_ = rest.size();
  names_.erase(rest.begin(), rest.end());

  std::map<DocumentId, uint32_t> references;
  clusters_.resize(size());
  for (uint32_t d = 0; d < size(); ++d) {
    if (kept_[d] != 0) {
      clusters_[d] = d;
    } else if (const auto keeper = find(keepers_[d])) {
      clusters_[d] = *keeper;
    } else {
      clusters_[d] = references.try_emplace(keepers_[d], size() + static_cast<uint32_t>(references.size())).first->second;
    }
  }
  keepers_ = {};
}

std::optional<uint32_t> DecisionTable::find(std::string_view name) const {
  const uint64_t hash = name_hash(name);
  const auto at = std::ranges::lower_bound(names_, hash, {}, &std::pair<uint64_t, uint32_t>::first);
  if (at == names_.end() || at->first != hash) return std::nullopt;
  return at->second;
}

std::optional<uint32_t> DecisionTable::find(const DocumentId& where) const {
  const auto at = std::ranges::lower_bound(by_place_, where, {}, [this](uint32_t d) { return where_[d]; });
  if (at == by_place_.end() || where_[*at] != where) return std::nullopt;
  return *at;
}

std::optional<uint32_t> DecisionTable::keeper(uint32_t document) const noexcept {
  if (kept_[document] != 0 || clusters_[document] >= size()) return std::nullopt;
  return clusters_[document];
}

}  // namespace neardup
