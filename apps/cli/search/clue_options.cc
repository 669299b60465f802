#include "cli/search/clue_options.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>

#include "cli/options/local_options.h"
#include "cli/options/suggest.h"
#include "neardup/error.h"

namespace neardup::cli {
namespace {

// "10%", "0.1"
Threshold edits_of(const std::string& text) {
  const bool percent = text.ends_with('%');
  const char* const last = text.data() + text.size() - (percent ? 1 : 0);
  double share = 0;
  const auto [end, error] = std::from_chars(text.data(), last, share, std::chars_format::fixed);
  if (percent) share /= 100;
  const double most = ClueSearch::kMaxEditsMillionths / double{Threshold::kOne};
  // Threshold rounds to millionths: half of one is the least that is above 0.
  if (error == std::errc() && end == last && share >= 0.5 / double{Threshold::kOne} && share <= most) return share;
  throw Error(ErrorCode::kUsage,
              fmt::format("--edits: expected a share of the clue's characters above 0 and at most {:g}%, such as 10% or 0.1, not '{}'",
                          100 * most, text));
}

void refuse(const Invocation& invocation, std::string_view name, std::string_view reason) {
  if (invocation.has(name)) throw Error(ErrorCode::kUsage, fmt::format("--{} {}", name, reason));
}

}  // namespace

std::vector<LocalOption> clue_options() {
  constexpr std::string_view kQuestion = "Question";
  constexpr std::string_view kAnswers = "Answers";
  return {
      essential({"--text", "CLUE", kQuestion, "the clue"}),
      essential({"--file", "FILE", kQuestion, "a file with the clue; - is standard input"}),
      {"--contains", "", kQuestion, "texts that contain the clue; the default"},
      essential(
          {"--edits", "P%", kQuestion, "texts with a passage that differs from the clue in P% of its characters or fewer (at most 50%)"}),
      essential({"--resembles", "", kQuestion, "texts that share at least --threshold of the clue's 6-column grams"}),
      {"--measure", "containment|jaccard", kQuestion, "with --resembles: share of the clue's grams, or of those of both [containment]"},
      essential({"--limit", "N", kAnswers, "at most N texts for each clue [100]"}),
      essential({"--count", "", kAnswers, "only the number of texts for each clue"}),
      essential({"--scan", "", kAnswers, "read every text instead of the index: nothing is missed, and it takes as long as reading"}),
      {"--max-candidates", "N", kAnswers, "texts read for a clue that is short, edited or resembled, the most promising first [1024]"},
      {"--explain", "", kAnswers, "also what the answer cost: looked-up grams, candidates, texts read"},
  };
}

ClueSearch clue_search(const Invocation& invocation) {
  ClueSearch search;
  if (invocation.has("resembles")) {
    refuse(invocation, "contains", "cannot be combined with --resembles");
    refuse(invocation, "edits", "cannot be combined with --resembles: it allows edits of a contained clue");
    search.mode = ClueSearch::Mode::kResembles;
    search.threshold = invocation.options.threshold;
    const std::string measure = invocation.value("measure", "containment");
    if (measure != "containment" && measure != "jaccard") {
      throw Error(ErrorCode::kUsage, fmt::format("--measure: {}", expected_name({"containment", "jaccard"}, measure)));
    }
    search.measure = measure == "jaccard" ? ClueMeasure::kJaccard : ClueMeasure::kContainment;
  } else {
    refuse(invocation, "measure", "requires --resembles");
    refuse(invocation, "threshold", "requires --resembles; --edits allows differences in a contained clue");
    if (invocation.has("edits")) search.edits = edits_of(invocation.value("edits"));
  }
  if (invocation.has("count")) refuse(invocation, "limit", "cannot be combined with --count, which counts all texts");
  if (invocation.has("scan")) refuse(invocation, "max-candidates", "cannot be combined with --scan, which reads every text");
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  search.limit = local_number(invocation, "limit", search.limit, 1, kMost);
  search.max_candidates = local_number(invocation, "max-candidates", search.max_candidates, 1, kMost);
  search.count_only = invocation.has("count");
  search.scan = invocation.has("scan");
  search.explain = invocation.has("explain");
  return search;
}

}  // namespace neardup::cli
