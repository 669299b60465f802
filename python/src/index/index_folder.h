// What the bindings of indexes in folders have in common.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "neardup/stop.h"
#include "texts.h"

namespace neardup::python {

/// Removes all ids from a store or an index. Throws Error{kStopped}.
template <typename Index>
void remove_all(Index& index, const std::vector<uint64_t>& ids, const StopFunction& stop) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i % 4096 == 0) check_stop(stop);
    index.remove(ids[i]);
  }
}

/// The entries that have one of the given names.
class NameMatches {
 public:
  template <typename Index>
  void find(const Index& index, const Texts& names) {
    std::vector<std::string> list;
    for (size_t i = 0; i < names.size(); ++i) list.emplace_back(names[i]);
    index.find_names(list, [&](size_t position, uint64_t id) {
      positions_.push_back(static_cast<int64_t>(position));
      ids_.push_back(id);
    });
  }
  /// (positions in the names, ids)
  nanobind::tuple finish() { return nanobind::make_tuple(array_of(std::move(positions_)), array_of(std::move(ids_))); }

 private:
  std::vector<int64_t> positions_;
  std::vector<uint64_t> ids_;
};

}  // namespace neardup::python
