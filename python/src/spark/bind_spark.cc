#include "spark/bind_spark.h"

#include <nanobind/stl/string_view.h>

#include <string_view>
#include <utility>

#include "neardup/options.h"
#include "neardup/tools/stages.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace neardup::python {

void bind_spark(nb::module_& module) {
  nb::module_ part = module.def_submodule("spark", "The native half of neardup.spark.");
  constexpr std::pair<const char*, BlobKind> kKinds[] = {{"DOCUMENTS", BlobKind::kDocuments},
                                                         {"SHORT_DOCUMENTS", BlobKind::kShortDocuments},
                                                         {"IDS", BlobKind::kIds},
                                                         {"COPIES", BlobKind::kCopies},
                                                         {"SHORTS", BlobKind::kShorts},
                                                         {"KEYS", BlobKind::kKeys},
                                                         {"EDGES", BlobKind::kEdges},
                                                         {"CODES", BlobKind::kCodes},
                                                         {"COUNTS", BlobKind::kCounts},
                                                         {"HALVES", BlobKind::kHalves},
                                                         {"TALLY", BlobKind::kTally},
                                                         {"FREQUENCIES", BlobKind::kFrequencies}};
  for (const auto& [name, kind] : kKinds) part.attr(name) = static_cast<int>(kind);
  part.def("parse_bytes", &parse_bytes, "option"_a, "text"_a, "The bytes of a size such as 256M, 1GiB or 300000.");
  bind_reduces(part);
  bind_frequencies(part);
  bind_deciders(part);
  bind_rank_filter(part);
  bind_lines(part);
  bind_clue_scan(part);
  bind_stages(part);
}

}  // namespace neardup::python
