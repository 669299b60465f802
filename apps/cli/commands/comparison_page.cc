#include "cli/commands/comparison_page.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "cli/terminal/terminal.h"
#include "cli/terminal/text_format.h"
#include "neardup/tools/printable.h"

namespace neardup::cli {
namespace {

constexpr size_t kNameBytes = 24;
constexpr size_t kPassageBytes = 400;
constexpr size_t kPageWidth = 100;
constexpr size_t kWordBytes = 60;
constexpr uint32_t kRowBits = 64;   // of a fingerprint in one line
constexpr uint32_t kGroupBits = 8;  // between two blanks
constexpr double kWeightOne = 65536;

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
    fmt::format_to(out, "too short             {}; fewer features than the recipe requires ({}), so only an exact copy would match\n",
                   c.a.too_short && c.b.too_short ? "both" : (c.a.too_short ? "the first" : "the second"), page.plan.recipe.min_features);
    return;
  }
  if (c.numbers_differ) fmt::format_to(out, "numbers               differ, so the texts have no features in common\n");
  fmt::format_to(out, "Jaccard               {:.6f}   {} common of {} features\n", c.jaccard(), grouped(c.overlap.common),
                 grouped(c.overlap.union_size()));
  if (c.lanes > 0) {
    fmt::format_to(out, "  estimated           {:.6f}   {} of {} lanes agree; 95 % interval {:.3f} to {:.3f}\n", c.estimate, c.equal_lanes,
                   c.lanes, c.estimate_low, c.estimate_high);
  }
  fmt::format_to(out, "1st contained in 2nd  {:.6f}\n", c.containment_of_a());
  fmt::format_to(out, "2nd contained in 1st  {:.6f}\n", c.containment_of_b());
  fmt::format_to(out, "cosine of the sets    {:.6f}\n", c.cosine());
  if (c.weighted) {
    fmt::format_to(out, "Jaccard with weights  {:.6f}\n", c.weighted_jaccard);
    fmt::format_to(out, "cosine with weights   {:.6f}\n", c.weighted_cosine);
  }
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

bool fixed_point(const Recipe& recipe) {
  return recipe.weighting == Weighting::kTfIdf || recipe.weighting == Weighting::kJiebaKeywords;
}

bool bit_of(Fingerprint128 fingerprint, uint32_t bit) {
  return ((bit < 64 ? fingerprint.low >> bit : fingerprint.high >> (bit - 64)) & 1) != 0;
}

// A weight as people know it: a TF-IDF weight, or a count.
double weight_value(const Recipe& recipe, int32_t weight) {
  return fixed_point(recipe) ? weight / kWeightOne : weight;
}

// True if the fingerprints differ in this bit.
bool differs(const Comparison& comparison, uint32_t bit) {
  return bit_of(comparison.fingerprint_a, bit) != bit_of(comparison.fingerprint_b, bit);
}

// The bits from `most` down, one row of them.
template <typename Write>
std::string bit_row(uint32_t most, const Write& write) {
  std::string row;
  for (uint32_t i = 0; i < kRowBits; ++i) {
    if (i > 0 && i % kGroupBits == 0) row.push_back(' ');
    write(most - i, row);
  }
  return row;
}

std::string preset_line(const PresetVerdict& verdict, Threshold threshold, uint32_t max_distance) {
  if (!verdict.problem.empty()) return fmt::format("not computed: {}", printable(verdict.problem));
  const std::string_view said = verdict.match ? "match" : "no match";
  if (verdict.exact_copy) return fmt::format("{:<9} exact copy", said);
  if (verdict.too_short) return fmt::format("{:<9} too short for a sketch", said);
  if (verdict.bits > 0) return fmt::format("{:<9} distance {} of {} bits, at most {}", said, verdict.distance, verdict.bits, max_distance);
  return fmt::format("{:<9} Jaccard {:.6f}, at least {}", said, verdict.jaccard, threshold.value());
}

std::string words_text(const ComparisonPage& page) {
  const Comparison& c = page.comparison;
  if (c.words.empty()) return "";
  std::string text = fmt::format("\nweight in 1st  weight in 2nd  feature\n");
  const auto cell = [&](int32_t weight) {
    return weight == 0 ? std::string("-")
                       : fmt::format("{:.{}f}", weight_value(page.plan.recipe, weight), fixed_point(page.plan.recipe) ? 4 : 0);
  };
  for (const ComparedWord& word : c.words) {
    std::string shown = shortened(word.word, kWordBytes);
    for (char& byte : shown) {
      if (static_cast<unsigned char>(byte) < ' ') byte = ' ';
    }
    text += fmt::format("{:>13}  {:>13}  {}\n", cell(word.weight_a), cell(word.weight_b), printable(shown));
  }
  if (c.words_in_all > c.words.size()) text += fmt::format("{:>28}  and {} more\n", "", grouped(c.words_in_all - c.words.size()));
  return text;
}

std::string fingerprints_text(const ComparisonPage& page, bool colored) {
  const Comparison& c = page.comparison;
  if (!c.measurable()) return "";
  std::string text = fmt::format("\nfingerprints of {} bits; {} differ, at most {} may\n", c.bits, c.distance, page.max_distance);
  const auto hex = [&](Fingerprint128 code) { return c.bits == 64 ? to_hex(code.low_half()) : to_hex(code); };
  text += fmt::format("  1st  {}\n  2nd  {}\n", hex(c.fingerprint_a), hex(c.fingerprint_b));
  for (uint32_t end = c.bits; end > 0; end -= kRowBits) {
    const auto digits = [&](Fingerprint128 code) {
      return bit_row(end - 1, [&](uint32_t bit, std::string& row) {
        const char digit = bit_of(code, bit) ? '1' : '0';
        row += colored && differs(c, bit) ? fmt::format("\033[1;31m{}\033[0m", digit) : std::string(1, digit);
      });
    };
    text += fmt::format("  1st  {}\n  2nd  {}\n", digits(c.fingerprint_a), digits(c.fingerprint_b));
    if (colored) continue;
    std::string marks = bit_row(end - 1, [&](uint32_t bit, std::string& row) { row.push_back(differs(c, bit) ? '^' : ' '); });
    marks.erase(marks.find_last_not_of(' ') + 1);
    if (!marks.empty()) text += fmt::format("       {}\n", marks);
  }
  return text;
}

std::string verdict_line(const ComparisonPage& page) {
  if (page.contained) {
    const auto [a_in_b, b_in_a] = *page.contained;
    return fmt::format("{} at containment {}",
                       a_in_b && b_in_a ? "Each is contained in the other"
                       : a_in_b         ? "The 1st is contained in the 2nd"
                       : b_in_a         ? "The 2nd is contained in the 1st"
                                        : "Neither is contained in the other",
                       page.threshold.value());
  }
  if (!page.decided()) return "Whether they match depends on the weights of the run, which are not here";
  const std::string within = page.comparison.bits > 0 ? fmt::format("within distance {}", page.max_distance) : "";
  const std::string at =
      page.by_weights()
          ? fmt::format("at {} {}", page.verify == Verify::kCosine ? "cosine" : "weighted Jaccard similarity", page.threshold.value())
      : within.empty() ? fmt::format("at threshold {}", page.threshold.value())
                       : "";
  return fmt::format("{} {}{}{}", page.match() ? "They match" : "They do not match", within, !within.empty() && !at.empty() ? ", " : "",
                     at);
}

std::string presets_text(const ComparisonPage& page) {
  if (page.presets.empty()) return "";
  std::string text = "\nwhat the presets say\n";
  size_t width = 0;
  for (const PresetVerdict& verdict : page.presets) width = std::max(width, verdict.name.size());
  for (const PresetVerdict& verdict : page.presets) {
    text += fmt::format("  {:<{}}  {}\n", verdict.name, width, preset_line(verdict, page.threshold, page.max_distance));
  }
  return text;
}

std::string json_side(std::string_view name, const Comparison::Side& side) {
  return fmt::format(R"({{"name":{},"bytes":{},"tokens":{},"shingles":{},"features":{},"too_short":{}}})", json_quote(name), side.bytes,
                     side.tokens, side.shingles, side.features, side.too_short);
}

// Members of a recipe of fingerprints, with a comma after each.
std::string json_fingerprints(const ComparisonPage& page) {
  const Comparison& c = page.comparison;
  const auto code = [&](const Comparison::Side& side, Fingerprint128 fingerprint) {
    if (side.too_short) return std::string("null");
    return fmt::format("\"{}\"", c.bits == 64 ? to_hex(fingerprint.low_half()) : to_hex(fingerprint));
  };
  std::string text = fmt::format(R"("bits":{},"fingerprint_a":{},"fingerprint_b":{},"max_distance":{},)", c.bits,
                                 code(c.a, c.fingerprint_a), code(c.b, c.fingerprint_b), page.max_distance);
  text += c.measurable() ? fmt::format(R"("distance":{},"differing_bits":[)", c.distance) : R"("distance":null,"differing_bits":[)";
  bool first = true;
  for (uint32_t bit = 0; c.measurable() && bit < c.bits; ++bit) {
    if (!differs(c, bit)) continue;
    text += fmt::format("{}{}", first ? "" : ",", bit);
    first = false;
  }
  text += fmt::format("],\"words_in_all\":{},\"words\":[", c.words_in_all);
  for (size_t i = 0; i < c.words.size(); ++i) {
    text += fmt::format("{}{{\"word\":{},\"weight_a\":{},\"weight_b\":{}}}", i == 0 ? "" : ",", json_quote(c.words[i].word),
                        weight_value(page.plan.recipe, c.words[i].weight_a), weight_value(page.plan.recipe, c.words[i].weight_b));
  }
  return text + "],";
}

std::string json_preset(const PresetVerdict& verdict) {
  const std::string begin = fmt::format("{{\"name\":{},", json_quote(verdict.name));
  if (!verdict.problem.empty()) return begin + fmt::format("\"problem\":{}}}", json_quote(verdict.problem));
  const std::string measure = verdict.too_short  ? R"("similarity":null,)"
                              : verdict.bits > 0 ? fmt::format(R"("bits":{},"distance":{},)", verdict.bits, verdict.distance)
                                                 : fmt::format(R"("similarity":{:.9g},)", verdict.jaccard);
  return begin +
         fmt::format(R"({}"exact_copy":{},"too_short":{},"match":{}}})", measure, verdict.exact_copy, verdict.too_short, verdict.match);
}

}  // namespace

std::string ComparisonPage::to_text(bool colored) const {
  std::string text;
  const Out out = std::back_inserter(text);
  fmt::format_to(out, "recipe {} ({:016x})\n\n", printable(plan.recipe.name), plan.recipe.id());
  write_sides(*this, out);
  write_measures(*this, out);
  if (comparison.bits > 0) text += words_text(*this) + fingerprints_text(*this, colored);
  fmt::format_to(out, "\n{}{}{}\n", colored ? "\033[1m" : "", verdict_line(*this), colored ? "\033[0m" : "");
  write_passages(comparison, out);
  fmt::format_to(out, "\ndifferences of the original texts: {}\n{}", differences.summary(), differences.to_text(colored));
  text += presets_text(*this);
  return text;
}

std::string ComparisonPage::to_json() const {
  const Comparison& c = comparison;
  std::string text = fmt::format(R"({{"recipe":{},"recipe_id":"{:016x}","threshold":{},"a":{},"b":{},"exact_copy":{},"match":{},)",
                                 json_quote(plan.recipe.name), plan.recipe.id(), threshold.value(), json_side(name_a, c.a),
                                 json_side(name_b, c.b), c.exact_copy,
                                 !decided() ? "null"
                                 : match()  ? "true"
                                            : "false");
  if (contained) text += fmt::format(R"("measure":"containment","a_in_b":{},"b_in_a":{},)", contained->a_in_b, contained->b_in_a);
  if (by_weights()) text += fmt::format(R"("measure":"{}",)", verify == Verify::kCosine ? "cosine" : "weighted-jaccard");
  // Similarities of texts without features mean nothing: null.
  const auto measure = [&](std::string_view name, double value) {
    text += c.measurable() ? fmt::format("\"{}\":{:.9g},", name, value) : fmt::format("\"{}\":null,", name);
  };
  if (plan.recipe.numbers_agree) text += fmt::format("\"numbers_differ\":{},", c.numbers_differ);
  text += fmt::format("\"common\":{},\"union\":{},", c.overlap.common, c.overlap.union_size());
  measure("jaccard", c.jaccard());
  measure("containment_a", c.containment_of_a());
  measure("containment_b", c.containment_of_b());
  measure("cosine", c.cosine());
  if (c.weighted) {
    measure("weighted_jaccard", c.weighted_jaccard);
    measure("weighted_cosine", c.weighted_cosine);
  }
  if (c.bits > 0) {
    text += json_fingerprints(*this);
  } else {
    measure("estimate", c.estimate);
    measure("estimate_low", c.estimate_low);
    measure("estimate_high", c.estimate_high);
    if (!contained) measure("found_probability", 1 - plan.miss_probability(c.jaccard()));
    text += fmt::format(R"("equal_lanes":{},"lanes":{},"bands":{},"rows_per_band":{},)", c.equal_lanes, c.lanes, plan.bands,
                        plan.rows_per_band);
  }
  text += fmt::format("\"passages_skipped\":{},\"passages\":[", c.passages_skipped);
  for (size_t i = 0; i < c.passages.size(); ++i) {
    text += fmt::format("{}{{\"tokens\":{},\"text\":{}}}", i == 0 ? "" : ",", c.passages[i].tokens, json_quote(c.passages[i].text));
  }
  text += "]," + differences.to_json() + ",\"presets\":[";
  for (size_t i = 0; i < presets.size(); ++i) text += (i == 0 ? "" : ",") + json_preset(presets[i]);
  text += "]}\n";
  return text;
}

bool output_is_colored() {
  return can_color(STDOUT_FILENO);
}

}  // namespace neardup::cli
