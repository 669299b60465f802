#include "cli/tune/tune_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "cli/terminal/text_format.h"
#include "cli/tune/tune_names.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kPageWidth = 100;
constexpr size_t kBar = 40;
constexpr size_t kNameBytes = 40;
constexpr size_t kLineBytes = 80;
constexpr size_t kShownLines = 5;

// The share of one side of a page: no digits that a sample does not have.
std::string share(double value) {
  return value > 0 && value < 0.001 ? "< 0.1 %" : fmt::format("{:.1f} %", 100 * value);
}

void add(std::string& out, std::string_view label, std::string_view text) {
  constexpr size_t kLabel = 16;
  out += fmt::format("  {:<{}}{}\n", label, kLabel, wrapped(text, kLabel + 2, kPageWidth - kLabel - 2));
}

std::string scripts_of(const TuneCorpus& corpus) {
  constexpr double kNoticeable = 0.005;
  std::vector<size_t> order;
  for (size_t i = 0; i < corpus.scripts.size(); ++i) {
    if (corpus.scripts[i] >= kNoticeable) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return corpus.scripts[i]; });
  std::string out;
  for (const size_t i : order) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", kScriptNames[i], share(corpus.scripts[i]));
  return out.empty() ? "no letters" : out;
}

void write_lengths(const TuneCorpus& corpus, std::string& out) {
  uint64_t most = 1;
  for (const TuneCorpus::LengthBin& bin : corpus.lengths) most = std::max(most, bin.documents);
  for (const TuneCorpus::LengthBin& bin : corpus.lengths) {
    const auto bar = static_cast<size_t>(std::lround(static_cast<double>(bin.documents) * kBar / static_cast<double>(most)));
    const std::string range = bin.from == bin.to ? grouped(bin.from) : fmt::format("{} to {}", grouped(bin.from), grouped(bin.to));
    out += fmt::format("{:>26}  {:<{}} {}\n", range, std::string(bar, '#'), kBar, grouped(bin.documents));
  }
}

void write_corpus(const TuneCorpus& corpus, std::string& out) {
  out += "Corpus\n";
  add(out, "documents",
      fmt::format("{}, {}{}", counted(corpus.documents, "document"), counted(corpus.characters, "character"),
                  corpus.empty > 0 ? fmt::format(", {} of them empty", grouped(corpus.empty)) : ""));
  if (corpus.documents == 0) return;
  add(out, "letters", scripts_of(corpus));
  if (corpus.html > 0 || corpus.code > 0) add(out, "kinds", fmt::format("HTML {}, source code {}", share(corpus.html), share(corpus.code)));
  add(out, "length", fmt::format("half of the documents have up to {}", counted(corpus.median_length, "character")));
  write_lengths(corpus, out);
  if (corpus.lines.empty()) return;
  add(out, "boilerplate",
      fmt::format("{} of the text is in lines that at least 2 % of the documents have:", share(corpus.line_characters)));
  for (size_t i = 0; i < std::min(kShownLines, corpus.lines.size()); ++i) {
    out += fmt::format("{:>26}  {}\n", share(corpus.lines[i].documents), printable(shortened(corpus.lines[i].text, kLineBytes)));
  }
}

void write_kind_row(std::string_view first, std::string_view second, const std::array<double, kPairKinds>& kinds, std::string& out) {
  out += fmt::format("  {:<14}{:>12}", first, second);
  for (const double kind : kinds) out += fmt::format("{:>13}", kind == 0 ? "-" : fmt::format("{:.0f} %", 100 * kind));
  out += '\n';
}

void write_pairs(const TunePairs& pairs, std::string& out) {
  out += fmt::format("\nNear-duplicates ({}{}, similarity under {})\n", pairs.whole_corpus ? "all of the " : "a sample of ",
                     counted(pairs.documents, "document"), pairs.recipe);
  add(out, "exact copies", fmt::format("{} of the documents repeat an earlier one", share(pairs.exact_copies)));
  if (pairs.pairs == 0) {
    add(out, "pairs", "none at 0.5 or above");
    return;
  }
  out += fmt::format("\n  What changes in most places, in {} pairs that were compared:\n", grouped(pairs.examined));
  out += fmt::format("  {:<14}{:>12}", "similarity", "pairs");
  for (size_t i = 0; i < kPairKinds; ++i) out += fmt::format("{:>13}", name_of(static_cast<PairKind>(i)));
  out += '\n';
  for (const TunePairs::Band& band : pairs.bands) {
    if (band.pairs > 0)
      write_kind_row(fmt::format("{:.2f} to {:.2f}", band.from, band.to), grouped(static_cast<uint64_t>(std::llround(band.pairs))),
                     band.kinds, out);
  }
  write_kind_row("all", "", pairs.kinds, out);
}

void write_examples(const TunePairs& pairs, std::string& out) {
  for (size_t i = 0; i < pairs.bands.size(); ++i) {
    const TunePairs::Band& band = pairs.bands[i];
    if (band.examples.empty()) continue;
    // Bands in twos, the upper one first: three examples of both.
    const bool upper = i % 2 == 0;
    if (upper || pairs.bands[i - 1].examples.empty())
      out += fmt::format("\n  Examples at {:.2f} to {:.2f}\n", upper ? band.from - 0.05 : band.from, band.to);
    for (const TunePairs::Example& example : std::span(band.examples).first(std::min<size_t>(band.examples.size(), upper ? 2 : 1))) {
      out += fmt::format("  {:.2f}  {} / {}: {}\n", example.similarity, printable(shortened(example.id_a, kNameBytes)),
                         printable(shortened(example.id_b, kNameBytes)), name_of(example.kind));
      if (!example.excerpt.empty()) out += fmt::format("        {}\n", wrapped(printable(example.excerpt), 8, kPageWidth - 8));
    }
  }
  if (pairs.templates.empty()) return;
  out += "\n  Templates: texts that differ in a few numbers or names only\n";
  for (const TunePairs::Template& frame : pairs.templates) {
    out += fmt::format("  {:>6} texts  {}\n", grouped(frame.documents), wrapped(printable(frame.excerpt), 16, kPageWidth - 16));
  }
}

std::string range_of(const TuneExpected::Removals& removals) {
  if (removals.low == removals.high) return share(removals.likely);
  return fmt::format("{} ({} to {})", share(removals.likely), share(removals.low), share(removals.high));
}

void write_advice(const TuneAdvice& advice, std::string& out) {
  out += "\nRecommended\n";
  const auto row = [&](std::string_view option, std::string_view value) {
    out += fmt::format("  --{} {}\n", option, value);
    for (const TuneAdvice::Reason& reason : advice.reasons) {
      if (dashed(reason.option) == option) out += fmt::format("      {}\n", wrapped(reason.text, 6, kPageWidth - 6));
    }
  };
  row("recipe", advice.recipe);
  if (!advice.clean.empty()) row("clean", advice.clean);
  row("threshold", fmt::format("{}", advice.threshold.value()));
  if (advice.min_length > 0) row("min-length", fmt::format("{}", advice.min_length));
  for (const std::string& note : advice.notes) out += fmt::format("  note: {}\n", wrapped(note, 8, kPageWidth - 8));
}

void write_expected(const TuneExpected& expected, size_t most, std::string& out) {
  out += fmt::format("\nExpected removals: {}, of these exact copies {}\n", range_of(expected.all), share(expected.exact));
  if (expected.sources.size() < 2) return;
  std::vector<const TuneExpected::Source*> largest;
  largest.reserve(expected.sources.size());
  for (const TuneExpected::Source& source : expected.sources) largest.push_back(&source);
  std::ranges::stable_sort(largest, std::greater<>(), [](const TuneExpected::Source* source) { return source->documents; });
  for (size_t i = 0; i < std::min(most, largest.size()); ++i) {
    out += fmt::format("  {:<{}}{:>14} documents  {}\n", printable(shortened(largest[i]->name, kNameBytes)), kNameBytes + 2,
                       grouped(largest[i]->documents), largest[i]->sampled == 0 ? "none in the sample" : range_of(largest[i]->removals));
  }
  if (largest.size() > most) out += fmt::format("  and {}; --json lists all\n", counted(largest.size() - most, "further source"));
}

}  // namespace

std::string tune_page(const TuneResult& result, size_t sources) {
  std::string out;
  write_corpus(result.corpus, out);
  if (result.corpus.documents == 0) return out;
  write_pairs(result.pairs, out);
  write_examples(result.pairs, out);
  write_advice(result.advice, out);
  write_expected(result.expected, sources, out);
  return out;
}

}  // namespace neardup::cli
