#include <algorithm>
#include <limits>
#include <memory>

#include "neardup/tools/run_report.h"

namespace neardup {

void read_places(DocumentSource& source, std::span<const DocumentId> wanted, const ReportRun::Visit& visit) {
  source.rewind();
  auto next = wanted.begin();
  uint32_t open_source = std::numeric_limits<uint32_t>::max();
  uint64_t rows_before = 0;  // of the open source, in earlier batches
  while (next != wanted.end()) {
    check_stop();
    const std::unique_ptr<Batch> batch = source.next();
    if (!batch) return;
    const uint32_t first = batch->source();
    if (first != open_source) {
      open_source = first;
      rows_before = 0;
    }
    // Which record of a batch is which row is only known once it is read, so all are parsed.
    batch->read(Batch::Need::kText, {}, [&](uint32_t, const Record& record) {
      DocumentId where = record.where;
      if (where.source == first) where.row += rows_before;
      next = std::find_if(next, wanted.end(), [&](const DocumentId& place) { return place >= where; });
      if (next != wanted.end() && *next == where && record.problem.empty()) visit(where, record);
    });
    rows_before += batch->rows();
  }
}

}  // namespace neardup
