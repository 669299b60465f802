#include "jobs/report/report_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/report/passages/clip.h"
#include "neardup/error.h"

namespace neardup {

ReportTexts::ReportTexts(const ReportRun& run, std::vector<DocumentId> wanted) {
  if (!run.read_texts) return;
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (auto begin = wanted.begin(); begin != wanted.end();) {
    const auto end = std::find_if(begin, wanted.end(), [&](const DocumentId& where) { return where.source != begin->source; });
    if (run.record->source_kind(begin->source) != RunRecord::SourceKind::kIndex) read(run, {begin, end});
    begin = end;
  }
}

void ReportTexts::read(const ReportRun& run, std::span<const DocumentId> of_source) {
  check_stop(run.stop);
  try {
    run.read_texts(of_source, [&](const DocumentId& where, const Record& record) { add(where, record.text); });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    if (problems_.size() == kMaxProblems) return;
    problems_.push_back(fmt::format("texts of '{}' cannot be shown: {}", run.record->source_name(of_source.front().source), error.what()));
  }
}

void ReportTexts::add(const DocumentId& where, std::string_view text) {
  const size_t bytes = bytes_ < kTotalBytes && text.size() <= kWholeBytes ? text.size() : kClippedBytes;
  Text& added = texts_[where];
  added.text = clip_utf8(text, bytes);
  added.whole = added.text.size() == text.size();
  bytes_ += added.text.size();
}

const ReportTexts::Text* ReportTexts::find(const DocumentId& where) const {
  const auto found = texts_.find(where);
  return found == texts_.end() ? nullptr : &found->second;
}

}  // namespace neardup
