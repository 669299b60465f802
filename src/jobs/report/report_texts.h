// ReportTexts: the texts that a report needs, read in one go, or source by source if that fails.
//
// A source that cannot be read does not fail the report: its texts are missing, and the reason is kept. For one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "neardup/tools/run_report.h"

namespace neardup {

class ReportTexts {
 public:
  static constexpr size_t kWholeBytes = 1u << 20;    ///< a longer text is clipped
  static constexpr size_t kTotalBytes = 256u << 20;  ///< beyond, only the beginnings of texts are kept
  static constexpr size_t kClippedBytes = 64u << 10;

  struct Text {
    std::string text;
    std::string block;   ///< Record::block
    bool whole = false;  ///< not clipped
  };

  /// `wanted` in any order, repetitions allowed. Throws Error{kStopped}, and every error that is not of the input.
  ReportTexts(const ReportRun& run, std::vector<DocumentId> wanted);

  /// Null if it could not be read, or is an entry of an index.
  [[nodiscard]] const Text* find(const DocumentId& where) const;
  /// One line for each source whose texts are missing, at most kMaxProblems.
  [[nodiscard]] const std::vector<std::string>& problems() const noexcept { return problems_; }
  static constexpr size_t kMaxProblems = 20;

 private:
  void read(const ReportRun& run, std::span<const DocumentId> wanted);
  void read_by_source(const ReportRun& run, const std::vector<DocumentId>& wanted);
  void add(const DocumentId& where, const Record& record);

  std::map<DocumentId, Text> texts_;
  uint64_t bytes_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace neardup
