#include "cli/compare/comparison_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iterator>

#include "cli/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kNameBytes = 24;
constexpr size_t kPassageBytes = 400;
constexpr size_t kPageWidth = 100;

using Out = std::back_insert_iterator<std::string>;

std::string yes_no(bool yes) {
  return yes ? "yes" : "no";
}

void write_sides(const ComparisonPage& page, Out out) {
  const Comparison& c = page.comparison;
  const auto row = [&](std::string_view label, const std::string& a, const std::string& b) {
    fmt::format_to(out, "{:<22}{:>26}{:>26}\n", label, a, b);
  };
  row("", printable(shortened(page.name_a, kNameBytes)), printable(shortened(page.name_b, kNameBytes)));
  row("bytes", grouped(c.a.bytes), grouped(c.b.bytes));
  row("tokens", grouped(c.a.tokens), grouped(c.b.tokens));
  row("shingles", grouped(c.a.shingles), grouped(c.b.shingles));
  row(page.plan.recipe.weighted() ? "features" : "distinct (features)", grouped(c.a.features), grouped(c.b.features));
}

void write_measures(const ComparisonPage& page, Out out) {
  const Comparison& c = page.comparison;
  fmt::format_to(out, "\nexact copy            {}\n", yes_no(c.exact_copy));
  if (!c.measurable()) {
    fmt::format_to(out, "too short             {}; fewer features than the recipe wants ({}), so only an exact copy would match\n",
                   c.a.too_short && c.b.too_short ? "both" : (c.a.too_short ? "the first" : "the second"), page.plan.recipe.min_features);
    return;
  }
  fmt::format_to(out, "Jaccard               {:.6f}   {} common of {} features\n", c.jaccard(), grouped(c.overlap.common),
                 grouped(c.overlap.union_size()));
  if (c.lanes > 0) {
    fmt::format_to(out, "  estimated           {:.6f}   {} of {} lanes agree; 95 % interval {:.3f} to {:.3f}\n", c.estimate, c.equal_lanes,
                   c.lanes, c.estimate_low, c.estimate_high);
  }
  fmt::format_to(out, "1st contained in 2nd  {:.6f}\n", c.containment_of_a());
  fmt::format_to(out, "2nd contained in 1st  {:.6f}\n", c.containment_of_b());
  fmt::format_to(out, "cosine of the sets    {:.6f}\n", c.cosine());
  if (c.bits > 0) fmt::format_to(out, "cosine with weights   {:.6f}\n", c.weighted_cosine);
  if (page.plan.bands > 0) {
    fmt::format_to(out, "found by the search   {:.4f} %   at this Jaccard, with {} bands of {} rows\n",
                   100 * (1 - page.plan.miss_probability(c.jaccard())), page.plan.bands, page.plan.rows_per_band);
  }
}

void write_passages(const Comparison& c, Out out) {
  if (c.passages_skipped)
    fmt::format_to(out, "\nThe texts are too long to look for shared passages (more than {} shingles).\n", grouped(kMaxPassageShingles));
  if (c.passages.empty()) return;
  fmt::format_to(out, "\nlongest shared passages, as the recipe sees them\n");
  for (size_t i = 0; i < c.passages.size(); ++i) {
    fmt::format_to(out, "{:>2}. {}: {}\n", i + 1, counted(c.passages[i].tokens, "token"),
                   wrapped(printable(shortened(c.passages[i].text, kPassageBytes)), 4, kPageWidth));
  }
}

}  // namespace

std::string ComparisonPage::to_text(bool colored) const {
  std::string text;
  const Out out = std::back_inserter(text);
  fmt::format_to(out, "recipe {} ({:016x})\n\n", printable(plan.recipe.name), plan.recipe.id());
  write_sides(*this, out);
  write_measures(*this, out);
  if (comparison.bits > 0) text += words_text() + fingerprints_text(colored);
  fmt::format_to(out, "\n{}{} {}{}\n", colored ? "\033[1m" : "", match() ? "They match" : "They do not match",
                 comparison.bits > 0 ? fmt::format("within distance {}", max_distance) : fmt::format("at threshold {}", threshold.value()),
                 colored ? "\033[0m" : "");
  write_passages(comparison, out);
  text += presets_text();
  return text;
}

bool output_is_colored() {
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

}  // namespace neardup::cli
