#include "spark/bind_spark.h"

#include <string_view>
#include <utility>

#include "neardup/tools/stages.h"

namespace nb = nanobind;

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
                                                         {"TALLY", BlobKind::kTally}};
  for (const auto& [name, kind] : kKinds) part.attr(name) = static_cast<int>(kind);
  bind_reduces(part);
  bind_deciders(part);
  bind_rank_filter(part);
  bind_stages(part);
}

}  // namespace neardup::python
