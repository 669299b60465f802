#include "cli/tune/removals_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/terminal/text_format.h"
#include "cli/tune/tune_json.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kShownName = 40;

std::string share_text(double value) {
  return value > 0 && value < 0.001 ? "< 0.1 %" : fmt::format("{:.1f} %", 100 * value);
}

// "24.8 % (23.1 % to 26.4 %), about 2,480 documents"
std::string removals_text(const TuneExpected::Removals& removals, uint64_t documents, uint64_t sampled) {
  if (documents > 0 && sampled == 0) return "none in the sample";
  const auto likely = static_cast<uint64_t>(std::llround(removals.likely * static_cast<double>(documents)));
  if (removals.low == removals.high) return fmt::format("{}, {}", share_text(removals.likely), grouped(likely));
  return fmt::format("{} ({} to {}), about {}", share_text(removals.likely), share_text(removals.low), share_text(removals.high),
                     grouped(likely));
}

void add_row(std::string& out, std::string_view name, uint64_t documents, uint64_t sampled, const TuneExpected::Removals& removals) {
  out += fmt::format("  {:<{}}{:>14}{:>12}  {}\n", name, kShownName + 2, grouped(documents), grouped(sampled),
                     removals_text(removals, documents, sampled));
}

}  // namespace

std::string removals_page(const SampledRemovals& found, size_t sources) {
  std::string out = found.all ? fmt::format("all of the {} were compared\n", counted(found.documents, "document"))
                              : fmt::format("sample of {} of the documents: {} of {}{}\n", percent(found.share), grouped(found.sampled),
                                            grouped(found.documents), found.reduced ? "; a larger one would take too much memory" : "");
  out += fmt::format("  {:<{}}{:>14}{:>12}  {}\n", "source", kShownName + 2, "documents", "sampled",
                     found.all ? "removed" : "expected removals (95 % range)");
  std::vector<const TuneExpected::Source*> largest;
  largest.reserve(found.expected.sources.size());
  for (const TuneExpected::Source& source : found.expected.sources) largest.push_back(&source);
  std::ranges::stable_sort(largest, std::greater<>(), [](const TuneExpected::Source* source) { return source->documents; });
  const size_t shown = std::min(sources, largest.size());
  for (const TuneExpected::Source* source : std::span(largest).first(shown)) {
    add_row(out, printable(shortened(source->name, kShownName)), source->documents, source->sampled, source->removals);
  }
  if (largest.size() > shown)
    out += fmt::format("  and {}; --log-format json lists all\n", counted(largest.size() - shown, "further source"));
  if (largest.size() > 1) add_row(out, "all", found.documents, found.sampled, found.expected.all);
  if (found.sampled > 0) out += fmt::format("exact copies alone: {}\n", share_text(found.expected.exact));
  return out;
}

std::string removals_json(const SampledRemovals& found) {
  return fmt::format(R"({{"documents":{},"sampled":{},"share":{:.6g},"whole_corpus":{},"rejected":{},"expected":{}}})", found.documents,
                     found.sampled, found.share, found.all, found.summary.rejected, expected_json(found.expected));
}

}  // namespace neardup::cli
