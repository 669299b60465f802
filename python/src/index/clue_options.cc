#include "index/clue_options.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <string>

#include "neardup/error.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

Threshold threshold_of(const std::string& name, nb::handle value) {
  try {
    return Threshold::parse(nb::cast<std::string>(value));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace

ClueSearch clue_search_of(const nb::dict& given) {
  ClueSearch search;
  for (const auto& [key, value] : given) {
    const std::string name = nb::cast<std::string>(key);
    if (name == "resembles") {
      search.mode = nb::cast<bool>(value) ? ClueSearch::Mode::kResembles : ClueSearch::Mode::kContains;
    } else if (name == "edits") {
      if (!value.is_none()) search.edits = Threshold(nb::cast<double>(value));
    } else if (name == "threshold") {
      search.threshold = threshold_of(name, value);
    } else if (name == "measure") {
      search.measure = nb::cast<std::string>(value) == "jaccard" ? ClueMeasure::kJaccard : ClueMeasure::kContainment;
    } else if (name == "limit") {
      search.limit = nb::cast<uint64_t>(value);
    } else if (name == "max_candidates") {
      search.max_candidates = nb::cast<uint64_t>(value);
    } else if (name == "scan") {
      search.scan = nb::cast<bool>(value);
    } else if (name == "count") {
      search.count_only = nb::cast<bool>(value);
    } else if (name == "explain") {
      search.explain = nb::cast<bool>(value);
    } else if (name == "passages") {
      search.passages = nb::cast<bool>(value);
    }
  }
  return search;
}

}  // namespace neardup::python
