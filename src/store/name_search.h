// NameSearch: which ids have one of the given names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace neardup {

/// The names must outlive it. For one thread.
class NameSearch {
 public:
  explicit NameSearch(std::span<const std::string> names) {
    for (size_t i = 0; i < names.size(); ++i) positions_[names[i]].push_back(i);
  }
  /// To be called for every name of the store.
  void look(std::string_view name, uint64_t id) {
    const auto at = positions_.find(name);
    if (at == positions_.end()) return;
    for (const size_t position : at->second) found_.emplace_back(position, id);
  }
  /// Calls visit(position in the names, id), ascending.
  void report(const std::function<void(size_t position, uint64_t id)>& visit) {
    std::ranges::sort(found_);
    for (const auto& [position, id] : found_) visit(position, id);
  }

 private:
  std::unordered_map<std::string_view, std::vector<size_t>> positions_;
  std::vector<std::pair<size_t, uint64_t>> found_;
};

}  // namespace neardup
