#include "jobs/report/removal_changes.h"

#include "jobs/tune/pair_changes.h"
#include "neardup/stop.h"
#include "neardup/tools/align.h"

namespace neardup {

RemovalChanges count_removal_changes(std::span<const ReportRow> removals, const ReportTexts& texts) {
  RemovalChanges changes;
  size_t bytes = 0;
  for (const ReportRow& row : removals) {
    const ReportTexts::Text* const removed = texts.find(row.where);
    const ReportTexts::Text* const keeper = texts.find(row.keeper);
    if (removed == nullptr || keeper == nullptr || !removed->whole || !keeper->whole) continue;
    if (removed->text.size() > RemovalChanges::kMaxBytes || keeper->text.size() > RemovalChanges::kMaxBytes) continue;
    bytes += removed->text.size() + keeper->text.size();
    if (bytes > RemovalChanges::kTotalBytes) break;
    check_stop();
    const PairChanges pair = count_changes(removed->text, keeper->text, align_texts(removed->text, keeper->text));
    ++changes.removals;
    ++changes.kinds[static_cast<size_t>(pair.kind())];
  }
  return changes;
}

void write_removal_changes(const RemovalChanges& changes, JsonWriter& json) {
  json.key("changes").begin_object().key("removals").whole(changes.removals).key("kinds").begin_array();
  for (size_t i = 0; i < kPairKinds; ++i) {
    json.begin_array().text(name_of(static_cast<PairKind>(i))).whole(changes.kinds[i]).end_array();
  }
  json.end_array().end_object();
}

}  // namespace neardup
