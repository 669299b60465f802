#include "jobs/report/report_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/error.h"
#include "text/utf8/characters.h"

namespace neardup {

ReportTexts::ReportTexts(const ReportRun& run, std::vector<DocumentId> wanted) {
  if (!run.read_texts) return;
  std::erase_if(wanted, [&](const DocumentId& where) { return run.record->source_kind(where.source) == RunRecord::SourceKind::kIndex; });
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.empty()) return;
  try {
    read(run, wanted);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    std::erase_if(wanted, [&](const DocumentId& where) { return texts_.contains(where); });
    read_by_source(run, wanted);
  }
}

void ReportTexts::read(const ReportRun& run, std::span<const DocumentId> wanted) {
  run.read_texts(wanted, [&](const DocumentId& where, const Record& record) { add(where, record); });
}

void ReportTexts::read_by_source(const ReportRun& run, const std::vector<DocumentId>& wanted) {
  for (auto begin = wanted.begin(); begin != wanted.end();) {
    const auto end = std::find_if(begin, wanted.end(), [&](const DocumentId& where) { return where.source != begin->source; });
    check_stop(run.stop);
    try {
      read(run, {begin, end});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kInput) throw;
      if (problems_.size() < kMaxProblems) {
        problems_.push_back(fmt::format("texts of '{}' cannot be shown: {}", run.record->source_name(begin->source), error.what()));
      }
    }
    begin = end;
  }
}

void ReportTexts::add(const DocumentId& where, const Record& record) {
  const std::string_view text = record.text;
  const size_t bytes = bytes_ < kTotalBytes && text.size() <= kWholeBytes ? text.size() : kClippedBytes;
  Text& added = texts_[where];
  added.text = clip_utf8(text, bytes);
  added.block = record.block;
  added.whole = added.text.size() == text.size();
  bytes_ += added.text.size() + added.block.size();
}

const ReportTexts::Text* ReportTexts::find(const DocumentId& where) const {
  const auto found = texts_.find(where);
  return found == texts_.end() ? nullptr : &found->second;
}

}  // namespace neardup
