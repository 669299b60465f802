// spread_labels(): connected components, the slow way: each rank takes the least label of its neighbours until none changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace neardup::testing {

/// `edges`: pairs of ranks. Every rank of an edge with the least rank of its component.
template <typename Edges>
std::map<int64_t, int64_t> spread_labels(const Edges& edges) {
  std::map<int64_t, int64_t> label;
  for (const auto& [a, b] : edges) {
    label[a] = a;
    label[b] = b;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : edges) {
      const int64_t least = std::min(label[a], label[b]);
      changed = changed || label[a] != least || label[b] != least;
      label[a] = label[b] = least;
    }
  }
  return label;
}

}  // namespace neardup::testing
