// quotes(): the passages that the texts of a corpus share with earlier texts.
//
//   neardup::QuotesRun run;
//   run.source = source.get();
//   run.output = "quotes.tsv";
//   const neardup::Quotes found = neardup::quotes(options, run);
#pragma once

#include <cstdint>
#include <string>

#include "neardup/options.h"
#include "neardup/tools/run_hooks.h"
#include "neardup/tools/summary.h"

namespace neardup {

struct QuotesRun : RunHooks {
  static constexpr uint32_t kMinMinRun = 9;
  static constexpr uint32_t kMaxMinRun = 1'000'000;

  std::string output = "-";  ///< a table, or JSON Lines if it ends in .jsonl; "-" is standard output
  uint32_t min_run = 40;     ///< minimum length of a passage in columns; kMinMinRun to kMaxMinRun
  uint64_t max_places = 1;   ///< rows of one passage, one for each earlier place, the earliest first; at least 1
  bool fold_han = false;     ///< traditional Chinese characters match simplified ones
};

/// The results of a run, besides those in the summary. A passage is counted once, whatever the number of its rows.
struct Quotes {
  Summary summary;  ///< kept is the number of texts that were compared
  uint64_t passages = 0;
  uint64_t rows = 0;
  uint64_t texts = 0;            ///< texts with at least one passage
  uint64_t shared_bytes = 0;     ///< bytes of these texts that lie in passages, each counted once
  uint64_t capped_passages = 0;  ///< passages with more than max_places earlier places; always 0 with max_places 1
  uint64_t compared_points = 0;  ///< characters next to an anchor that several texts have
  uint64_t slices = 0;           ///< into which these were divided to fit into memory; each is compared with all before it

  [[nodiscard]] std::string to_json() const;  ///< the summary's members and a member "quotes"
  [[nodiscard]] std::string to_text(bool verbose) const;
};

/// Texts are compared in their normalized form: case, width, punctuation and white space do not matter, nor with `fold_han` whether
/// characters are traditional. A passage is a run of that form
/// that an earlier text has, too, and that is not part of a longer one; a wide character (Chinese, kana, Hangul) has two columns, any other
/// one.
///
/// Writes one row for each passage and earlier place: id_a, begin_a, end_a, id_b, begin_b, end_b, length, passage. b is the earlier text,
/// by default the earliest one. Begins and ends are bytes of the texts, length is in columns, the passage is that of a. Rows ascend by a,
/// then begin_a, then b. Exact. Options used: threads, memory, temp_dir, max_rejects. Texts and forms are kept in files beyond an eighth of
/// the memory each. Throws Error; then nothing was committed.
Quotes quotes(const Options& options, const QuotesRun& run);

}  // namespace neardup
