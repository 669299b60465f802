// RunRecordWriter: the sink of the output pass that writes `verdicts.seg`, which RunRecord reads.
//
// Rows go to the file as they come; ids and the two indexes wait in temporary files and follow in finish(). Memory: the given bound.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/external_sort.h"
#include "base/spill_file.h"
#include "dedup/record/record_layout.h"
#include "neardup/recipe.h"
#include "neardup/sink.h"
#include "neardup/source.h"
#include "store/segment_writer.h"

namespace neardup {

class RunRecordWriter final : public Sink {
 public:
  struct Place {
    std::string path;
    std::string temp_dir;
    uint64_t memory_bytes = 0;
  };
  /// The source is not owned. `indexes`: leading sources that are reference indexes; `references`: those and the reference corpus. Throws
  /// Error{kOutput}.
  RunRecordWriter(const Place& place, const Recipe& recipe, const DocumentSource& source, uint32_t indexes, uint32_t references);

  [[nodiscard]] bool needs_raw() const noexcept override { return false; }
  void format(const Record& record, const Verdict& verdict, std::string& out) const override;
  void append(uint32_t source, std::string_view bytes) override;
  /// Writes the rest of the file. Call it after the last document, before commit(), which then only renames. Throws Error{kOutput}.
  void finish();
  void commit() override { file_.commit(); }
  void withdraw() noexcept override { file_.withdraw(); }
  [[nodiscard]] uint64_t spilled_bytes() const noexcept;

 private:
  // A removed document; sorted by keeper.
  struct Member {
    uint64_t keeper_row;
    uint64_t number;
    uint32_t keeper_source;
    uint32_t zero;
    friend bool operator<(const Member& a, const Member& b) noexcept {
      if (a.keeper_source != b.keeper_source) return a.keeper_source < b.keeper_source;
      return a.keeper_row != b.keeper_row ? a.keeper_row < b.keeper_row : a.number < b.number;
    }
  };
  std::string source_rows();

  const DocumentSource& source_;
  const uint32_t indexes_;
  const uint32_t references_;
  SegmentWriter file_;
  SpillFile names_;
  ExternalSorter<record::IdHash> ids_;
  ExternalSorter<Member> members_;
  uint64_t documents_ = 0;
};

}  // namespace neardup
